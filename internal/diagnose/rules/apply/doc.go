// Package apply holds the rules about what the API server refused during a sync.
package apply
