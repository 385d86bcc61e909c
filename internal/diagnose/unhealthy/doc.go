// Package unhealthy draws the picture of what is applied and not healthy: the resources concerned, the pod of each that says
// most, and what that pod suffers from. It names no rule; the rules of rules/health say what each of them is about.
package unhealthy
