// Package health holds the rules about what is applied and not healthy.
//
// They share one picture, that of package unhealthy. Each resource of it belongs to one rule (about.go); a rule says itself
// which pods, kinds and states it is about.
package health
