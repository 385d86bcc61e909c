package diagnose_test

import (
	"cmp"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// TestHealthyAfterAFailedSync: a commit alone ends no failure. It is over where Argo CD has found another revision in sync and nothing of what
// failed is left to be done.
func TestHealthyAfterAFailedSync(t *testing.T) {
	const tried, now = "3f2a91c0000000000000000000000000000000aa", "bb498fd0000000000000000000000000000000aa"
	refused := evidence.ResourceResult{Kind: "ConfigMap", Name: "web", Status: "SyncFailed", HookPhase: "Failed", SyncPhase: "Sync", Message: "boom"}
	unhealthy := evidence.ResourceResult{Group: "apps", Kind: "Deployment", Name: "web", Status: "Synced", HookPhase: "Failed", SyncPhase: "Sync"}
	applied := evidence.ResourceResult{Group: "apps", Kind: "Deployment", Name: "web", Status: "Synced", HookPhase: "Running", SyncPhase: "Sync"}
	hook := evidence.ResourceResult{Group: "batch", Kind: "Job", Name: "smoke", HookType: "PostSync", HookPhase: "Failed", SyncPhase: "PostSync"}
	changed, same := map[string]string{tried: "a", now: "b"}, map[string]string{tried: "a", now: "a"}
	for name, c := range map[string]struct {
		message  string
		results  []evidence.ResourceResult
		rendered map[string]string
		change   func(*evidence.Application)
		want     diagnose.Verdict
	}{
		"failed before it did anything":    {want: diagnose.VerdictHealthy},
		"of the revision of now":           {change: func(a *evidence.Application) { a.Status.Sync.Revision = tried }, want: diagnose.VerdictFailing},
		"could not render, and can now":    {message: "Failed to load target state: helm: boom", change: comparedAgain, want: diagnose.VerdictHealthy},
		"half written":                     {change: func(a *evidence.Application) { a.Status.OperationState.SyncResult = nil }, want: diagnose.VerdictFailing},
		"refused, then changed":            {results: []evidence.ResourceResult{refused, applied}, rendered: changed, want: diagnose.VerdictHealthy},
		"refused, commit elsewhere":        {results: []evidence.ResourceResult{refused}, rendered: same, want: diagnose.VerdictFailing},
		"refused, commit not compared":     {results: []evidence.ResourceResult{refused}, want: diagnose.VerdictFailing},
		"refused, changed, still differs":  {results: []evidence.ResourceResult{refused}, rendered: changed, change: differs, want: diagnose.VerdictFailing},
		"refused, server-side diff":        {results: []evidence.ResourceResult{refused}, rendered: changed, change: serverSide, want: diagnose.VerdictFailing},
		"did not become healthy in a wave": {results: []evidence.ResourceResult{unhealthy}, rendered: changed, want: diagnose.VerdictFailing},
		"terminated":                       {results: []evidence.ResourceResult{applied}, rendered: changed, want: diagnose.VerdictFailing},
		"hook":                             {results: []evidence.ResourceResult{applied, hook}, rendered: changed, want: diagnose.VerdictFailing},
	} {
		subject := app("Synced", "Healthy").Application
		subject.Status.Sync.Revision = now
		subject.Status.OperationState = &evidence.OperationState{
			Phase: evidence.OperationFailed, Message: cmp.Or(c.message, "boom"), StartedAt: evidence.Time{Time: time.Unix(1, 0)},
			Operation:  evidence.Operation{Sync: &evidence.SyncOperation{Revision: tried}},
			SyncResult: &evidence.SyncResult{Revision: tried, Resources: c.results},
		}
		if name != "half written" {
			subject.Status.OperationState.FinishedAt = evidence.Time{Time: time.Unix(2, 0)}
		}
		if c.change != nil {
			c.change(subject)
		}
		e, err := diagnose.New(nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := e.Diagnose(t.Context(), (&evidence.Case{Application: subject, Rendered: c.rendered}).Source(), time.Unix(3, 0))
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != c.want {
			t.Errorf("%s: %s", name, r.Verdict)
		}
		over := strings.Contains(strings.Join(r.Effects, " "), "The last sync, of 3f2a91c, failed; the application has since been in sync")
		if over != (c.want == diagnose.VerdictHealthy) {
			t.Errorf("%s: effects %v", name, r.Effects)
		}
	}
}

func comparedAgain(a *evidence.Application) {
	a.Status.Sync.Revision, a.Status.ReconciledAt = a.Status.OperationState.Revision(), evidence.Time{Time: time.Unix(3, 0)}
}

func differs(a *evidence.Application) {
	a.Status.Resources = []evidence.ResourceStatus{{Kind: "ConfigMap", Name: "web", Status: "OutOfSync"}}
}

func serverSide(a *evidence.Application) {
	a.Metadata.Annotations = map[string]string{"argocd.argoproj.io/compare-options": "ServerSideDiff=true"}
}

// TestRepaired: a sync that failed for want of manifests stays the failure that it was, until it is repeated. That there are manifests again
// is its headline.
func TestRepaired(t *testing.T) {
	failed := rule("render/broken", func(in *diagnose.In) diagnose.Outcome {
		if all := in.Statements(); len(all) > 0 {
			return diagnose.Found(diagnose.Finding{Title: "Chart is broken", Why: "x", Shared: "git host x"}.On(&all[0]))
		}
		return diagnose.Nothing
	})
	overwrites := rule("drift/edit", finds(diagnose.Finding{Title: "edited", Why: "x", Sync: diagnose.Advice{Verdict: diagnose.SyncOverwritesLive, Why: "it undoes the edit"}}))
	for name, c := range map[string]struct {
		rules           []*diagnose.Rule
		status, now     string
		title, why, how string
		sync            diagnose.SyncVerdict
	}{
		"pushed":           {[]*diagnose.Rule{failed}, "OutOfSync", "bb498fd", "Renders now at bb498fd, not synced yet", "The sync of 3f2a91c failed: Chart is broken.", "render/broken", diagnose.SyncUnknown},
		"passed by itself": {[]*diagnose.Rule{failed}, "OutOfSync", "3f2a91c", "Renders now, not synced yet", "The sync of 3f2a91c failed: Chart is broken.", "render/broken", diagnose.SyncUnknown},
		"undoes an edit":   {[]*diagnose.Rule{failed, overwrites}, "OutOfSync", "bb498fd", "Renders now at bb498fd, not synced yet", "The sync of 3f2a91c failed: Chart is broken.", "render/broken", diagnose.SyncOverwritesLive},
		"no rule knew it":  {nil, "OutOfSync", "bb498fd", "Renders now at bb498fd, not synced yet", "The sync of 3f2a91c failed: Failed, and no known cause matched.", "unknown", diagnose.SyncUnknown},
	} {
		s := &source{subject: app(c.status, "Healthy")}
		st := &s.subject.Application.Status
		st.Sync.Revision, st.ReconciledAt = c.now, evidence.Time{Time: time.Unix(3, 0)}
		if c.status == "OutOfSync" {
			st.Resources = []evidence.ResourceStatus{{Kind: "ConfigMap", Name: "web", Status: "OutOfSync"}}
		}
		st.Conditions = []evidence.Condition{{Type: "SyncError", Message: "Failed last sync attempt to [3f2a91c]: ComparisonError: Failed to load target state: helm: boom"}}
		st.OperationState = &evidence.OperationState{
			Phase: evidence.OperationError, Message: "ComparisonError: Failed to load target state: helm: boom",
			StartedAt: evidence.Time{Time: time.Unix(1, 0)}, FinishedAt: evidence.Time{Time: time.Unix(2, 0)},
			SyncResult: &evidence.SyncResult{Revision: "3f2a91c"},
		}
		r := run(t, s, c.rules...)
		f := r.Root()
		if f == nil {
			t.Errorf("%s: no cause, but %+v", name, r.Findings)
			continue
		}
		if f.Rule != c.how || f.Title != c.title || f.Why != c.why || r.Verdict != diagnose.VerdictFailing || r.Sync.Verdict != c.sync || f.Shared != "" {
			t.Errorf("%s: %s, %s: %q, %q, sync %s %q, shared %q", name, f.Rule, r.Verdict, f.Title, f.Why, r.Sync.Verdict, r.Sync.Why, f.Shared)
		}
		if r.Context.Phase != "Error" {
			t.Errorf("%s: the context has phase %q", name, r.Context.Phase)
		}
	}
}

// TestHooksSkipped: what the last operation says nothing about.
func TestHooksSkipped(t *testing.T) {
	for name, c := range map[string]struct {
		op   string
		want bool
	}{
		"no operation":       {`null`, false},
		"sync":               {`{"operation": {"sync": {"syncStrategy": {"hook": {}}}}}`, false},
		"selected resources": {`{"operation": {"sync": {"resources": [{"kind": "Service", "name": "web"}]}}}`, true},
		"only applies":       {`{"operation": {"sync": {"syncStrategy": {"apply": {}}}}}`, true},
		"dry run":            {`{"operation": {"sync": {"dryRun": true}}}`, true},
	} {
		subject := app("Synced", "Healthy").Application
		if err := json.Unmarshal([]byte(c.op), &subject.Status.OperationState); err != nil {
			t.Fatal(err)
		}
		if op := subject.Status.OperationState; op != nil {
			op.Phase = evidence.OperationSucceeded
		}
		if got := run(t, &source{subject: evidence.Subject{Application: subject}}).Context.HooksSkipped; got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
