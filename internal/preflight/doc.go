// Package preflight asks, before the first failure does, whether the services agree with the configuration: each [Check] looks
// at one service and answers with findings of one line, each with what to do. A check that could not look says so; it never
// passes.
package preflight
