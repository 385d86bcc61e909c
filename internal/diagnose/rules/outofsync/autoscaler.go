package outofsync

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// ignoreReplicas is the step that leaves the replicas of a resource to an autoscaler.
// None where the application does that already.
func ignoreReplicas(in *diagnose.In, ref evidence.Ref) diagnose.Fix {
	spec := in.App().Spec
	patch := patchSpec{SyncPolicy: &patchSyncPolicy{SyncOptions: respecting(spec)}}
	switch ignored := isIgnored(in, &resource{Resource: drift.Resource{Ref: ref}}, drift.Path{{Field: "spec"}, {Field: "replicas"}}); {
	case ignored && in.App().HasSyncOption(respectIgnored):
		return diagnose.Fix{}
	case !ignored:
		d := look(in)
		if d == nil {
			d = &picture{}
		}
		patch.IgnoreDifferences = withEntries(d.repairedEntries(in), evidence.IgnoredDifference{
			Group: ref.Group, Kind: ref.Kind, Name: ref.Name, Namespace: ref.Namespace, JSONPointers: []string{"/spec/replicas"},
		})
	}
	return mergeInto(in, "Tell Argo CD to leave the replicas to the autoscaler", applicationPatch{Spec: &patch})
}

// scaler is the autoscaler of that kind that targets a resource, among those of the application. Only where the object
// does not say who wrote to it, those of the cluster count as well.
func (d *picture) scaler(in *diagnose.In, kind string, r *resource) evidence.Object {
	if o := autoscalerFor(d.scalers, kind, r.Ref); o != nil || len(r.owners()) > 0 {
		return o
	}
	others, _ := diagnose.Get(in, evidence.FactAutoscalers(r.Ref.Namespace))
	return autoscalerFor(others, kind, r.Ref)
}

// anyScaler is the autoscaler of that kind that targets a resource, among those of the application or else of its cluster.
func (d *picture) anyScaler(in *diagnose.In, kind string, ref evidence.Ref) evidence.Object {
	if o := autoscalerFor(d.scalers, kind, ref); o != nil {
		return o
	}
	others, _ := diagnose.Get(in, evidence.FactAutoscalers(ref.Namespace))
	return autoscalerFor(others, kind, ref)
}

func isReplicas(f *drift.Field) bool { return len(f.Path) == 2 && f.Path.Under("spec", "replicas") }

// autoscalerFinding is the finding about replicas that an autoscaler of that kind owns; short is what people call it.
func (g *explained) autoscalerFinding(kind, short string) diagnose.Finding {
	r, field := g.firstField()
	who, named := g.scaler(kind)
	_, stated := foreignWriter(&field)
	live, desired := bothValues(r, field)
	name := strings.TrimPrefix(short, "the ")
	f := diagnose.Finding{
		Confidence: diagnose.CertainIf(stated),
		Title:      fmt.Sprintf("%s: %s set replicas to %s, Git says %s", g.subject(), name, live, desired),
		Why:        fmt.Sprintf("%s scales it, but Git sets %s as well%s.", text.UpperFirst(who), field.Path, g.unlessKept(": every sync scales it back")),
		Sync:       overwrites(fmt.Sprintf("it sets replicas back to %s until %s scales again", desired, short)),
		Fix: []diagnose.Fix{
			g.ignore(true),
			{Text: fmt.Sprintf("Then remove %s from %s", field.Path, g.manifest())},
		},
	}
	if !g.keepsLive() && (!stated || !serverSideApplied(r)) { // applied server-side, the field stays with whoever else wrote it
		f.Fix[1].Text += fmt.Sprintf(". In the reverse order, the next sync scales to 1 until %s scales again", short)
	}
	if len(g.resources) > 1 {
		f.Title = fmt.Sprintf("%s: %s and Git set different replicas", g.subject(), name)
		f.Why = text.Sentence(g.valuesClause()) + " " + f.Why
		f.Sync = overwrites(fmt.Sprintf("it sets replicas back to the numbers in Git until %s scales again", short))
	}
	if _, inGit := r.Target.Number("spec", "replicas"); !inGit && !g.keepsLive() {
		if !field.InDesired {
			desired = "its default"
		}
		f.Title = fmt.Sprintf("%s: a sync would reset the replicas that %s set", g.subject(), short)
		f.Why = fmt.Sprintf("Git no longer sets replicas, but Argo CD once applied them: the next sync removes the field, and Kubernetes sets it from %s to %s until %s scales again.", live, desired, who)
		f.Sync = overwrites(fmt.Sprintf("it sets replicas to %s until %s scales again", desired, short))
		f.Fix = f.Fix[:1]
	}
	if f.Rescales = selfHeals(g.in) && !g.keepsLive(); f.Rescales {
		f.Why += " Self-heal is on, so Argo CD scales it back by itself" + healedClause(g.in) + "."
	}
	if named != nil {
		f.Why += belowMinimum(named, desired)
		f.Evidence = append(f.Evidence, diagnose.Quote{From: named.Ref().String(), Text: scaleRange(named)})
	}
	return f
}

// scaler is the autoscaler of the first resource: by name if it can be seen, in the application or in its cluster.
func (g *explained) scaler(kind string) (who string, object evidence.Object) {
	r, field := g.firstField()
	object = g.picture.anyScaler(g.in, kind, r.Ref)
	if object == nil && kind == "ScaledObject" { // the autoscaler that KEDA made says as much
		object = g.picture.anyScaler(g.in, "HorizontalPodAutoscaler", r.Ref)
	}
	if object != nil {
		return object.Ref().String(), object
	}
	if o := ownerOf(field); o.Manager != "" && !isArgo(o) {
		return fmt.Sprintf("a %s (field manager %s)", kind, o.Manager), nil
	}
	return "a " + kind, nil
}

// autoscalerFor is the autoscaler of that kind that targets an object, nil if there is none.
func autoscalerFor(scalers []evidence.Object, kind string, ref evidence.Ref) evidence.Object {
	for _, s := range scalers {
		target := s.Text("spec", "scaleTargetRef", "kind")
		name := s.Text("spec", "scaleTargetRef", "name")
		switch s.Ref().Kind {
		case "ScaledObject":
			if target == "" {
				target = "Deployment" // what KEDA takes a missing kind for
			}
		case "VerticalPodAutoscaler":
			target, name = s.Text("spec", "targetRef", "kind"), s.Text("spec", "targetRef", "name")
		}
		if s.Ref().Kind == kind && target == ref.Kind && name == ref.Name && s.Ref().Namespace == ref.Namespace {
			return s
		}
	}
	return nil
}

// scaleRange is what an autoscaler can choose from. Where it leaves out a bound, that is the default of its API.
func scaleRange(s evidence.Object) string {
	minReplicas, maxReplicas := bound(s, "minReplicas", "1"), bound(s, "maxReplicas", "")
	if s.Ref().Kind == "ScaledObject" {
		minReplicas, maxReplicas = bound(s, "minReplicaCount", "0"), bound(s, "maxReplicaCount", "100")
	}
	target := cmp.Or(s.Text("spec", "scaleTargetRef", "kind"), "Deployment")
	out := fmt.Sprintf("scales %s/%s", target, s.Text("spec", "scaleTargetRef", "name"))
	if maxReplicas == "" {
		return out
	}
	return fmt.Sprintf("%s between %s and %s", out, minReplicas, maxReplicas)
}

// healedClause says how often self-heal has synced the commit again, where that is a loop.
func healedClause(in *diagnose.In) string {
	op := in.App().Status.OperationState
	if op == nil || op.Failed() || in.Since(op.StartedAt) > loopGone || healAttempts(in.App()) < loopTimes {
		return ""
	}
	return fmt.Sprintf("; it has synced this commit again %d times", healAttempts(in.App()))
}

// belowMinimum says that what Git sets is out of the range of its autoscaler, so that the two never agree.
func belowMinimum(s evidence.Object, desired string) string {
	minimum, ok := s.Number("spec", "minReplicas")
	if s.Ref().Kind == "ScaledObject" {
		minimum, ok = s.Number("spec", "minReplicaCount")
	}
	if wanted, err := strconv.Atoi(desired); !ok || err != nil || float64(wanted) >= minimum || wanted == 0 {
		return ""
	}
	return fmt.Sprintf(" Its minimum is %s, so the two never agree.", drift.Show(minimum))
}

// bound is a field of an autoscaler's spec, or what it is where nobody sets it.
func bound(s evidence.Object, field, byDefault string) string {
	if v := s.At("spec", field); v != nil {
		return drift.Show(v)
	}
	return byDefault
}

// autoscalerOf is what scales a resource, nil if that is not known.
func autoscalerOf(in *diagnose.In, ref evidence.Ref) evidence.Object {
	switch ref.Kind {
	case "Deployment", "StatefulSet", "ReplicaSet", "Rollout":
		list, _ := diagnose.Get(in, evidence.FactAutoscalers(ref.Namespace))
		for _, kind := range []string{"ScaledObject", "HorizontalPodAutoscaler"} {
			if s := autoscalerFor(list, kind, ref); s != nil {
				return s
			}
		}
	}
	return nil
}
