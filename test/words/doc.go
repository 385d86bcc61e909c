// Package words holds every text that a person reads to one voice: its tests fail on words and turns of phrase that we do not use, on
// a report that says a thing twice or does not fit its line, and on a command that a shell, kubectl or argocd could not parse.
package words
