package apply

import (
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

// refused is [statement.Refused] with what depends on the application and not on the refusal: where its manifests can be changed, and
// whether it has to be synced once something outside Git is repaired.
func refused(match func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool)) func(*diagnose.In) diagnose.Outcome {
	return statement.Refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f, ok := match(in, s)
		if ok {
			throughChart(in, &f)
			thenSync(in, s, &f)
			retriesOld(in, s, &f)
			endRetries(in, &f)
		}
		return f, ok
	})
}

// throughChart makes the steps name the values of the chart where that is somebody else's: its manifests are not in any Git that the
// reader can change.
func throughChart(in *diagnose.In, f *diagnose.Finding) {
	chart := advice.Chart(in)
	if chart == "" {
		return
	}
	values := " through the values of chart " + chart
	for i, step := range f.Fix {
		if strings.Contains(step.Text, " in Git if") || strings.Contains(step.Text, values) {
			continue
		}
		step.Text = strings.Replace(step.Text, " in Git", values, 1)
		if before, ok := strings.CutSuffix(step.Text, "add to its manifest"); ok {
			step.Text = before + "add to its annotations" + values + ", if it has one for them"
		}
		f.Fix[i] = step
	}
}

// thenSync adds the sync that has to follow where what is wrong is repaired outside Git: there is no new commit that Argo CD would sync
// by itself, and auto-sync does not try the same one again.
func thenSync(in *diagnose.In, s *diagnose.Statement, f *diagnose.Finding) {
	op := in.App().Status.OperationState
	if s.Result == nil || !op.Failed() || op.Running() || op.DryRun() || !repairedOutsideGit(f) {
		return
	}
	step := "Then sync"
	if in.App().AutoSync() && op.Operation.ByAutoSync() {
		step = "Then sync: auto-sync does not try the same commit again"
	}
	f.Fix = append(f.Fix, advice.Sync(in, step))
}

// inApplication is how a patch of the Application begins: its manifests stay at the same commit.
const inApplication = "spec:\n  syncPolicy:"

// repairedOutsideGit reports whether a step repairs something that is not in the manifests, and none syncs yet.
func repairedOutsideGit(f *diagnose.Finding) bool {
	if slices.ContainsFunc(f.Fix, func(s diagnose.Fix) bool {
		return strings.HasPrefix(s.Command, "argocd app sync") && !strings.Contains(s.Command, "--dry-run")
	}) {
		return false
	}
	return f.OutsideGit || f.Shared != "" || slices.ContainsFunc(f.Fix, func(s diagnose.Fix) bool {
		return strings.HasPrefix(s.Command, "kubectl ") && strings.Contains(s.Command, " delete ") || strings.HasPrefix(s.Patch, inApplication)
	})
}
