package preflight_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/preflight"
)

// reading asks for a right that the account has in some namespaces, "" being all of them.
func reading(kind string, in ...string) preflight.Reading {
	return preflight.Reading{Right: "list " + kind, Unknown: "which of the " + kind + " did it", Lacks: func(_ context.Context, namespace string) (string, error) {
		switch {
		case slices.Contains(in, namespace) || slices.Contains(in, ""):
			return "", nil
		case namespace == "":
			return "the bot cannot list " + kind + " in all namespaces", nil
		}
		return "the bot cannot list " + kind + " in namespace " + namespace, nil
	}}
}

func clusterScoped(r preflight.Reading) preflight.Reading {
	r.ClusterScoped = true
	return r
}

func off(r preflight.Reading) preflight.Reading {
	r.Off = true
	return r
}

// granting is the command that a person is given.
func granting(scoped bool, right preflight.Reading) string {
	return map[bool]string{true: "grant there", false: "grant"}[scoped] + map[bool]string{true: " with keys", false: ""}[right.Off]
}

func TestRightsToReadACluster(t *testing.T) {
	const read = "argocd prod kubernetes reading (context dev): "
	for _, test := range []struct {
		name   string
		rights []preflight.Reading
		want   []string
	}{
		{"everything", []preflight.Reading{reading("events", ""), off(reading("secrets", ""))}, []string{
			"✓ " + read + "everything that rules read in all namespaces", "✓ " + read + "list secrets, which is optional",
		}},
		{"all but the keys of Secrets", []preflight.Reading{reading("events", ""), off(reading("secrets"))}, []string{
			"✓ " + read + "everything that rules read in all namespaces",
			"✓ " + read + "list secrets is off: reports do not say which of the secrets did it: grant with keys",
		}},
		{"in some namespaces", []preflight.Reading{reading("events", "pay", "shop", "web"), off(reading("secrets"))}, []string{
			"✓ " + read + "everything that rules read in pay, shop, web",
			"✓ " + read + "list secrets is off: reports do not say which of the secrets did it: grant there with keys",
		}},
		{"one that is off is on in some of them", []preflight.Reading{reading("events", ""), off(reading("configmaps", "web"))}, []string{
			"✓ " + read + "everything that rules read in all namespaces",
			"✓ " + read + "list configmaps is off in pay, shop: reports on them do not say which of the configmaps did it: grant with keys",
		}},
		{"one is missing in some of them", []preflight.Reading{reading("events", "pay", "shop", "web"), reading("jobs", "web"), clusterScoped(reading("issuers"))}, []string{
			"! " + read + "the bot cannot list jobs in namespace pay (also in shop), so reports do not say which of the jobs did it: grant there",
			"! " + read + "the bot cannot list issuers in all namespaces, so reports do not say which of the issuers did it: grant there",
		}},
		{"none", []preflight.Reading{reading("events"), reading("jobs")}, []string{
			"! " + read + "the bot cannot list events in all namespaces, so reports do not say which of the events did it: grant",
			"! " + read + "the bot cannot list jobs in all namespaces, so reports do not say which of the jobs did it: grant",
		}},
		{"no answer", []preflight.Reading{{Lacks: func(context.Context, string) (string, error) { return "", errors.New("no kubeconfig;\nuse one") }}}, []string{
			"! " + read + "reports leave out what Argo CD does not show (docs/rights.md): no kubeconfig; use one",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			found := preflight.CheckReading(t.Context(), strings.TrimSuffix(read, ": "), test.rights, []string{"web", "shop", "pay", "shop", "zoo"}, granting)
			if got := lines(found); !slices.Equal(got, test.want) {
				t.Errorf("reported\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
			if !preflight.AllOK(found) {
				t.Error("the check fails for what is optional")
			}
		})
	}
}

// TestWhatIsOptionalDoesNotFailACheck: but programs see it.
func TestWhatIsOptionalDoesNotFailACheck(t *testing.T) {
	optional, required := preflight.Finding{What: "a", Problem: "b", Optional: true}, preflight.Finding{What: "c", Problem: "d"}
	if !preflight.AllOK([]preflight.Finding{optional}) || preflight.AllOK([]preflight.Finding{optional, required}) {
		t.Error("only what is required fails a check")
	}
	raw, err := json.Marshal(optional)
	if want := `{"what":"a","ok":false,"problem":"b","optional":true}`; err != nil || string(raw) != want {
		t.Errorf("%s, %v; want %s", raw, err, want)
	}
}
