package outofsync

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// gitUnseen is after how long without a comparison an application is worth a note. Argo CD compares every three
// minutes by default; installations with thousands of applications stretch that to half an hour.
const gitUnseen = time.Hour

var StaleRevision = &diagnose.Rule{
	ID: "drift/stale-revision",
	Doc: diagnose.Doc{
		Title:    "Argo CD compares an older commit",
		What:     "Argo CD checks Git every few minutes, and immediately only if Git's webhook notifies it. In between, or when its controller does not keep up, it compares the commit it knows. An application that names a commit instead of a branch never sees a newer one.",
		Decisive: "The application is healthy and its last comparison is long ago; or it is compared with an older commit than the last one synced; or targetRevision is a commit.",
		Example:  "compared 3 h ago (1223926); 16d15ff was synced after that",
		Fix:      "Refresh the application; configure Git's webhook; for a pinned commit, change targetRevision.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/operator-manual/webhook/"},
	},
	Sync:  diagnose.Advice{Verdict: diagnose.SyncSafe, Why: "after a refresh it applies the newest commit"},
	Check: checkStaleRevision,
}

func checkStaleRevision(in *diagnose.In) diagnose.Outcome {
	st := in.App().Status
	f := diagnose.Finding{Role: diagnose.RoleNote, Confidence: diagnose.Likely}
	refresh := advice.Refresh(in, "Refresh the application")
	switch pinned, last := in.App().Source(0).TargetRevision, in.App().LastDeployment(); {
	case st.Sync.Status != "Synced" && st.Sync.Status != "OutOfSync" || in.App().CurrentOperation() != nil || len(in.Statements()) > 0:
		return diagnose.Nothing
	case in.Since(st.ReconciledAt) > gitUnseen && st.Health.Status == "Healthy": // else health/stale says so
		f.Title = fmt.Sprintf("Argo CD last checked Git %s ago", text.Age(in.Since(st.ReconciledAt)))
		f.Why = fmt.Sprintf("It compared %s then. Anything pushed since has not been seen, and this report may be out of date.", cmp.Or(text.Revision(st.Sync.At()), "a revision that it does not name"))
		f.Fix = []diagnose.Fix{refresh, {Text: "If that does not help, check the log of the application controller", Command: diagnose.Shell("kubectl -n %s logs %s --tail=100", advice.ArgoNamespace(in), advice.Controller(in))}}
		f.Evidence = []diagnose.Quote{{From: "status.reconciledAt", Text: st.ReconciledAt.UTC().Format(time.RFC3339)}}
	case last != nil && st.Sync.At() != last.At() && st.Sync.Status == "OutOfSync" && slices.ContainsFunc(st.History, func(d evidence.Deployment) bool { return d.At() == st.Sync.At() }):
		synced, compared := evidence.Differing(last.At(), st.Sync.At())
		f.Title = fmt.Sprintf("Comparing %s, older than the last sync", text.Revision(compared))
		f.Why = fmt.Sprintf("%s was synced after it: the branch was reset, or Argo CD has not seen its head.", text.Revision(synced))
		f.Fix = []diagnose.Fix{refresh}
	case isCommit(pinned) && in.App().Source(0).Chart == "" && st.Sync.Status == "Synced":
		f.Confidence = diagnose.Certain
		f.Title = fmt.Sprintf("Pinned to commit %s", text.Revision(pinned))
		f.Why = "targetRevision names a commit instead of a branch, so newer commits are never deployed."
		f.Fix = []diagnose.Fix{{Text: "To follow a branch, put its name here", Command: diagnose.Shell("argocd app set %s --revision BRANCH", advice.AppName(in))}}
	default:
		return diagnose.Nothing
	}
	return diagnose.Found(f)
}

func isCommit(revision string) bool {
	return len(revision) == 40 && strings.Trim(revision, "0123456789abcdef") == ""
}
