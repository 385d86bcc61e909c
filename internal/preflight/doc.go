// Package preflight finds out, before the first failure does, whether the services agree with the configuration: each [Check]
// looks at one service and returns findings of one line, each with what to do. A check that cannot look says so; it never passes.
package preflight
