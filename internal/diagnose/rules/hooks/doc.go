// Package hooks holds the rules about a sync that stopped at a hook, or waits for a wave. Those about hooks share one
// picture of the hook (run.go).
package hooks
