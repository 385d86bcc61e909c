// Package apply holds the rules about what the API server refuses during a sync.
package apply
