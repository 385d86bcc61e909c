package outofsync

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// gitUnseen is how long Argo CD may not have looked at an application before that is worth saying. It looks every three
// minutes by default; installations with thousands of applications stretch that to half an hour.
const gitUnseen = time.Hour

var StaleRevision = &diagnose.Rule{
	ID: "drift/stale-revision",
	Doc: diagnose.Doc{
		Title:    "Argo CD compares an older commit than people think",
		What:     "Argo CD asks Git every few minutes, and at once only if Git's webhook tells it to. In between, or when its controller does not keep up, it compares the commit it knows. An application that names a commit instead of a branch never sees a newer one.",
		Decisive: "The application is healthy and was compared long ago; or an older commit is compared than was synced last; or targetRevision is a commit.",
		Example:  "compared 3 h ago (1223926); 16d15ff was synced after that",
		Fix:      "Refresh; configure Git's webhook; for a pinned commit, change targetRevision.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/operator-manual/webhook/"},
	},
	Sync:  diagnose.Advice{Verdict: diagnose.SyncSafe, Why: "after a refresh it syncs the newest commit"},
	Check: checkStaleRevision,
}

func checkStaleRevision(in *diagnose.In) diagnose.Outcome {
	st := in.App().Status
	f := diagnose.Finding{Role: diagnose.RoleNote, Confidence: diagnose.Likely}
	refresh := advice.Refresh(in, "Have Argo CD look at Git now")
	switch pinned, last := in.App().Source(0).TargetRevision, in.App().LastDeployment(); {
	case st.Sync.Status != "Synced" && st.Sync.Status != "OutOfSync" || in.App().CurrentOperation() != nil || len(in.Statements()) > 0:
		return diagnose.Nothing
	case in.Since(st.ReconciledAt) > gitUnseen && st.Health.Status == "Healthy": // else health/stale says so
		f.Title = fmt.Sprintf("Argo CD last looked at Git %s ago", text.Age(in.Since(st.ReconciledAt)))
		f.Why = fmt.Sprintf("The application was compared %s ago, with %s: whatever was pushed since is not seen, and what is said here may be old.", text.Age(in.Since(st.ReconciledAt)), text.Revision(st.Sync.Revision))
		f.Fix = []diagnose.Fix{refresh, {Text: "If it stays, look at the application controller", Command: diagnose.Shell("kubectl -n %s logs statefulset/argocd-application-controller --tail=100", advice.ArgoNamespace(in))}}
		f.Evidence = []diagnose.Quote{{From: "status.reconciledAt", Text: st.ReconciledAt.UTC().Format(time.RFC3339)}}
	case last != nil && st.Sync.Revision != last.Revision && st.Sync.Status == "OutOfSync" && slices.ContainsFunc(st.History, func(d evidence.Deployment) bool { return d.Revision == st.Sync.Revision }):
		f.Title = fmt.Sprintf("Argo CD compares %s, which is older than what was synced last", text.Revision(st.Sync.Revision))
		f.Why = fmt.Sprintf("%s was synced after %s, and %s is what is compared: the branch was set back, or Argo CD has not seen its head.", text.Revision(last.Revision), text.Revision(st.Sync.Revision), text.Revision(st.Sync.Revision))
		f.Fix = []diagnose.Fix{refresh}
	case isCommit(pinned) && in.App().Source(0).Chart == "" && st.Sync.Status == "Synced":
		f.Confidence = diagnose.Certain
		f.Title = fmt.Sprintf("the application is pinned to commit %s", text.Revision(pinned))
		f.Why = "targetRevision names a commit, not a branch: newer commits are never deployed."
		f.Fix = []diagnose.Fix{{Text: "To follow a branch", Command: diagnose.Shell("argocd app set %s --revision BRANCH", advice.AppName(in))}}
	default:
		return diagnose.Nothing
	}
	return diagnose.Found(f)
}

func isCommit(revision string) bool {
	return len(revision) == 40 && strings.Trim(revision, "0123456789abcdef") == ""
}
