// Package terminal writes reports for people at a terminal and for the programs behind a pipe: as text, JSON and YAML.
//
// What goes in comes from logs, messages and object names, so anybody can have written it. What comes out is free of
// secrets and of control sequences, in each of the three forms.
package terminal
