package evidence_test

import (
	"encoding/binary"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/growth"
)

const asYAML = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata:\n  name: %\nspec: {}\nstatus: {}\n"

func namedYAML(name string) string { return strings.Replace(asYAML, "%", name, 1) }

// utf16LE is what PowerShell's > writes.
func utf16LE(text string) string {
	out := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(text)) {
		out = binary.LittleEndian.AppendUint16(out, unit)
	}
	return string(out)
}

func utf16BE(text string) string {
	var out []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		out = binary.BigEndian.AppendUint16(out, unit)
	}
	return string(out)
}

// summary is the applications, problems and other objects in a text, in a line each.
func summary(c evidence.Contents) string {
	var lines []string
	for _, c := range c.Cases {
		lines = append(lines, c.Application.Metadata.Name)
	}
	for _, p := range c.Problems {
		lines = append(lines, "! "+p.Error())
	}
	for _, p := range c.Passed {
		lines = append(lines, "- "+strings.TrimSuffix(p.Name+": "+p.Fails, ": "))
	}
	return strings.Join(lines, "\n")
}

func TestWhateverPeopleSaveIsRead(t *testing.T) {
	event := func(kind, app string) string { return `{"type":"` + kind + `","object":` + app + `}` }
	withUID := func(name, uid, date string) string {
		return `{"apiVersion":"argoproj.io/v1alpha1","kind":"Application","metadata":{"name":"` + name + `","uid":"` + uid + `"},"spec":{},"status":{"reconciledAt":"` + date + `"}}`
	}
	const project = `{"apiVersion":"argoproj.io/v1alpha1","kind":"AppProject","metadata":{"name":"team-a"},"spec":{}}`
	for name, tc := range map[string]struct{ text, want string }{
		"argocd app list -o json":            {"[" + named("a") + "," + named("b") + "]", "a\nb"},
		"argocd app list -o yaml":            {"- metadata:\n    name: a\n  spec: {}\n  status: {}\n- metadata:\n    name: b\n  spec: {}\n  status: {}\n", "a\nb"},
		"GET /api/v1/applications":           {`{"metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"a"},"spec":{},"status":{}}]}`, "a"},
		"… of an account that sees none":     {`{"metadata":{"resourceVersion":"7"},"items":null}`, "! contains no application: expected a case file or an Argo CD Application"},
		"GET /apis/argoproj.io/…":            {`{"apiVersion":"argoproj.io/v1alpha1","kind":"ApplicationList","items":[{"metadata":{"name":"a"},"spec":{},"status":{}}]}`, "a"},
		"GET /api/v1/stream/applications":    {`{"result":{"type":"ADDED","application":{"metadata":{"name":"a"},"spec":{},"status":{}}}}` + "\n", "a"},
		"… as the browser sees it":           {`data: {"result":{"type":"ADDED","application":{"metadata":{"name":"a"},"spec":{},"status":{}}}}` + "\n\n", "a"},
		"kubectl get --output-watch-events":  {event("ADDED", named("a")) + "\n" + event("BOOKMARK", named("")) + "\n" + event("MODIFIED", named("b")), "a\nb"},
		"… as YAML":                          {"object:\n  apiVersion: argoproj.io/v1alpha1\n  kind: Application\n  metadata: {name: a}\n  spec: {}\n  status: {}\ntype: ADDED\n", "a"},
		"the last state of each":             {event("ADDED", withUID("a", "1", "2026-11-20T01:00:00Z")) + event("ADDED", withUID("b", "2", "2026-11-20T01:00:00Z")) + event("MODIFIED", withUID("a", "1", "2026-11-20T02:00:00Z")), "a\nb"},
		"one that was deleted":               {event("ADDED", withUID("a", "1", "2026-11-20T01:00:00Z")) + event("DELETED", withUID("a", "1", "2026-11-20T02:00:00Z")), "! contains no application to diagnose, but Application a (deleted)"},
		"… among others":                     {event("DELETED", withUID("a", "1", "2026-11-20T02:00:00Z")) + event("ADDED", named("b")), "b\n- Application a (deleted)"},
		"a watch that ended with an error":   {event("ADDED", named("a")) + event("ERROR", `{"kind":"Status","status":"Failure","message":"too old resource version"}`), "a\n! document 2 is a refusal, not an application: too old resource version; correct that, and save it again"},
		"a refusal of Argo CD":               {`{"error":"permission denied","code":7,"message":"permission denied"}`, "! is a refusal, not an application: permission denied; correct that, and save it again"},
		"a refusal of Kubernetes":            {`{"kind":"Status","apiVersion":"v1","status":"Failure","message":"applications.argoproj.io \"x\" not found"}`, `! is a refusal, not an application: applications.argoproj.io "x" not found; correct that, and save it again`},
		"a log in front":                     {"time=\"2026-11-20T03:00:00Z\" level=warning msg=\"no grpc-web\"\n" + named("a"), "a"},
		"a log in JSON in front":             {`{"level":"warn","msg":"no grpc-web"}` + "\n" + named("a"), "a"},
		"a log in brackets in front":         {"[INFO] reading\n[1] 4711\n" + named("a"), "a"},
		"a warning in front of YAML":         {"Warning: v1 is deprecated: use v2\n" + namedYAML("a"), "a"},
		"a prompt in front and behind":       {"$ argocd app get a -o json\n" + named("a") + "\n$ \n", "a"},
		"two prompts with YAML":              {"dev@laptop:~ % kubectl get app a -o yaml\n" + namedYAML("a") + "dev@laptop:~ % kubectl get app b -o yaml\n" + namedYAML("b") + "dev@laptop:~ %\n", "a\nb"},
		"a prompt of PowerShell":             {"PS C:\\Users\\dev> kubectl get app a -o yaml\r\n" + strings.ReplaceAll(namedYAML("a"), "\n", "\r\n"), "a"},
		"two files, one behind the other":    {namedYAML("a") + namedYAML("b"), "a\nb"},
		"YAML, then JSON":                    {namedYAML("a") + named("b"), "a\nb"},
		"JSON, then YAML":                    {named("a") + "\n---\n" + namedYAML("b"), "a\nb"},
		"a comment for GitHub":               {"It fails since noon:\n\n```yaml\n" + namedYAML("a") + "```\n\nand the other one\n\n~~~json\n" + named("b") + "\n~~~\n", "a\nb"},
		"an indented comment":                {"It fails:\n\n    " + strings.ReplaceAll(strings.TrimSpace(namedYAML("a")), "\n", "\n    ") + "\n", "a"},
		"UTF-16 from PowerShell":             {utf16LE(namedYAML("a")), "a"},
		"UTF-16 without its mark":            {utf16BE(named("ä")), "ä"},
		"UTF-16, several documents":          {utf16LE(namedYAML("a") + "---\r\n" + namedYAML("b")), "a\nb"},
		"kubectl get app,appproj -o json":    {`{"apiVersion":"v1","kind":"List","items":[` + project + `,` + named("a") + `,{"apiVersion":"v1","kind":"Pod"}]}`, "a\n- AppProject team-a\n- a Pod"},
		"argocd proj list -o json":           {`[{"metadata":{"name":"team-a"},"spec":{"sourceRepos":["*"],"destinations":[]},"status":{}}]`, "! contains no application to diagnose, but AppProject team-a"},
		"an ApplicationSet without its kind": {`[{"metadata":{"name":"fleet"},"spec":{"generators":[]},"status":{"conditions":[{"type":"ErrorOccurred","status":"True","message":"no such branch"}]}},` + named("a") + `]`, "a\n- ApplicationSet fleet: no such branch"},
		"one that nobody has looked at":      {`{"apiVersion":"argoproj.io/v1alpha1","kind":"Application","metadata":{"name":"a","creationTimestamp":"2026-11-20T01:00:00Z"},"spec":{}}`, "a"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := summary(evidence.Read([]byte(tc.text), now)); got != tc.want {
				t.Errorf("got\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
}

// TestOneBadItemSpoilsNothingElse, wherever it is.
func TestOneBadItemSpoilsNothingElse(t *testing.T) {
	items := func(items ...string) string { return `{"kind":"List","items":[` + strings.Join(items, ",") + `]}` }
	const bad = `{"apiVersion":"argoproj.io/v1alpha1","kind":"Application","metadata":{"name":"x"},"spec":{"sources":"none"},"status":{}}`
	for name, tc := range map[string]struct{ text, want string }{
		"in a list":         {items(named("a"), bad, named("b")), "a\nb\n! item 2 (Application x) is a damaged Application: spec.sources is text, and should be a list"},
		"a number":          {items(named("a"), "7"), "a\n! item 2 is not a case file or an Argo CD Application: it is a number"},
		"nameless":          {items(named(""), named("a")), "a\n! item 1 contains an application without a name (metadata.name)"},
		"without a kind":    {items(named("a"), `{"a":1}`), "a\n! item 2 is not a case file or an Argo CD Application: it has neither \"case\" nor \"kind\""},
		"in a stream":       {named("a") + "\n" + bad + "\n" + named("b"), "a\nb\n! document 2 (Application x) is a damaged Application: spec.sources is text, and should be a list"},
		"in a list of many": {named("a") + items(bad), "a\n! document 2, item 1 (Application x) is a damaged Application: spec.sources is text, and should be a list"},
		"not JSON":          {named("a") + "\n{\n \"kind\" \"Application\",\n \"x\": {\n }\n}\n" + named("b"), "a\nb\n! document 2 is not valid JSON: line 3: invalid character '\"' after object key"},
		"not YAML":          {namedYAML("a") + "---\nkind: Application\n\tx: y\n---\n" + namedYAML("b"), "a\nb\n! document 2 is not valid YAML: line 9: found a tab character that violates indentation"},
		"cut off":           {named("a") + "\n" + named("b")[:50], "a\n! document 2 is cut off: the JSON ends in the middle; save it again"},
		"another format":    {named("a") + `{"case":"argo-why.dev/v9"}`, "a\n! document 2 is a case file of format \"argo-why.dev/v9\", and this version of the bot reads \"argo-why.dev/v1\"; save the case again, or use another version"},
		"too deep":          {named("a") + strings.Repeat("[", 2000), "a\n! document 2 is too large to read: nested more than 1,000 levels deep; no application is: give one alone\n! the rest was not read; correct or remove what is named first"},
		"from Git":          {items(`{"apiVersion":"argoproj.io/v1alpha1","kind":"Application","metadata":{"name":"x"},"spec":{}}`, named("a")), "a\n! item 1 (Application x) is only part of an Application: no status, as in Git; give the one in the cluster: 'kubectl get application APP -o yaml'"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := summary(evidence.Read([]byte(tc.text), now)); got != tc.want {
				t.Errorf("got\n%s\nwant\n%s", got, tc.want)
			}
		})
	}
}

// TestManyBadItemsAreCounted: a person reads a few lines of them, and the good ones among them are still diagnosed.
func TestManyBadItemsAreCounted(t *testing.T) {
	c := evidence.Read([]byte("["+strings.Repeat(`{"kind":"Application"},`, 100)+named("a")+"]"), now)
	if len(c.Cases) != 1 || len(c.Problems) != 4 {
		t.Fatalf("%d applications, %d problems", len(c.Cases), len(c.Problems))
	}
	if got, want := c.Problems[3].Error(), "97 more cannot be read either; correct what is named first"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestATextThatIsMadeToCostIsEnded: what looks for the next document after a damaged one must not read the text once for each.
func TestATextThatIsMadeToCostIsEnded(t *testing.T) {
	const times, enough = 8, 4
	repeated := func(s string) func(int) string { return func(n int) string { return strings.Repeat(s, n) } }
	for name, test := range map[string]struct {
		n    int
		text func(n int) string
	}{
		"beginnings of JSON":  {1 << 20, repeated("{\"a\n")},
		"JSON without an end": {1 << 20, repeated("{\"a\":[\n")},
		"beginnings of YAML":  {1 << 19, repeated("apiVersion: [\n")},
		"documents in a line": {1 << 20, repeated("{}")},
		"separators":          {1 << 20, repeated("---\n")},
		"a long line":         {1 << 22, repeated("x")},
		"lists in lists":      {400, func(n int) string { return strings.Repeat(`{"items":[`, n) + strings.Repeat("]}", n) }},
		"changes in changes":  {900, func(n int) string { return strings.Repeat(`{"result":`, n) + "1" + strings.Repeat("}", n) }},
	} {
		t.Run(name, func(t *testing.T) {
			small, large := []byte(test.text(test.n/times)), []byte(test.text(test.n))
			if n := len(evidence.Read(large, now).Problems); n == 0 || n > 25 {
				t.Errorf("%d problems", n)
			}
			if excess := growth.Excess(times, enough, func() { evidence.Read(small, now) }, func() { evidence.Read(large, now) }); excess >= enough {
				t.Errorf("a text takes %.1f times as long as its parts", excess)
			}
		})
	}
}

// TestOutputForPeopleIsRefusedWithWhatToGiveInstead: it has too little for a diagnosis.
func TestOutputForPeopleIsRefusedWithWhatToGiveInstead(t *testing.T) {
	for name, tc := range map[string]struct{ text, want string }{
		"argocd app get":      {"Name:               argocd/shop\nProject:            default\nSync Status:        Synced to main (1111111)\nHealth Status:      Degraded\n", "is the table of 'argocd app get', which leaves out most of what a diagnosis needs; give the output of 'argocd app get argocd/shop -o json'"},
		"argocd app list":     {"NAME         CLUSTER     NAMESPACE  PROJECT  STATUS     HEALTH   SYNCPOLICY  CONDITIONS  REPO  PATH  TARGET\nargocd/shop  in-cluster  shop       default  OutOfSync  Healthy  Auto        <none>      x     y     HEAD\n", "is a table, which leaves out most of what a diagnosis needs; give the output of 'argocd app get APP -o json' or 'kubectl get application APP -o yaml'"},
		"kubectl get app":     {"$ kubectl get app -n argocd\nNAME   SYNC STATUS   HEALTH STATUS\nshop   Unknown       Healthy\n", "is a table, which leaves out most of what a diagnosis needs; give the output of 'argocd app get APP -o json' or 'kubectl get application APP -o yaml'"},
		"kubectl describe":    {"Name:         shop\nNamespace:    argocd\nAPI Version:  argoproj.io/v1alpha1\nKind:         Application\nSpec:\n  Project:  default\nStatus:\n  Health:\n    Status:  Healthy\nEvents:  <none>\n", "is the output of 'kubectl describe', which cannot be read back; give that of 'kubectl get application shop -o yaml'"},
		"kubectl describe po": {"Name:         web-0\nAPI Version:  v1\nKind:         Pod\nEvents:  <none>\n", "is the output of 'kubectl describe', which cannot be read back; give that of 'kubectl get application APP -o yaml'"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := summary(evidence.Read([]byte(tc.text), now)); got != "! "+tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
	if got := summary(evidence.Read([]byte("NAME   SYNC STATUS   HEALTH STATUS\nshop   Unknown       Healthy\n"+named("a")), now)); got != "a" {
		t.Errorf("a table in front of what was asked for: %s", got)
	}
}

// TestAFileIsAsOldAsItsNewestDate: a date of something that was observed, and not one of something to come.
func TestAFileIsAsOldAsItsNewestDate(t *testing.T) {
	const a = `{"apiVersion":"argoproj.io/v1alpha1","kind":"Application","metadata":{"name":"a","creationTimestamp":"2026-08-01T00:00:00Z"%META},"spec":{"info":[{"name":"until","value":"2026-11-01T00:00:00Z"}]},"status":{%STATUS}}`
	app := func(meta, status string) string {
		return strings.NewReplacer("%META", meta, "%STATUS", status).Replace(a)
	}
	const at = "2026-08-14T02:11:00Z"
	for name, tc := range map[string]struct{ text, want string }{
		"its creation":          {app("", ""), "2026-08-01T00:00:00Z"},
		"its deletion":          {app(`,"deletionTimestamp":"`+at+`"`, ""), at},
		"a change of it":        {app(`,"managedFields":[{"time":"`+at+`"}]`, ""), at},
		"the last comparison":   {app("", `"reconciledAt":"`+at+`"`), at},
		"a condition":           {app("", `"conditions":[{"type":"SyncError","message":"x","lastTransitionTime":"`+at+`"}]`), at},
		"its health":            {app("", `"health":{"lastTransitionTime":"`+at+`"}`), at},
		"that of a resource":    {app("", `"resources":[{"kind":"Pod","name":"b","health":{"lastTransitionTime":"`+at+`"}}]`), at},
		"the operation":         {app("", `"operationState":{"startedAt":"2026-08-14T02:00:00Z","finishedAt":"`+at+`"}`), at},
		"a deployment":          {app("", `"history":[{"id":1,"deployedAt":"`+at+`"}]`), at},
		"the hydrator":          {app("", `"sourceHydrator":{"currentOperation":{"startedAt":"`+at+`"}}`), at},
		"an annotation":         {app(`,"annotations":{"expires":"2026-11-01T00:00:00Z"}`, ""), "2026-08-01T00:00:00Z"},
		"a clock a bit ahead":   {app("", `"reconciledAt":"2026-11-20T03:04:00Z"`), "2026-11-20T03:00:00Z"},
		"a clock far ahead":     {app("", `"reconciledAt":"2026-11-20T03:06:00Z"`), "2026-08-01T00:00:00Z"},
		"another application":   {"[" + app("", "") + "," + app("", `"reconciledAt":"`+at+`"`) + "]", at},
		"a pod beside it":       {app("", "") + `{"kind":"Pod","metadata":{"name":"p"},"status":{"containerStatuses":[{"state":{"running":{"startedAt":"` + at + `"}}}]}}`, at},
		"an event beside it":    {app("", "") + `{"kind":"Event","metadata":{"name":"e"},"lastTimestamp":"` + at + `"}`, at},
		"a certificate's end":   {app("", "") + `{"kind":"Certificate","metadata":{"name":"c"},"status":{"notAfter":"2026-11-01T00:00:00Z","renewalTime":"2026-10-01T00:00:00Z"}}`, "2026-08-01T00:00:00Z"},
		"a case file":           {`{"case":"argo-why.dev/v1","now":"2026-09-01T00:00:00Z","application":` + app("", "") + `}`, "2026-09-01T00:00:00Z"},
		"one without its clock": {`{"case":"argo-why.dev/v1","application":` + app("", "") + `,"events":[{"lastTimestamp":"` + at + `"}]}`, at},
		"… with a tree":         {`{"case":"argo-why.dev/v1","application":` + app("", "") + `,"resourceTree":{"nodes":[{"kind":"Pod","name":"p","createdAt":"` + at + `"}]}}`, at},
		"no date at all":        {named("a"), "2026-11-20T03:00:00Z"},
	} {
		t.Run(name, func(t *testing.T) {
			c := evidence.Read([]byte(tc.text), now)
			if len(c.Cases) == 0 {
				t.Fatal(summary(c))
			}
			got := c.Cases[0]
			if at := got.Now.Format(time.RFC3339); at != tc.want {
				t.Errorf("got %s, want %s", at, tc.want)
			}
			if says, want := !got.AsOf.IsZero(), name != "a case file" && name != "no date at all"; says != want || says && got.AsOf != got.Now {
				t.Errorf("as of %s", got.AsOf)
			}
		})
	}
}
