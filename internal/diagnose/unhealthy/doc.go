// Package unhealthy collects what is applied but not healthy: the resources concerned, the most telling pod of each, and what is
// wrong with that pod. It names no rule; each rule in rules/health says which of that it is about.
package unhealthy
