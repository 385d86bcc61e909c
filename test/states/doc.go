// Package states checks that nothing can quote what a managed resource holds before its secrets are removed. An evidence.State has
// them, because two states are compared; a rule reads it through internal/evidence/clean. The compiler does not see that: a
// conversion makes any text of it.
package states
