package apply

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// misspelt is the namespace that was probably meant by one that does not exist: one that the same sync applied something to, whose name is one
// slip away; empty where there is none.
func misspelt(in *diagnose.In, ns string) string {
	best := ""
	for other := range placed(in) {
		if statement.IsSlip(ns, other) && (best == "" || other < best) {
			best = other
		}
	}
	return best
}

// placed are the namespaces that exist, because the last operation applied something to them, with how many resources that are.
func placed(in *diagnose.In) map[string]int {
	there := map[string]int{}
	for _, r := range in.App().Status.OperationState.Results() {
		switch {
		case r.IsHook() || !r.Applied() || r.Status == evidence.ResultPruned:
		case r.Kind == "Namespace" && r.Group == "":
			there[r.Name] += 0
		case r.Namespace != "":
			there[r.Namespace]++
		}
	}
	return there
}

// correctNamespace completes the finding about a name that is probably misspelt. To create a namespace of that name is not proposed: what
// belongs together would then be in two.
func correctNamespace(in *diagnose.In, s *diagnose.Statement, ns string, out *diagnose.Finding) {
	meant := misspelt(in, ns)
	what := statement.Name(s)
	out.Confidence = diagnose.Likely
	out.Title, out.Short = fmt.Sprintf("Namespace/%s does not exist, typo of %s?", ns, meant), fmt.Sprintf("Namespace/%s does not exist", ns)
	out.Why = fmt.Sprintf("The sync applies %s to it. The application has Namespace/%s itself, so the name is probably misspelt.", what, meant)
	if n := placed(in)[meant]; n > 0 {
		out.Why = fmt.Sprintf("The sync applies %s to it. It applied %s to namespace %s, so the name is probably misspelt.", what, text.Count(n, "resource", "resources"), meant)
	}
	out.Sync = advice.Pointless("nothing can be created in a namespace that does not exist")
	out.Fix = []diagnose.Fix{{Text: fmt.Sprintf("Change metadata.namespace of %s in Git from %s to %s, then push", what, ns, meant)}}
	if ns == in.App().Spec.Destination.Namespace {
		out.OutsideGit = true
		out.Fix = []diagnose.Fix{{Text: fmt.Sprintf("Change destination.namespace from %s to %s, in %s", ns, meant, advice.Manifest(in))}}
	}
}
