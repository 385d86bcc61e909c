package outofsync

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
)

// restartedAt is the annotation of a pod template with which kubectl, Argo CD and dashboards restart a workload.
const restartedAt = "kubectl.kubernetes.io/restartedAt"

// isRestart: someone restarted the workload, and the annotation that did it is in Git as well, or Git leaves no room for it. One that
// Git itself changed is a commit like any other.
func isRestart(_ *diagnose.In, _ *picture, _ *resource, f *drift.Field) bool {
	_, strange := foreignWriter(f)
	return f.Path.Last() == restartedAt && f.InLive && (strange || !f.InDesired)
}

// restartOrEdit tells a restart from an edit.
func restartOrEdit(_ *resource, f *drift.Field) string {
	if isRestart(nil, nil, nil, f) {
		return restartedAt
	}
	return ""
}

// restarted is the finding about workloads that were restarted.
func (g *explained) restarted() diagnose.Finding {
	r, field := g.firstField()
	f := diagnose.Finding{
		Confidence: diagnose.Certain,
		Title:      g.subject() + ": restarted outside Git",
		Why:        g.valuesClause() + ".",
		Sync:       overwrites(fmt.Sprintf("it resets the restart annotation, which restarts the pods of %s again", g.subject())),
		Fix:        []diagnose.Fix{or(g.ignore(true))},
	}
	remove := diagnose.Fix{Text: fmt.Sprintf("Remove the annotation %s from %s", restartedAt, g.manifest())}
	if annotations, there := drift.Lookup(r.Target, field.Path[:len(field.Path)-1]); there && drift.Empty(annotations) {
		remove = diagnose.Fix{Text: fmt.Sprintf("Remove the empty %s from %s", field.Path[:len(field.Path)-1], g.manifest())}
	} else if !field.InDesired {
		remove = g.commit("Write the annotation")
	}
	f.Fix = append([]diagnose.Fix{remove}, f.Fix...)
	if o, ok := foreignWriter(&field); ok {
		f.Why += " " + restartedBy(g.in, o)
	}
	return f
}

func restartedBy(in *diagnose.In, o drift.Owner) string {
	switch {
	case o.Manager == "kubectl-rollout":
		return fmt.Sprintf("It was restarted with kubectl rollout restart%s.", agoClause(in, o.Time))
	case isPerson(o):
		return fmt.Sprintf("It was restarted with %s%s.", whoWrote(o), agoClause(in, o.Time))
	}
	return fmt.Sprintf("It was restarted by %s%s.", managerText(o), agoClause(in, o.Time))
}
