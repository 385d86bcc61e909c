// Package health holds the rules about resources that are applied but not healthy.
//
// They share one picture, that of package unhealthy. Each resource in it belongs to one rule (about.go); each rule says which
// pods, kinds and states it is about.
package health
