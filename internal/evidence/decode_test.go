package evidence_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
)

var now = time.Date(2026, 11, 20, 3, 0, 0, 0, time.UTC)

const application = `{"apiVersion":"argoproj.io/v1alpha1","kind":"Application","metadata":{"name":"%"},"spec":{"destination":{}},"status":{}}`

func named(name string) string { return strings.Replace(application, "%", name, 1) }

func TestDecodeAcceptsWhatPeopleHave(t *testing.T) {
	for name, tc := range map[string]struct {
		text string
		apps string
	}{
		"a case file":                              {`{"case":"argo-why.dev/v1","now":"2026-11-20T18:32:00Z","application":` + named("a") + `}`, "a"},
		"kubectl get application x -o json":        {named("a"), "a"},
		"kubectl get application x -o yaml":        {"apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata:\n  name: a\nspec: {}\nstatus: {}\n", "a"},
		"argocd app get x -o json, without a kind": {`{"metadata":{"name":"a"},"spec":{},"status":{}}`, "a"},
		"kubectl get applications -o json":         {`{"apiVersion":"v1","kind":"List","items":[` + named("a") + `,` + named("b") + `]}`, "a b"},
		"several YAML documents":                   {"---\n# one\n---\napiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\nspec: {}\nstatus: {}\n---\napiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: b}\nspec: {}\nstatus: {}\n", "a b"},
		"several JSON documents":                   {named("a") + "\n" + named("b"), "a b"},
		"a byte order mark in front":               {"\xef\xbb\xbf" + named("a"), "a"},
	} {
		t.Run(name, func(t *testing.T) {
			cases, err := evidence.DecodeCases([]byte(tc.text), now)
			if err != nil {
				t.Fatal(err)
			}
			var apps []string
			for _, c := range cases {
				apps = append(apps, c.Application.Metadata.Name)
				if c.Now.IsZero() {
					t.Error("a case without a clock")
				}
			}
			if got := strings.Join(apps, " "); got != tc.apps {
				t.Errorf("got %q, want %q", got, tc.apps)
			}
		})
	}
}

func TestDecodeSaysInOneLineWhatIsWrong(t *testing.T) {
	for name, tc := range map[string]struct{ text, want string }{
		"empty":                 {"", "is empty"},
		"white space":           {" \n\t", "is empty"},
		"cut off":               {named("a")[:40], "is cut off"},
		"no JSON":               {`{"a":}`, "is not valid JSON: line 1: "},
		"no JSON, further down": {named("a") + "\n{\n\"a\" 1}", "is not valid JSON: line 3: "},
		"no YAML, further down": {"a: b\n---\na: b\n\tc: d\n", "is not valid YAML: line 4: "},
		"only a name":           {`{"apiVersion":"argoproj.io/v1alpha1","kind":"Application","metadata":{"name":"a"}}`, "is only part of an Application: no spec, status"},
		"no status":             {`{"apiVersion":"argoproj.io/v1alpha1","kind":"Application","metadata":{"name":"a"},"spec":{},"status":null}`, "is only part of an Application: no status"},
		"no spec in a cluster":  {`{"apiVersion":"argoproj.io/v1alpha1","kind":"Application","metadata":{"name":"a","uid":"1"}}`, "is only part of an Application: no spec"},
		"no spec":               {`{"apiVersion":"argoproj.io/v1alpha1","kind":"Application","metadata":{"name":"a"},"status":{}}`, "is only part of an Application: no spec"},
		"the status alone":      {"health:\n  status: Degraded\nsync:\n  status: OutOfSync\n", `is not a case file or an Argo CD Application: it has neither "case" nor "kind"`},
		"an entry of a list":    {"- kind: Application\n  metadata: {name: a}\n", "item 1 (Application a) is an Application without apiVersion"},
		"no YAML":               {"a: b: c: [", "is not valid YAML: line 1: "},
		"another kind":          {`{"apiVersion":"apps/v1","kind":"Deployment"}`, "is a Deployment, not an Argo CD Application"},
		"another Application":   {`{"apiVersion":"app.k8s.io/v1beta1","kind":"Application"}`, `is an Application of apiVersion "app.k8s.io/v1beta1", not`},
		"another format":        {`{"case":"argo-why.dev/v9"}`, "this version of the bot reads"},
		"something else":        {`{"a":1}`, `neither "case" nor "kind"`},
		"a list, not an object": {`[1,2]`, "is not a case file or an Argo CD Application"},
		"text":                  {"hello", "is not a case file or an Argo CD Application"},
		"an empty List":         {`{"apiVersion":"v1","kind":"List","items":[]}`, "contains no application"},
		"a List of others":      {`{"kind":"List","items":[{"kind":"Pod"}]}`, "contains no application to diagnose, but a Pod"},
		"a damaged case":        {`{"case":"argo-why.dev/v1","application":{"status":{"conditions":"none"}}}`, "is a damaged case file: application.status.conditions is text, and should be a list"},
		"a damaged Application": {`{"apiVersion":"argoproj.io/v1alpha1","kind":"Application","status":7}`, "is a damaged Application: status is a number, and should be an object"},
		"a set":                 {`{"kind":"ApplicationSet"}`, "is an ApplicationSet, not"},
		"an array":              {`{"case":"argo-why.dev/v1","application":{"spec":[]}}`, "application.spec is a list, and should be an object"},
		"deep JSON":             {strings.Repeat("[", 100_000), "is "},
		"deep YAML":             {strings.Repeat("- ", 100_000) + "a", "is "},
		"an alias bomb":         {"a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\ng: [*f,*f,*f,*f,*f,*f,*f,*f,*f]\n", "is "},
		"too large":             {string(bytes.Repeat([]byte{' '}, evidence.MaxCaseBytes+1)), "is larger than 128 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := evidence.DecodeCases([]byte(tc.text), now)
			if err == nil {
				t.Fatal("no error")
			}
			if got := err.Error(); !strings.Contains(got, tc.want) || strings.Contains(got, "\n") || len(got) > 300 {
				t.Errorf("got %q, want one line with %q", got, tc.want)
			}
		})
	}
}

func TestACaseTellsAbsentFromNone(t *testing.T) {
	ctx := t.Context()
	pod := evidence.ObjectQuery{Ref: evidence.Ref{Kind: "Pod", Namespace: "shop", Name: "web-0"}}
	decode := func(rest string) evidence.Source {
		t.Helper()
		cases, err := evidence.DecodeCases([]byte(`{"case":"argo-why.dev/v1","application":`+named("a")+rest+`}`), now)
		if err != nil {
			t.Fatal(err)
		}
		return cases[0].Source()
	}
	if _, err := decode("").Events(ctx, pod); !errors.Is(err, evidence.ErrAbsent) {
		t.Errorf("no key events: got %v", err)
	}
	if events, err := decode(`,"events":[]`).Events(ctx, pod); err != nil || len(events) != 0 {
		t.Errorf("an empty list of events: got %v, %v", events, err)
	}
	if _, err := decode("").Object(ctx, pod); !errors.Is(err, evidence.ErrAbsent) {
		t.Errorf("an object nobody recorded: got %v", err)
	}
	gone := `,"managedResources":{"items":[{"kind":"Pod","namespace":"shop","name":"web-0","liveState":"null"}]}`
	if o, err := decode(gone).Object(ctx, pod); err != nil || o != nil {
		t.Errorf("an object that is known not to exist: got %v, %v", o, err)
	}
	if _, err := decode("").Tree(ctx); !errors.Is(err, evidence.ErrAbsent) {
		t.Errorf("no tree: got %v", err)
	}
}

func TestARecordingDecodesToWhatWasRecorded(t *testing.T) {
	r := &evidence.Recording{}
	r.Section("application", []byte(named("a")))
	ref := evidence.Ref{Kind: "Pod", Name: "web-0"}
	r.Object(ref, []byte(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-0"}}`))
	r.Events(ref, nil)
	r.Log(evidence.LogQuery{Pod: "web-0"}, evidence.Log{Pod: "web-0", Text: "boom"})
	text, err := r.Encode(now, "a test")
	if err != nil {
		t.Fatal(err)
	}
	cases, err := evidence.DecodeCases(text, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	s, ctx := cases[0].Source(), t.Context()
	if o, err := s.Object(ctx, evidence.ObjectQuery{Ref: ref}); err != nil || o.Text("metadata", "name") != "web-0" {
		t.Errorf("object %v, %v", o, err)
	}
	if events, err := s.Events(ctx, evidence.ObjectQuery{Ref: ref}); err != nil || len(events) != 0 {
		t.Errorf("events %v, %v", events, err)
	}
	if l, err := s.Log(ctx, evidence.LogQuery{Pod: "web-0"}); err != nil || l.Text != "boom" {
		t.Errorf("log %v, %v", l, err)
	}
	if !cases[0].Now.Equal(now) {
		t.Errorf("now is %s", cases[0].Now)
	}
}

func TestDescendantsEndsInACycle(t *testing.T) {
	tree := &evidence.Tree{Nodes: []evidence.Node{
		{Kind: "A", Name: "a", ParentRefs: []evidence.Parent{{Kind: "B", Name: "b"}}},
		{Kind: "B", Name: "b", ParentRefs: []evidence.Parent{{Kind: "A", Name: "a"}}},
	}}
	if n := len(tree.Descendants(evidence.Ref{Kind: "A", Name: "a"})); n > 2 {
		t.Errorf("%d descendants of two nodes", n)
	}
}

// FuzzDecode: no input makes the decoder panic, and what it accepts can be read.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{"", "{", "[]", named("a"), `{"case":"argo-why.dev/v1","resourceTree":{"nodes":[{"parentRefs":[{}]}]}}`, "kind: List\nitems:\n- kind: Application\n  apiVersion: argoproj.io/v1\n", "---\n---\n", "&a [*a]",
		"$ x\n```yaml\n" + namedYAML("a") + "```\n" + `{"type":"DELETED","object":` + named("a") + `}`, `data: {"result":{"application":[]}}`, utf16LE(named("a")), "[1] {}\n{\"a\nkind: x: y\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		cases, err := evidence.DecodeCases(text, now)
		if err != nil {
			return
		}
		for _, c := range cases {
			s, ctx := c.Source(), t.Context()
			_, _ = s.Subject(ctx)
			if tree, err := s.Tree(ctx); err == nil {
				for _, n := range tree.Nodes {
					tree.Descendants(n.Ref())
				}
			}
			_, _ = s.Events(ctx, evidence.ObjectQuery{})
			_, _ = s.Log(ctx, evidence.LogQuery{})
			for _, o := range c.Resources {
				o.Ref()
				o.Condition("Ready")
				o.OwnedBy("Job", "a")
				o.Time("metadata", "creationTimestamp")
			}
		}
	})
}
