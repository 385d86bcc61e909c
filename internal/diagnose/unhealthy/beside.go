package unhealthy

import (
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/evidence"
)

// beside draws what is not healthy beside a failure that Argo CD reports, or beside what a sync has been waiting for: nothing of it was
// rendered, refused or waited for first, so it is another trouble. Nil where there is none, and where nobody asked.
func beside(in *diagnose.In) *Picture {
	app := in.App()
	if !in.Asked() || !app.Metadata.DeletionTimestamp.IsZero() || underWay(in) {
		return nil
	}
	refs := unhealthyBeside(in)
	if len(refs) == 0 {
		return nil
	}
	tree, ok := diagnose.Get(in, evidence.FactTree)
	if in.Waiting() {
		return &Picture{Unread: true}
	}
	p := &Picture{Tree: tree, spend: in.Spend, Unread: !ok}
	p.collect(in)
	known, began := evidence.IndexOf(refs), !nothingBegan(in)
	p.Resources = slices.DeleteFunc(p.Resources, func(s *Resource) bool {
		return known.Find(s.Ref) == nil || s.Status == "Progressing" && began && !s.BeganBefore(in)
	})
	return p
}

// BeganBefore reports whether its pod has been in trouble since long before the last sync began: then that sync is not the reason, nor
// would the rest of it end the trouble.
func (s *Resource) BeganBefore(in *diagnose.In) bool {
	op := in.App().Status.OperationState
	return s.Pod != nil && op != nil && pods.Rank(s.Pod) >= pods.RankPending && sinceBefore(in, op, s.Since)
}

// sinceBefore reports whether what has lasted for that long began long before an operation.
func sinceBefore(in *diagnose.In, op *evidence.OperationState, lasts time.Duration) bool {
	return !op.StartedAt.IsZero() && lasts-in.Since(op.StartedAt) >= stuckThreshold
}

// mayRepair is how long a sync may take before what is Degraded while it runs counts: until then it may be what repairs it.
const mayRepair = 5 * time.Minute

// underWay reports whether a sync runs that has neither failed nor waited for long.
func underWay(in *diagnose.In) bool {
	op := in.App().Status.OperationState
	return op.Running() && op.RetryCount == 0 && in.RunningFor() < mayRepair
}

// waits reports whether a sync runs and waits for something: a hook, or a resource to become healthy.
func waits(in *diagnose.In) bool {
	op := in.App().CurrentOperation()
	return op.Running() && strings.Contains(op.Message, "waiting for ")
}

// nothingBegan reports whether all that Argo CD says is that it cannot render, validate, read or compare: then no sync is the reason for what
// is not healthy, and what is Progressing does not wait for the rest of one.
func nothingBegan(in *diagnose.In) bool {
	return !slices.ContainsFunc(in.Statements(), func(s diagnose.Statement) bool {
		stage := s.Failure.Stage
		return s.Result != nil || stage != message.StageRender && stage != message.StageSpec && stage != message.StageCompare && stage != message.StageLive
	})
}

// unhealthyBeside are the resources that are Degraded or Progressing, that no task of the sync failed on and that it does not name as what
// it waits for. What is Progressing may do so because of the sync, unless it began long before.
func unhealthyBeside(in *diagnose.In) []evidence.Ref {
	app, progressing := in.App(), nothingBegan(in)
	op := app.CurrentOperation()
	var tasks []evidence.ResourceResult
	for _, s := range in.Statements() {
		if s.Result != nil {
			tasks = append(tasks, *s.Result)
		}
	}
	for _, task := range op.Results() {
		if task.Failed() {
			tasks = append(tasks, task)
		}
	}
	failed := evidence.IndexOf(tasks)
	said := ""
	if op != nil {
		said = op.Message
	}
	var awaited []string // "waiting for healthy state of apps/Deployment/web and 2 more resources": kind and name of the first
	if _, named, ok := strings.Cut(said, "healthy state of "); ok {
		named, _, _ = strings.Cut(named, " ")
		awaited = append(awaited, named[strings.Index(named, "/")+1:])
	}
	var out []evidence.Ref
	for _, r := range app.Status.Resources {
		if r.Health == nil || r.Hook || r.Health.Status != "Degraded" && r.Health.Status != "Progressing" {
			continue
		}
		if op := app.Status.OperationState; r.Health.Status == "Progressing" && !progressing && (op == nil || !sinceBefore(in, op, unhealthyFor(in, r.Health))) {
			continue
		}
		if failed.Find(r.Ref()) == nil && !slices.Contains(awaited, r.Kind+"/"+r.Name) {
			out = append(out, r.Ref())
		}
	}
	return out
}

// withoutProgress is the picture without what is Progressing and has no pod that says why: it may only take its time.
func (p *Picture) withoutProgress() *Picture {
	p.Resources = slices.DeleteFunc(p.Resources, func(s *Resource) bool {
		return s.Status == "Progressing" && (s.Symptom.Trouble == pods.NoTrouble || s.Symptom.Trouble == pods.NotReady)
	})
	return p
}

// withoutEffects is the picture without what may be an effect of a sync that failed in the middle, or still is in it; nil where nothing
// is left.
func (p *Picture) withoutEffects(in *diagnose.In) *Picture {
	if in.App().CurrentOperation() != nil {
		p.Resources = slices.DeleteFunc(p.Resources, func(s *Resource) bool { return s.Need != nil || s.mayBeBrought(in) })
	}
	if len(p.Resources) == 0 {
		return nil
	}
	return p
}

// mayBeBrought reports whether its pod waits for something that the sync was to bring.
func (s *Resource) mayBeBrought(in *diagnose.In) bool {
	trouble := s.Symptom.Trouble
	if trouble != pods.ConfigMissing {
		return trouble == pods.VolumePending || trouble == pods.NotReady
	}
	kind, name, _, ok := pods.Missing(s.Symptom.Text)
	return !ok || name == "" || slices.ContainsFunc(in.App().Status.Resources, func(r evidence.ResourceStatus) bool { return brings(&r, kind, name) })
}

// brings reports whether a resource that is not as Git has it is an object, or what a controller makes it of: of the same name, as is usual.
func brings(r *evidence.ResourceStatus, kind, name string) bool {
	if r.Status == "Synced" && (r.Health == nil || r.Health.Status == "Healthy") || r.Name != name && !strings.HasPrefix(name, r.Name+"-") {
		return false
	}
	return r.Kind == kind || kind == "Secret or ConfigMap" && (r.Kind == "Secret" || r.Kind == "ConfigMap") || kind == "Secret" && (&Resource{Ref: r.Ref()}).MakesSecret()
}
