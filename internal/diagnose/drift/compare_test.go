package drift_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/evidence"
)

// compared is each field on a line: path, live value, desired value, who wrote the live one.
func compared(t *testing.T, live, desired, managedFields string) string {
	t.Helper()
	text := func(spec, fields string) evidence.State {
		return evidence.State(fmt.Sprintf(`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","managedFields":%s},"spec":%s}`, fields, spec))
	}
	r, err := drift.Compare(evidence.ResourceDiff{
		Kind: "Deployment", Name: "web", TargetState: text(desired, "[]"), LiveState: text(live, managedFields),
		NormalizedLiveState: text(live, "[]"), PredictedLiveState: text(desired, "[]"),
	})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range r.Fields {
		line := fmt.Sprintf("%s: %s, wants %s", f.Path, value(f.InLive, f.Live), value(f.InDesired, f.Desired))
		for _, o := range f.Owners {
			line += " by " + o.Manager
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

func value(there bool, v any) string {
	if !there {
		return "nothing"
	}
	return drift.Show(v)
}

func TestCompare(t *testing.T) {
	for name, c := range map[string]struct{ live, desired, fields, want string }{
		"a container put in front leaves the others alone": {
			live:    `{"containers":[{"name":"proxy","image":"p:1"},{"name":"web","image":"w:1"}]}`,
			desired: `{"containers":[{"name":"web","image":"w:2"}]}`,
			want: `spec.containers[name=proxy]: {"image":"p:1","name":"proxy"}, wants nothing
spec.containers[name=web].image: w:1, wants w:2`,
		},
		"ports are told apart by number and protocol, which is TCP where it is left out": {
			live:    `{"ports":[{"port":53,"protocol":"UDP","nodePort":1},{"port":53,"nodePort":2}]}`,
			desired: `{"ports":[{"port":53,"protocol":"TCP","nodePort":3},{"port":53,"protocol":"UDP","nodePort":1}]}`,
			want: `spec.ports[port=53, protocol=TCP].nodePort: 2, wants 3
spec.ports[port=53, protocol=TCP].protocol: nothing, wants TCP`,
		},
		"another order of the same members is one difference": {
			live:    `{"metrics":[{"type":"Resource","name":"memory"},{"type":"Resource","name":"cpu"}]}`,
			desired: `{"metrics":[{"type":"Resource","name":"cpu"},{"type":"Resource","name":"memory"}]}`,
			want:    `spec.metrics: [{"name":"memory","type":"Resource"},{"name":"cpu","type":"Resource"}], wants [{"name":"cpu","type":"Resource"},{"name":"memory","type":"Resource"}]`,
		},
		"lists of plain values are one value": {
			live: `{"args":["a","b"]}`, desired: `{"args":["a","c"]}`, want: `spec.args: ["a","b"], wants ["a","c"]`,
		},
		"lists without keys are matched by place while they are equally long": {
			live: `{"steps":[{"weight":1},{"weight":2}]}`, desired: `{"steps":[{"weight":1},{"weight":3}]}`, want: `spec.steps[1].weight: 2, wants 3`,
		},
		"the keys of the API server go before guesses": {
			live:    `{"hooks":[{"id":"x","name":"a","v":1}]}`,
			desired: `{"hooks":[{"id":"x","name":"b","v":1}]}`,
			fields:  `[{"manager":"m","operation":"Update","fieldsV1":{"f:spec":{"f:hooks":{"k:{\"id\":\"x\"}":{".":{},"f:name":{}}}}}}]`,
			want:    `spec.hooks[id=x].name: a, wants b by m`,
		},
		"who changed a key is noted under the changed one": {
			live:    `{"ports":[{"name":"http","port":83,"protocol":"TCP"}]}`,
			desired: `{"ports":[{"name":"http","port":80,"protocol":"TCP"}]}`,
			fields:  `[{"manager":"dashboard","operation":"Update","fieldsV1":{"f:spec":{"f:ports":{"k:{\"port\":83,\"protocol\":\"TCP\"}":{".":{},"f:port":{}}}}}}]`,
			want:    `spec.ports[0].port: 83, wants 80 by dashboard`,
		},
		"the last to write comes first, and the owner of the whole owns the part": {
			live: `{"replicas":3,"rules":[{"verb":"get"}]}`, desired: `{"replicas":1,"rules":[]}`,
			fields: `[{"manager":"argocd-controller","operation":"Update","time":"2026-01-01T00:00:00Z","fieldsV1":{"f:spec":{"f:replicas":{}}}},
				{"manager":"kubectl","operation":"Update","subresource":"scale","time":"2026-01-02T00:00:00Z","fieldsV1":{"f:spec":{"f:replicas":{}}}},
				{"manager":"aggregator","operation":"Apply","time":"2026-01-01T00:00:00Z","fieldsV1":{"f:spec":{"f:rules":{}}}}]`,
			want: "spec.replicas: 3, wants 1 by kubectl by argocd-controller\n" + `spec.rules: [{"verb":"get"}], wants [] by aggregator`,
		},
		"a null is not an absent field": {live: `{"a":null}`, desired: `{}`, want: `spec.a: null, wants nothing`},
		"an empty object or list is not null": {
			live: `{"webhooks":[{"name":"x","objectSelector":{},"rules":[]}]}`, desired: `{"webhooks":[{"name":"x","objectSelector":null,"rules":null}]}`,
			want: "spec.webhooks[name=x].objectSelector: {}, wants null\nspec.webhooks[name=x].rules: [], wants null",
		},
		"annotations that are null are compared one by one": {
			live: `{"annotations":{"a":"1","b":"2"}}`, desired: `{"annotations":null}`,
			want: "spec.annotations.a: 1, wants nothing\nspec.annotations.b: 2, wants nothing",
		},
		"claim templates are told apart by the names in their metadata": {
			live:    `{"claims":[{"metadata":{"name":"wal"},"x":1},{"kind":"PersistentVolumeClaim","metadata":{"name":"data"}}]}`,
			desired: `{"claims":[{"metadata":{"name":"data"}},{"metadata":{"name":"wal"},"x":1}]}`,
			want:    "spec.claims[metadata.name=data].kind: PersistentVolumeClaim, wants nothing",
		},
		"nothing differs": {live: `{"a":[{"name":"x"}]}`, desired: `{"a":[{"name":"x"}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			if c.fields == "" {
				c.fields = "[]"
			}
			if got := compared(t, c.live, c.desired, c.fields); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestPathForIgnoreDifferences(t *testing.T) {
	for _, c := range []struct {
		path             drift.Path
		pointer, jq, str string
	}{
		{drift.Path{{Field: "spec"}, {Field: "replicas"}}, "/spec/replicas", ".spec.replicas", "spec.replicas"},
		{
			drift.Path{{Field: "metadata"}, {Field: "annotations"}, {Field: "a.b/c~d"}},
			"/metadata/annotations/a.b~1c~0d", `.metadata.annotations["a.b/c~d"]`, "metadata.annotations[a.b/c~d]",
		},
		{
			drift.Path{{Field: "spec"}, {Field: "ports"}, {Member: true, Keys: map[string]any{"protocol": "TCP", "port": float64(80)}}, {Field: "nodePort"}},
			"", `.spec.ports[] | select(.port == 80 and .protocol == "TCP") | .nodePort`, "spec.ports[port=80, protocol=TCP].nodePort",
		},
		{
			drift.Path{{Field: "c"}, {Member: true, Keys: map[string]any{"name": "it's \"x\""}}},
			"", `.c[] | select(.name == "it's \"x\"")`, `c[name=it's "x"]`,
		},
		{
			drift.Path{{Field: "spec"}, {Field: "claims"}, {Member: true, Keys: map[string]any{"metadata.name": "data"}}, {Field: "kind"}},
			"", `.spec.claims[] | select(.metadata.name == "data") | .kind`, "spec.claims[metadata.name=data].kind",
		},
		{drift.Path{{Field: "a"}, {Member: true, Index: 2}, {Field: "b-c"}}, "", `.a[2]["b-c"]`, "a[2].b-c"},
	} {
		pointer, ok := c.path.Pointer()
		if pointer != c.pointer || ok != (c.pointer != "") {
			t.Errorf("%s: pointer %q, want %q", c.str, pointer, c.pointer)
		}
		if c.path.JQ() != c.jq || c.path.String() != c.str {
			t.Errorf("got %s and %s, want %s and %s", c.path.JQ(), c.path, c.jq, c.str)
		}
	}
}

func TestTailOfPath(t *testing.T) {
	webhook := drift.Path{{Field: "webhooks"}, {Member: true, Keys: map[string]any{"name": "x.example.com"}}, {Field: "clientConfig"}, {Field: "caBundle"}}
	annotation := drift.Path{{Field: "metadata"}, {Field: "annotations"}, {Field: "example.com/a"}}
	container := drift.Path{{Field: "containers"}, {Member: true, Keys: map[string]any{"name": "proxy"}}}
	for _, c := range []struct {
		path  drift.Path
		limit int
		want  string
	}{
		{webhook, 24, "clientConfig.caBundle"},
		{webhook, 10, "caBundle"},
		{webhook, 5, "caBundle"},
		{annotation, 40, "metadata.annotations[example.com/a]"},
		{annotation, 20, "example.com/a"},
		{container, 24, "containers[name=proxy]"},
		{container, 10, "containers[name=proxy]"},
	} {
		if got := c.path.Tail(c.limit); got != c.want {
			t.Errorf("%s in %d: %q, want %q", c.path, c.limit, got, c.want)
		}
	}
}

func TestMadeUp(t *testing.T) {
	for _, c := range []struct {
		a, b any
		want bool
	}{
		{"tEIduwVmzU0x", "OFYsEG4FWxa9", true},
		{"-----BEGIN CERTIFICATE-----\nMIIB", "-----BEGIN CERTIFICATE-----\nMIIC", true},
		{"2026-11-21T15:10:14Z", "2026-11-21T15:10:23Z", true},
		{float64(1795273814), float64(1795273823), true},
		{"1795273814", "1795273823", true},
		{"7a365e366d289804e04fad60619c470cf39663fc", "bb498fd6518dfb10e6be99a13066d11e1304965f", false}, // a commit
		{"web:1.2", "web:1.3", false},
		{"warn-level", "info-level", false},
		{"ProductionA", "ProductionB", false},
		{"debug", "error", false},
		{float64(2), float64(5), false},
		{"x", nil, false},
	} {
		if got := drift.MadeUp(c.a, c.b); got != c.want {
			t.Errorf("%v and %v: %v", c.a, c.b, got)
		}
	}
}

func TestSame(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{`"1000m"`, `"1"`, true},
		{`"1G"`, `"1000M"`, true},
		{`1`, `"1"`, true},
		{`true`, `"true"`, true},
		{`420`, `"0644"`, true},
		{`"60m"`, `"1h0m0s"`, true}, // a duration; as quantities they differ
		{`"a b\n"`, `"a b"`, true},
		{`"a\nb"`, `"a b"`, false},
		{`"1.10"`, `"1.1"`, false}, // versions, for all we know
		{`"010"`, `"8"`, false},
		{`"{\"a\":1}"`, `"{ \"a\": 1 }"`, true},
		{`["a","b"]`, `["b","a"]`, true},
		{`{"cpu":"1000m","x":{}}`, `{"cpu":1}`, true},
		{`"2026-01-01T00:00:00Z"`, `"2026-01-01T01:00:00+01:00"`, true},
		{`3`, `1`, false},
		{`"1Gi"`, `"1G"`, false},
		{`["a"]`, `["b"]`, false},
		{`{"a":1}`, `{"a":2}`, false},
		{`null`, `"x"`, false},
		{`"web:1.0"`, `"web:1.1"`, false},
	} {
		var a, b any
		if json.Unmarshal([]byte(c.a), &a) != nil || json.Unmarshal([]byte(c.b), &b) != nil {
			t.Fatal("bad case")
		}
		for _, swap := range []bool{false, true} {
			if swap {
				a, b = b, a
			}
			if how, same := drift.Same(a, b); same != c.same {
				t.Errorf("%s and %s: same %v (%s), want %v", c.a, c.b, same, how, c.same)
			}
		}
	}
}

// TestLeftOut: a sync is predicted to change nothing, and Argo CD calls the resource out of sync. The members of a custom resource's
// lists may be what it compares as written; those of a built-in kind have defaults that everybody knows.
func TestLeftOut(t *testing.T) {
	const live, target = `{"backends":[{"name":"api","weight":1}],"mode":"strict"}`, `{"backends":[{"name":"api"}]}`
	for group, want := range map[string]string{"gateway.example.com": "spec.backends[name=api].weight", "apps": ""} {
		text := func(spec string) evidence.State {
			return evidence.State(fmt.Sprintf(`{"apiVersion":"%s/v1","kind":"Route","metadata":{"name":"api"},"spec":%s}`, group, spec))
		}
		r, err := drift.Compare(evidence.ResourceDiff{
			Group: group, Kind: "Route", Name: "api", TargetState: text(target), LiveState: text(live), NormalizedLiveState: text(live), PredictedLiveState: text(live),
		})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, f := range r.Fields {
			got += f.Path.String()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", group, got, want)
		}
	}
}
