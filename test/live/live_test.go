//go:build live

// Package live_test diagnoses applications of a real Argo CD, as `bot why` does, and replays what was recorded meanwhile.
//
// It needs the lab with all of its scenarios run (`make e2e` does that), or another Argo CD with the same applications, in
// ARGOCD_SERVER and ARGOCD_AUTH_TOKEN (plaintext HTTP unless LIVE_TLS is set). Without it the tests fail and do not skip: they
// only run when named. The tests of the cluster (cluster_test.go) create what they need, and need a KUBECONFIG for the cluster
// of that Argo CD.
package live_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/redact"
	"github.com/argo-why/argo-why/test/lab/scenarios"
)

func TestLive(t *testing.T) {
	if os.Getenv("ARGOCD_SERVER") == "" || os.Getenv("ARGOCD_AUTH_TOKEN") == "" {
		t.Fatal("set ARGOCD_SERVER and ARGOCD_AUTH_TOKEN to an Argo CD with the applications of test/lab/scenarios")
	}
	all, err := scenarios.Cured()
	if err != nil {
		t.Fatal(err)
	}
	client, err := argo.Connect(t.Context(), argo.Options{PlainText: os.Getenv("LIVE_TLS") == ""})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	e, err := diagnose.New(rules.All())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		for _, app := range s.Apps {
			t.Run(app.Name, func(t *testing.T) { diagnoseLive(t, client, e, app) })
		}
	}
}

func diagnoseLive(t *testing.T, client *argo.Client, e *diagnose.Engine, x scenarios.App) {
	app := client.App(x.Name, "", "")
	app.Record = &evidence.Recording{}
	now := time.Now().UTC().Truncate(time.Second) // a case file holds whole seconds
	start := time.Now()
	rep, err := e.Examine(t.Context(), app, now)
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	for _, f := range rep.Examined {
		calls += f.Calls
	}
	t.Logf("%s, sync %s, %d calls, %d ms: %s", first(rep), rep.Sync.Verdict, calls, time.Since(start).Milliseconds(), rep.Headline)

	right := slices.Contains(append([]string{x.Rule}, x.Also...), first(rep))
	if x.Rule == "" {
		right = slices.Contains(x.Verdict, string(rep.Verdict)) && rep.Root() == nil
	}
	if !right {
		t.Errorf("got %s (%s), want %s: %s", first(rep), rep.Verdict, or(x.Rule, strings.Join(x.Verdict, "/")), x.Why)
	}
	if !slices.Contains(x.Sync, string(rep.Sync.Verdict)) {
		t.Errorf("sync verdict %s, want %v", rep.Sync.Verdict, x.Sync)
	}

	if err := app.Everything(t.Context()); err != nil {
		t.Logf("not all could be recorded: %v", err)
	}
	recorded, err := app.Record.Encode(now, "a live test")
	if err != nil {
		t.Fatal(err)
	}
	if recorded, err = redact.JSON(recorded); err != nil {
		t.Fatal(err)
	}
	cases, err := evidence.DecodeCases(recorded, now)
	if err != nil {
		t.Fatal(err)
	}
	again, err := e.Examine(t.Context(), cases[0].Source(), cases[0].Now.Time)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := plain(t, rep), plain(t, again); a != b {
		t.Errorf("the recording replays to another report:\nlive   %s\nreplay %s", a, b)
	}
}

func first(r *diagnose.Report) string {
	if len(r.Findings) == 0 {
		return string(r.Verdict)
	}
	return r.Findings[0].Rule
}

// plain is the report without what it cost.
func plain(t *testing.T, r *diagnose.Report) string {
	t.Helper()
	c := *r
	c.Examined = nil
	out, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	return redact.String(string(out))
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
