//go:build system

package system_test

import "testing"

// takeOver is what is promised where the replica that posts ends without a word.
const takeOver = "≤ 15s"

// TestTakeOver has its place here: two replicas on one journal, of which the one that posts is killed, cut off from the API server, or
// paused for longer than its lease.
func TestTakeOver(t *testing.T) {
	results.add(row{scenario: "two replicas, one is killed", what: "take-over", promise: takeOver, measured: "not measured yet"})
	t.Skip("there is one replica so far")
}
