package incident

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/evidence"
)

// TestOneCauseInWhateverOrder: Argo CD lists much in the order of a map.
func TestOneCauseInWhateverOrder(t *testing.T) {
	t.Parallel()
	engine, err := diagnose.New(rules.All())
	if err != nil {
		t.Fatal(err)
	}
	cause := func(raw []byte) Cause {
		t.Helper()
		cases, err := evidence.DecodeCases(raw, time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := engine.Diagnose(t.Context(), cases[0].Source(), cases[0].Now.Time)
		if err != nil {
			t.Fatal(err)
		}
		return CauseOf(r)
	}
	const dir = "../diagnose/rules/testdata/cases"
	reordered := 0
	err = fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".json" {
			return err
		}
		raw, err := os.ReadFile(filepath.Join(dir, path))
		if err != nil {
			return err
		}
		was := cause(raw)
		random := rand.New(rand.NewPCG(1, uint64(len(raw))))
		for how, order := range map[string]func([]any){
			"reversed": slices.Reverse[[]any],
			"shuffled": func(l []any) { random.Shuffle(len(l), func(i, j int) { l[i], l[j] = l[j], l[i] }) },
		} {
			other := inOrder(t, raw, order)
			if bytes.Equal(raw, other) {
				continue
			}
			reordered++
			if now := cause(other); now.Key != was.Key && (!sameKey(was.Key, now.Key) || !sameKey(now.Key, was.Key)) || now.Group != was.Group {
				t.Errorf("%s, lists %s: another cause\n%q %s\n%q %s", path, how, was.Key, was.Group, now.Key, now.Group)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if reordered < 1000 {
		t.Errorf("only %d cases were reordered", reordered)
	}
}

// inOrder is a case with everything in another order that Argo CD lists.
func inOrder(t *testing.T, raw []byte, order func([]any)) []byte {
	t.Helper()
	var c map[string]any
	if err := json.Unmarshal(raw, &c); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{
		"application.status.conditions", "application.status.resources", "application.status.operationState.syncResult.resources",
		"resourceTree.nodes", "managedResources.items", "resources", "events",
	} {
		var at any = c
		for name := range strings.SplitSeq(path, ".") {
			in, _ := at.(map[string]any)
			at = in[name]
		}
		if list, ok := at.([]any); ok {
			order(list)
		}
	}
	out, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestWhatIsOneCause: an object, or one of several, and its error.
func TestWhatIsOneCause(t *testing.T) {
	t.Parallel()
	fails := func(said string, refs ...string) diagnose.Finding {
		f := diagnose.Finding{Rule: "health/crash-loop", Role: diagnose.RoleCause, Says: diagnose.Said{Text: said}}
		for n, s := range refs {
			kind, name, _ := strings.Cut(s, "/")
			ref := evidence.Ref{Kind: kind, Namespace: "shop", Name: name}
			if n == 0 {
				f.Resource = ref
			} else {
				f.Others = append(f.Others, ref)
			}
		}
		return f
	}
	shared := func(said string, refs ...string) diagnose.Finding {
		f := fails(said, refs...)
		f.Shared = "git host git.example.com"
		return f
	}
	quoted := func(title, condition string) diagnose.Finding {
		f := fails("")
		f.Title, f.Evidence = title, []diagnose.Quote{{From: "condition ComparisonError", Text: condition}}
		return f
	}
	many := func(from, to int) (refs []string) {
		for n := from; n < to; n++ {
			refs = append(refs, "ConfigMap/c"+string(rune('a'+n/26))+string(rune('a'+n%26)))
		}
		return refs
	}
	of := func(all ...diagnose.Finding) string { return causeKey(&all[0], all) }
	for name, c := range map[string]struct {
		was, is []diagnose.Finding
		same    bool
	}{
		"another is listed first": {
			[]diagnose.Finding{fails("", "Service/a", "Deployment/b")}, []diagnose.Finding{fails("", "Deployment/b", "Service/a")}, true,
		},
		"one more fails": {
			[]diagnose.Finding{fails("", "Service/b")}, []diagnose.Finding{fails("", "Service/a", "Service/b")}, true,
		},
		"one fewer fails": {
			[]diagnose.Finding{fails("", "Service/a", "Service/b")}, []diagnose.Finding{fails("", "Service/b")}, true,
		},
		"many fail, and one more": {
			[]diagnose.Finding{fails("", many(1, 200)...)}, []diagnose.Finding{fails("", many(0, 200)...)}, true,
		},
		"others fail": {
			[]diagnose.Finding{fails("", "Service/a")}, []diagnose.Finding{fails("", "Service/b", "Service/c")}, false,
		},
		"two errors, the other one leads": {
			[]diagnose.Finding{fails("wrong password", "StatefulSet/a"), fails("licence expired", "StatefulSet/b")},
			[]diagnose.Finding{fails("licence expired", "StatefulSet/b"), fails("wrong password", "StatefulSet/a")}, true,
		},
		"a further error leads": {
			[]diagnose.Finding{fails("wrong password", "StatefulSet/a")},
			[]diagnose.Finding{fails("licence expired", "StatefulSet/b"), fails("wrong password", "StatefulSet/a")}, false,
		},
		"another error of the same object": {
			[]diagnose.Finding{fails(`FATAL: password authentication failed for user "billing"`, "StatefulSet/shard1")},
			[]diagnose.Finding{fails("panic: licence expired on 2026-11-01", "StatefulSet/shard1")}, false,
		},
		"the same error with other names and times": {
			[]diagnose.Finding{fails("2026-11-01 10:00:01 dial tcp 10.0.0.7:5432: connect: connection refused", "StatefulSet/db")},
			[]diagnose.Finding{fails("2026-11-02 11:30:09 dial tcp 10.0.9.1:5432: connect: connection refused (attempt 7)", "StatefulSet/db")}, true,
		},
		"its log is not there": {
			[]diagnose.Finding{fails("panic: licence expired", "StatefulSet/db")}, []diagnose.Finding{fails("", "StatefulSet/db")}, true,
		},
		"the same error, quoted with more around it": {
			[]diagnose.Finding{fails("connection refused", "StatefulSet/db")},
			[]diagnose.Finding{fails("dial tcp 10.0.9.1:5432: connect: connection refused", "StatefulSet/db")}, true,
		},
		"another of several that fail is quoted": {
			[]diagnose.Finding{fails(`services "web" is forbidden: User "ci" cannot patch resource "services"`, "Service/web", "Deployment/web")},
			[]diagnose.Finding{fails(`deployments.apps "web" is forbidden: User "ci" cannot patch resource "deployments"`, "Deployment/web", "Service/web")}, true,
		},
		"another error of several, of the same one": {
			[]diagnose.Finding{fails("No module named requests", "Deployment/web", "Deployment/api")},
			[]diagnose.Finding{fails("No module named numpy", "Deployment/web", "Deployment/api")}, false,
		},
		"another error of several": {
			[]diagnose.Finding{fails(`services "web" is forbidden: User "ci" cannot patch resource "services"`, "Service/web", "Deployment/web")},
			[]diagnose.Finding{fails("exceeded quota: compute", "Deployment/web", "Service/web")}, false,
		},
		"the application as a whole, whose evidence says of what": {
			[]diagnose.Finding{quoted("Values file a.yaml not found", "open /tmp/81aa/envs/a.yaml: no such file or directory")},
			[]diagnose.Finding{quoted("Values file b.yaml not found", "open /tmp/5c5e/envs/b.yaml: no such file or directory")}, false,
		},
		"the application as a whole, once a fix is pushed": {
			[]diagnose.Finding{quoted("Values file a.yaml not found", "open /tmp/81aa/envs/a.yaml: no such file or directory")},
			[]diagnose.Finding{quoted("Renders now at 8888888, not synced yet", "(cached) open /tmp/5c5e/envs/a.yaml: no such file or directory")}, true,
		},
		"two objects with numbers in their names": {
			[]diagnose.Finding{fails("boom", "Deployment/shard1")}, []diagnose.Finding{fails("boom", "Deployment/shard2")}, false,
		},
		"two objects with endings like those of pods": {
			[]diagnose.Finding{fails("boom", "Deployment/api-http2")}, []diagnose.Finding{fails("boom", "Deployment/api-grpcs")}, false,
		},
		"two pods": {
			[]diagnose.Finding{fails("boom", "Pod/web-5d8f7c9b6d-x2lqz")}, []diagnose.Finding{fails("boom", "Pod/web-5d8f7c9b6d-kk9vw")}, true,
		},
		"the Job of the next run": {
			[]diagnose.Finding{fails("boom", "Job/backup-29387520")}, []diagnose.Finding{fails("boom", "Job/backup-29387580")}, true,
		},
		"a name with the hash of its content": {
			[]diagnose.Finding{fails("", "ConfigMap/web-conf-6hm4c2ktkm")}, []diagnose.Finding{fails("", "ConfigMap/web-conf-g7b9t2fd8k")}, true,
		},
		"a name with the hash of its content, which happens to have no digit": {
			[]diagnose.Finding{fails("", "ConfigMap/web-conf-6hm4c2ktkm")}, []diagnose.Finding{fails("", "ConfigMap/web-conf-hmckkthgtk")}, true,
		},
		"a shared cause in other words, of another object": {
			[]diagnose.Finding{shared("connection refused", "Deployment/a")}, []diagnose.Finding{shared("i/o timeout", "Deployment/b")}, true,
		},
		"the application as a whole, and one of its objects": {
			[]diagnose.Finding{fails("")}, []diagnose.Finding{fails("", "Deployment/a")}, false,
		},
	} {
		if got := sameKey(of(c.was...), of(c.is...)); got != c.same {
			t.Errorf("%s: one cause = %v\n%q\n%q", name, got, of(c.was...), of(c.is...))
		}
	}
}

// TestKeysOfOlderReleases: what they stored of a cause is its rule and a resource, and no upgrade is news.
func TestKeysOfOlderReleases(t *testing.T) {
	t.Parallel()
	now := "health/crash-loop\nshop/StatefulSet/shard1\t\texpired licence"
	for known, same := range map[string]bool{
		"health/crash-loop shop/StatefulSet/shard#":                  true,
		"health/oom shop/StatefulSet/shard#":                         false,
		"health/crash-loop\nshop/StatefulSet/shard1\tpassword wrong": true,
	} {
		if sameKey(known, now) != same {
			t.Errorf("%q is the same as %q: %v", known, now, !same)
		}
	}
}

// TestAKeyIsShortWhateverFails: the status of an application may name hundreds of resources in any length, and the journal keeps up to a dozen keys of an
// incident. A part of one that an older release stored in full is known again.
func TestAKeyIsShortWhateverFails(t *testing.T) {
	t.Parallel()
	const most = 40_000
	name := func(i, n int) string { return strings.Repeat(string(rune('a'+i%26)), n) + strings.Repeat("y", i/26) }
	var all []diagnose.Finding
	for i := range 2 * keyErrors {
		f := diagnose.Finding{Rule: "health/x", Says: diagnose.Said{Text: name(i, 5000) + " " + name(i+1, 5000)}}
		f.Resource = evidence.Ref{Kind: "Deployment", Namespace: "shop", Name: name(i, 20_000)}
		for n := range 2 * keyRefs {
			f.Others = append(f.Others, evidence.Ref{Kind: "Deployment", Namespace: "shop", Name: name(i, 200) + name(n, 200)})
		}
		all = append(all, f)
	}
	key := causeKey(&all[0], all)
	if len(key) > most {
		t.Errorf("a key has %d bytes, more than %d", len(key), most)
	}
	all = all[:keyErrors]
	key = causeKey(&all[0], all)
	if other := causeKey(&all[1], all); !sameKey(key, other) {
		t.Error("a part of the cause is not known")
	}
	long := "shop/Deployment/" + strings.Repeat("long-", 20) + "name"
	if !sameKey("health/x\n"+long+"\tconnect refused", "health/x\n"+short(long, keyRef)+"\t\tconnect refused") {
		t.Error("what an older release stored is not known again")
	}
}
