// Package terminal writes reports for people at a terminal and for the programs behind a pipe: as text, JSON and YAML.
//
// A report quotes logs, messages and object names, which anybody can have written. What is printed is free of secrets and of
// control sequences, in each of the three forms.
package terminal
