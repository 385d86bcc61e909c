//go:build system

package system_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// chartMemory is what the chart gives to the bot: limits.memory in deploy/charts/argo-why/values.yaml.
const chartMemory = 512 // MB

// TestHostile: applications that are made to exhaust the bot, beside one that is well and some that fail as applications do. The bot has the
// memory that the chart gives it. It goes on, posts the others, and says of those that it cannot read that it could not.
func TestHostile(t *testing.T) {
	in := install(t)
	in.env = []string{fmt.Sprintf("ARGO_WHY_MEMORY_LIMIT=%d", chartMemory<<20)}
	in.put(recorded(t, wellCase, resources), 0, 1)
	in.run("0")
	all := hostile(t)
	for i, h := range all {
		in.put(h.document, 100+i, 101+i)
	}
	const ordinary = 5
	began := time.Now()
	in.put(recorded(t, ownCase, resources), 1, 1+ordinary)
	in.await("the threads of the ordinary ones", time.Minute, func() bool { return in.toldOf(1, 1+ordinary) == ordinary })
	results.within("hostile applications beside others", "the others posted", time.Since(began), 0, in.spent().String())
	in.await("those that cannot be read to be reported", time.Minute, func() bool { return in.unreadable() >= tooLarge(all) })
	for n := range 2 { // a change that the watch reports, as an attacker would go on making them
		for i, h := range all {
			if h.unread {
				in.put(bytes.Replace(h.document, []byte(`"metadata":{`), fmt.Appendf(nil, `"metadata":{"labels":{"turn":"%d"},`, n), 1), 100+i, 101+i)
			}
		}
	}
	reads, since := -1.0, time.Now()
	in.await("it to have nothing to read", time.Minute, func() bool {
		if n := in.metric("argo_why_diagnosis_seconds_count"); n != reads {
			reads, since = n, time.Now()
		}
		return time.Since(since) > 3*time.Second
	})
	select {
	case <-in.bot.ended:
		t.Fatalf("the bot ended:\n%s", in.log.tail())
	default:
	}
	peak := in.bot.memory(t, "VmHWM")
	results.atMost("hostile applications beside others", "memory, peak", peak, chartMemory, "MB", in.mapped())
	if peak >= chartMemory {
		t.Errorf("%d MB at the peak, and the chart gives %d", peak, chartMemory)
	}
	// Once when it began to fail, and once when it had failed for long enough to be posted.
	if n := in.metric("argo_why_undiagnosed_total"); n > float64(2*tooLarge(all)) {
		t.Errorf("%d applications that cannot be read were tried %v times", tooLarge(all), n)
	}
}

// toldOf counts the applications of a range that have a thread.
func (in *installation) toldOf(from, to int) (n int) {
	roots := in.roots()
	for i := from; i < to; i++ {
		if slices.ContainsFunc(roots, func(m Message) bool { return strings.Contains(m.Text, appName(i)) }) {
			n++
		}
	}
	return n
}

// unreadable counts the threads of applications that could not be diagnosed.
func (in *installation) unreadable() (n int) {
	for _, m := range in.roots() {
		if strings.Contains(m.Text, "Could not be diagnosed: too large to read") {
			n++
		}
	}
	return n
}

// attack is an application that is made to exhaust the bot.
type attack struct {
	what string
	// unread: it is more than the bot reads.
	unread   bool
	document []byte
}

func tooLarge(all []attack) (n int) {
	for _, a := range all {
		if a.unread {
			n++
		}
	}
	return n
}

// hostile are all of them; no application is larger than an object in a cluster can be.
func hostile(t *testing.T) []attack {
	t.Helper()
	laughs := "a0: &a0 [lol]\n"
	for i := range 20 {
		laughs += fmt.Sprintf("a%d: &a%d [%s*a%d]\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 8), i)
	}
	merged := "m0: &m0 {k: " + strings.Repeat("x", 10_000) + "}\n"
	for i := range 30 {
		merged += fmt.Sprintf("m%d: &m%d {<<: *m%d, x: *m%d, y: *m%d}\n", i+1, i+1, i, i, i)
	}
	const template = "render/helm-template/own-nulled-parent"
	values := func(text string) func(map[string]any) {
		return func(app map[string]any) { at(app, "spec", "source", "helm")["values"] = text }
	}
	empty := func(n int) []any { return slices.Repeat([]any{map[string]any{}}, n) }
	condition := func(text string) map[string]any {
		return map[string]any{"type": "ComparisonError", "message": text, "lastTransitionTime": "2026-09-01T10:00:00Z"}
	}
	out := []attack{
		{what: "one text in many places", document: changed(t, template, values("a: &a "+strings.Repeat("x", 180_000)+"\nb: ["+strings.Repeat("*a, ", 18_000)+"]\n"))},
		{what: "anchors in anchors", document: changed(t, template, values(laughs))},
		{what: "merge keys", document: changed(t, template, values(merged))},
		{what: "values in brackets", document: changed(t, template, values(strings.Repeat("[", 700_000)))},
		{what: "many small values", document: changed(t, template, values("["+strings.Repeat("a,", 700_000)+"]"))},
		{what: "deep values", unread: true, document: changed(t, template, func(app map[string]any) {
			delete(at(app, "spec", "source", "helm"), "values")
			at(app, "spec", "source", "helm")["valuesObject"] = json.RawMessage(strings.Repeat(`{"a":`, 5_000) + "1" + strings.Repeat("}", 5_000))
		})},
		{what: "empty resources", unread: true, document: changed(t, ownCase, func(app map[string]any) { at(app, "status")["resources"] = empty(450_000) })},
		{what: "empty results", unread: true, document: changed(t, ownCase, func(app map[string]any) {
			at(app, "status", "operationState", "syncResult")["resources"] = empty(450_000)
		})},
		{what: "many resources", document: changed(t, ownCase, func(app map[string]any) {
			list := make([]any, 10_000)
			for i := range list {
				list[i] = map[string]any{"version": "v1", "kind": "ConfigMap", "namespace": "shop", "name": fmt.Sprint("settings-", i), "status": "OutOfSync"}
			}
			at(app, "status")["resources"] = list
		})},
		{what: "many conditions", document: changed(t, template, func(app map[string]any) {
			list := make([]any, 5_000)
			for i := range list {
				list[i] = condition(fmt.Sprintf("rpc error: code = Unknown desc = `helm template .` failed exit status 1: Error: template: web/templates/a%d.yaml:4: %s", i, strings.Repeat("x", 100)))
			}
			at(app, "status")["conditions"] = list
		})},
		{what: "many images", document: changed(t, ownCase, func(app map[string]any) {
			at(app, "status")["summary"] = map[string]any{"images": slices.Repeat([]string{"registry.example.com/team/app:1.0.0"}, 20_000)}
		})},
	}
	for what, text := range map[string]string{
		"a long message":            strings.Repeat("x", 1<<20),
		"a message of many lines":   strings.Repeat("error: failed to do it\n", 45_000),
		"a message of many secrets": strings.Repeat("password=Xk7dp9fZ2qW\n", 45_000),
		"an unfinished statement":   strings.Repeat("INSERT INTO t (password) VALUES (", 30_000),
		"a message of brackets":     strings.Repeat("[", 1<<20),
		"a message of braces":       strings.Repeat(`{"a":`, 200_000),
		"a message of errors":       strings.Repeat("rpc error: code = Unknown desc = ", 30_000),
		"a message of escapes":      strings.Repeat(`\\\"`, 250_000),
	} {
		out = append(out, attack{what: what, document: changed(t, template, func(app map[string]any) { at(app, "status")["conditions"] = []any{condition(text)} })})
	}
	out = append(out, hostileEvidence(t)...)
	slices.SortFunc(out, func(a, b attack) int { return strings.Compare(a.what, b.what) })
	return out
}

// changed is a recorded case with another application.
func changed(t *testing.T, name string, change func(app map[string]any)) []byte {
	t.Helper()
	return altered(t, name, func(document map[string]any) { change(at(document, "application")) })
}

// at is a map in a document.
func at(m map[string]any, path ...string) map[string]any {
	for _, key := range path {
		next, ok := m[key].(map[string]any)
		if !ok {
			next = map[string]any{}
			m[key] = next
		}
		m = next
	}
	return m
}
