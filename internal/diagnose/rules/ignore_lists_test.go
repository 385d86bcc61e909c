package rules_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// TestPrintedIgnoreListsLoseNothing: a list that is merged replaces the one that the application has. So each one that is printed covers
// all that the application ignored, repeats nothing, and corrects a group with a version. Tried with many lists over the same resources.
func TestPrintedIgnoreListsLoseNothing(t *testing.T) {
	e := engine(t)
	r := rand.New(rand.NewPCG(7, 34))
	printed := 0
	for n := range 600 {
		given := randomEntries(r)
		c := threeThings(t)
		c.Application.Spec.IgnoreDifferences = slices.Clone(given)
		for _, f := range diagnosed(t, e, c).Findings {
			for _, list := range ignoreLists(t, f.Fix) {
				printed++
				if why := lostIn(c, given, list); why != "" {
					t.Fatalf("list %d: %s\ngiven:\n%+v\nprinted by %s:\n%+v", n, why, given, f.Rule, list)
				}
			}
		}
	}
	if printed < 500 {
		t.Errorf("only %d lists were printed: the test shows little", printed)
	}
}

// threeThings are resources of two kinds in two namespaces; some differ by what a controller wrote, and some are as in Git.
func threeThings(t *testing.T) *evidence.Case {
	t.Helper()
	const fields = `[{"manager":"sizer","operation":"Update","time":"2026-11-20T11:00:00Z","fieldsV1":{"f:spec":{"f:size":{}},"f:metadata":{"f:annotations":{"f:x.io/note":{}}}}}]`
	c := differing(t, "Thing", `"spec":{"size":3}`, `"spec":{"size":2}`, fields)
	c.Application.Status.Resources, c.Managed.Items = nil, nil
	for _, at := range []struct {
		kind, namespace, name string
		differs               bool
	}{{"Thing", "a", "one", true}, {"Thing", "a", "two", true}, {"Thing", "b", "one", true}, {"Thing", "b", "three", false}, {"Other", "a", "one", false}} {
		status, size := "Synced", 2
		if at.differs {
			status, size = "OutOfSync", 3
		}
		object := func(size int, note, managed string) evidence.State {
			return evidence.State(fmt.Sprintf(`{"apiVersion":"x.io/v1","kind":%q,"metadata":{"name":%q,"namespace":%q,"annotations":{"x.io/note":%q},"managedFields":%s},"spec":{"size":%d}}`, at.kind, at.name, at.namespace, note, managed, size))
		}
		note := "git"
		if at.differs {
			note = "live"
		}
		c.Application.Status.Resources = append(c.Application.Status.Resources, evidence.ResourceStatus{Group: "x.io", Kind: at.kind, Namespace: at.namespace, Name: at.name, Status: status})
		c.Managed.Items = append(c.Managed.Items, evidence.ResourceDiff{
			Group: "x.io", Kind: at.kind, Namespace: at.namespace, Name: at.name, TargetState: object(2, "git", "[]"), LiveState: object(size, note, fields),
			NormalizedLiveState: object(size, note, "[]"), PredictedLiveState: object(2, "git", "[]"),
		})
	}
	return c
}

// randomEntries are entries as people write them, right and wrong in each part.
func randomEntries(r *rand.Rand) []evidence.IgnoredDifference {
	one := func(of ...string) string { return of[r.IntN(len(of))] }
	var out []evidence.IgnoredDifference
	for range 1 + r.IntN(5) {
		e := evidence.IgnoredDifference{
			Group: one("x.io", "x.io/v1", "x.io", "y.io", "*"), Kind: one("Thing", "Thing", "Other", "thing", "*"), Name: one("", "one", "two", "three", "tow"), Namespace: one("", "", "a", "b", "c"),
		}
		for range r.IntN(3) {
			e.JSONPointers = append(e.JSONPointers, one("/spec/size", "spec/size", "/metadata/annotations/x.io/note", "/metadata/annotations/x.io~1note", "/spec/other", "/data/size"))
		}
		if r.IntN(4) == 0 {
			e.JQPathExpressions = []string{one(".spec.more", ".spec.size", `.metadata.labels["a.b/size"]`)}
		}
		if r.IntN(4) == 0 {
			e.ManagedFieldsManagers = []string{one("sizer", "seizer", "other")}
		}
		if len(e.JSONPointers)+len(e.JQPathExpressions)+len(e.ManagedFieldsManagers) > 0 {
			out = append(out, e)
		}
	}
	return out
}

// ignoreLists are the lists of ignored differences that steps print.
func ignoreLists(t *testing.T, steps []diagnose.Fix) [][]evidence.IgnoredDifference {
	t.Helper()
	var out [][]evidence.IgnoredDifference
	for _, s := range steps {
		var patch struct {
			Spec struct {
				IgnoreDifferences []evidence.IgnoredDifference `json:"ignoreDifferences"`
			} `json:"spec"`
		}
		if err := yaml.Unmarshal([]byte(s.Patch), &patch); err != nil {
			t.Fatalf("%s: %v", s.Patch, err)
		}
		if patch.Spec.IgnoreDifferences != nil {
			out = append(out, patch.Spec.IgnoreDifferences)
		}
	}
	return out
}

// lostIn says what a printed list no longer covers, or has twice; "" where it is right.
func lostIn(c *evidence.Case, given, printed []evidence.IgnoredDifference) string {
	for i, e := range printed {
		if slices.ContainsFunc(printed[:i], func(o evidence.IgnoredDifference) bool { return reflect.DeepEqual(o, e) }) {
			return fmt.Sprintf("%+v is there twice", e)
		}
		if strings.Contains(e.Group, "/") {
			return fmt.Sprintf("%+v has a version in its group", e)
		}
	}
	for _, s := range c.Application.Status.Resources {
		before, after := covered(given, s), covered(printed, s)
		for what := range before {
			if !after[what] {
				return fmt.Sprintf("%s of %s is no longer covered", what, s.Ref())
			}
		}
	}
	return ""
}

// covered is what entries say about a resource.
func covered(entries []evidence.IgnoredDifference, s evidence.ResourceStatus) map[string]bool {
	out := map[string]bool{}
	for _, e := range entries {
		if (e.Group == "*" || e.Group == s.Group) && (e.Kind == "*" || e.Kind == s.Kind) && (e.Name == "" || e.Name == s.Name) && (e.Namespace == "" || e.Namespace == s.Namespace) {
			for _, p := range e.JSONPointers {
				if strings.HasPrefix(p, "/") && p != "/metadata/annotations/x.io/note" { // these match nothing
					out[p] = true
				}
			}
			for _, p := range slices.Concat(e.JQPathExpressions, e.ManagedFieldsManagers) {
				if p != "seizer" && p != "other" { // nobody of that name writes
					out[p] = true
				}
			}
		}
	}
	return out
}
