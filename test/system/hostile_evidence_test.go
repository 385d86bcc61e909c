//go:build system

package system_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// hostileEvidence are applications that are small themselves: what Argo CD says beside them is made to exhaust the bot. Pods, events and logs
// are written by whoever may run a container.
func hostileEvidence(t *testing.T) []attack {
	t.Helper()
	const crash, drift = "health/crash-loop/own-01", "drift/manual-edit/changed-and-removed"
	logging := func(text string) func(map[string]any) {
		return func(document map[string]any) { first(document, "logs")["text"] = text }
	}
	return []attack{
		{what: "many pods", document: altered(t, crash, func(document map[string]any) {
			tree := at(document, "resourceTree")
			nodes, _ := tree["nodes"].([]any)
			for i := range 20_000 {
				pod := copied(t, nodes[1])
				pod["name"], pod["uid"] = fmt.Sprint("ledger-", i+1), fmt.Sprint("uid-", i+1)
				nodes = append(nodes, pod)
			}
			tree["nodes"] = nodes
		})},
		{what: "nodes in a chain", document: altered(t, crash, func(document map[string]any) {
			tree := at(document, "resourceTree")
			nodes, _ := tree["nodes"].([]any)
			for i := range 20_000 {
				node, parent := copied(t, nodes[0]), copied(t, nodes[0])
				node["name"], parent["name"] = fmt.Sprint("ledger-", i+1), fmt.Sprint("ledger-", i)
				node["parentRefs"] = []any{parent}
				nodes = append(nodes, node)
			}
			tree["nodes"] = nodes
		})},
		{what: "many events", document: altered(t, crash, func(document map[string]any) {
			events, _ := document["events"].([]any)
			for i := range 20_000 {
				event := copied(t, events[0])
				event["message"] = fmt.Sprintf("Back-off %d restarting failed container ledger: password=%s", i, strings.Repeat("x", 100))
				events = append(events, event)
			}
			document["events"] = events
		})},
		{what: "a long event", document: altered(t, crash, func(document map[string]any) {
			first(document, "events")["message"] = strings.Repeat("INSERT INTO t (password) VALUES (", 30_000)
		})},
		{what: "a log in one line", document: altered(t, crash, logging(strings.Repeat("x", 4<<20)))},
		{what: "a log of many lines", document: altered(t, crash, logging(strings.Repeat("ERROR: connect: connection refused\n", 100_000)))},
		{what: "a log of secrets", document: altered(t, crash, logging(strings.Repeat("password=Xk7dp9fZ2qW ", 100_000)))},
		{what: "a log of traces", document: altered(t, crash, logging(strings.Repeat("Traceback (most recent call last):\n  File \"a.py\", line 1\nCaused by: ", 40_000)))},
		{what: "many managers of fields", document: altered(t, drift, managed(t, 5_000, 1))},
		{what: "many managed fields", document: altered(t, drift, managed(t, 10, 3_000))},
	}
}

// managed gives the live state managers with fields that they own.
func managed(t *testing.T, managers, fields int) func(map[string]any) {
	return func(document map[string]any) {
		t.Helper()
		item := first(at(document, "managedResources"), "items")
		owned := map[string]any{}
		for i := range fields {
			owned[fmt.Sprintf(`k:{"name":"V%d"}`, i)] = map[string]any{".": map[string]any{}, "f:value": map[string]any{}}
		}
		var all []any
		for i := range managers {
			all = append(all, map[string]any{
				"manager": fmt.Sprint("m", i), "operation": "Update", "apiVersion": "apps/v1", "fieldsType": "FieldsV1",
				"fieldsV1": map[string]any{"f:spec": map[string]any{"f:template": map[string]any{"f:spec": map[string]any{"f:containers": owned}}}},
			})
		}
		var live map[string]any
		state, _ := item["liveState"].(string)
		if err := json.Unmarshal([]byte(state), &live); err != nil {
			t.Fatal(err)
		}
		at(live, "metadata")["managedFields"] = all
		text, err := json.Marshal(live)
		if err != nil {
			t.Fatal(err)
		}
		item["liveState"] = string(text)
	}
}

// altered is a recorded case, changed anywhere.
func altered(t *testing.T, name string, change func(document map[string]any)) []byte {
	t.Helper()
	var document map[string]any
	if err := json.Unmarshal(recorded(t, name, 1), &document); err != nil {
		t.Fatal(err)
	}
	change(document)
	out, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// first is the first member of a list.
func first(m map[string]any, list string) map[string]any {
	all, _ := m[list].([]any)
	one, _ := all[0].(map[string]any)
	return one
}

// copied is a map that can be changed.
func copied(t *testing.T, v any) (out map[string]any) {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}
