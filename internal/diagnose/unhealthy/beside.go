package unhealthy

import (
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/evidence"
)

// beside draws what is Degraded beside a failure that Argo CD reports: nothing of it was rendered or refused, so it is another trouble.
// Nil where there is none, and where nobody asked. What a hook does to the resources around it is the business of its rules.
func beside(in *diagnose.In) *Picture {
	app := in.App()
	all := in.Statements()
	hook := slices.ContainsFunc(all, func(s diagnose.Statement) bool { return s.Hook() })
	if !in.Asked() || hook || !app.Metadata.DeletionTimestamp.IsZero() || app.Status.OperationState.Running() || len(degradedBeside(app)) == 0 {
		return nil
	}
	tree, ok := diagnose.Get(in, evidence.FactTree)
	if in.Waiting() {
		return &Picture{Unread: true}
	}
	p := &Picture{Tree: tree, Unread: !ok}
	p.collect(in)
	known := evidence.IndexOf(degradedBeside(app))
	p.Resources = slices.DeleteFunc(p.Resources, func(s *Resource) bool { return known.Find(s.Ref) == nil })
	return p
}

// degradedBeside are the resources that are Degraded and that no task of the sync failed on.
func degradedBeside(app *evidence.Application) []evidence.Ref {
	var failed []evidence.Ref
	for _, task := range app.CurrentOperation().Results() {
		if task.Failed() {
			failed = append(failed, task.Ref())
		}
	}
	tried := evidence.IndexOf(failed)
	var out []evidence.Ref
	for _, r := range app.Status.Resources {
		if r.Health != nil && r.Health.Status == "Degraded" && !r.Hook && tried.Find(r.Ref()) == nil {
			out = append(out, r.Ref())
		}
	}
	return out
}

// lacking are the troubles of pods that wait for something: what the failed sync was to bring may be it.
var lacking = []pods.Trouble{pods.ConfigMissing, pods.VolumePending, pods.NotReady}

// withoutEffects is the picture without what may be an effect of a sync that failed in the middle; nil where nothing is left.
func (p *Picture) withoutEffects(in *diagnose.In) *Picture {
	if in.App().CurrentOperation() != nil {
		p.Resources = slices.DeleteFunc(p.Resources, func(s *Resource) bool { return s.Need != nil || slices.Contains(lacking, s.Symptom.Trouble) })
	}
	if len(p.Resources) == 0 {
		return nil
	}
	return p
}
