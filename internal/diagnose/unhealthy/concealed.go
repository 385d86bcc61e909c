package unhealthy

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/evidence"
)

// maxLooks bounds how many objects are read of an application that Argo CD calls healthy. They are read at once.
const maxLooks = 12

// concealed is what is wrong with an application that Argo CD calls healthy: it has no health check for most kinds, and some
// checks say little. A person who asks is worth the calls; a watch is not. Nil where nothing is wrong.
func concealed(in *diagnose.In) *Picture {
	if !calledHealthy(in) {
		return nil
	}
	return hidden(in)
}

// hidden is what is wrong with resources that Argo CD calls healthy; nil where nothing is.
func hidden(in *diagnose.In) *Picture {
	p := &Picture{Concealed: true, spend: in.Spend}
	suspects := suspectsOf(in.App())
	looks := suspects[:min(len(suspects), maxLooks)]
	diagnose.Unchecked(in, refsOf(suspects[len(looks):])...)
	if slices.ContainsFunc(looks, func(s suspect) bool { return s.class == runs }) {
		p.Tree, _ = diagnose.Look(in, evidence.FactTree)
	}
	for _, s := range looks {
		if s.class == runs {
			p.failingRun(in, s.ref)
			continue
		}
		o, ok := diagnose.Look(in, evidence.FactObject(evidence.ObjectQuery{Ref: s.ref}))
		switch {
		case in.Waiting():
		case !ok:
			if s.class != rollsOut { // of a rollout Argo CD sees all but whom it waits for
				diagnose.Unchecked(in, s.ref)
			}
		default:
			if found := s.trouble(in, o); found != nil {
				p.Resources = append(p.Resources, found)
			}
		}
	}
	p.addRestless(in)
	if in.Waiting() {
		return &Picture{Concealed: true, Unread: true}
	}
	if len(p.Resources) == 0 {
		return nil
	}
	if p.Resources[0].Job != nil {
		p.examine(in)
	}
	return p
}

// addHidden adds what is wrong behind an application that Argo CD calls Suspended: all that is not suspended is called healthy.
func (p *Picture) addHidden(in *diagnose.In) {
	if in.App().Status.Health.Status != "Suspended" {
		p.addScalers(in)
		return
	}
	more := hidden(in)
	if more == nil || in.Waiting() {
		return
	}
	listed := map[evidence.Ref]bool{}
	for _, s := range p.Resources {
		listed[s.Ref] = true
	}
	for _, s := range more.Resources {
		if !listed[s.Ref] {
			p.Resources = append(p.Resources, s)
		}
	}
}

// maxScalers bounds how many autoscalers are read beside something else that fails.
const maxScalers = 3

// addScalers adds, for a person, autoscalers that Argo CD calls healthy and that can never work, whatever else fails: a container has no
// request to measure against. That metrics are missing may come from what fails.
func (p *Picture) addScalers(in *diagnose.In) {
	if !in.Asked() || p.Deleting {
		return
	}
	left := maxScalers
	for _, s := range suspectsOf(in.App()) {
		if s.class != scales || left == 0 || slices.ContainsFunc(p.Resources, func(r *Resource) bool { return r.Ref.Same(s.ref) }) {
			continue
		}
		left--
		o, ok := diagnose.Look(in, evidence.FactObject(evidence.ObjectQuery{Ref: s.ref}))
		if found := s.trouble(in, o); ok && found != nil && strings.Contains(o.Condition("ScalingActive").Text("message"), "missing request for") {
			p.Resources = append(p.Resources, found)
		}
	}
}

// calledHealthy reports whether Argo CD says that the application is healthy, and nothing else speaks against it.
func calledHealthy(in *diagnose.In) bool {
	app := in.App()
	return app.Status.Health.Status == "Healthy" && app.Metadata.DeletionTimestamp.IsZero() && len(in.Statements()) == 0 && app.CurrentOperation() == nil
}

// class says what Argo CD's health of a resource does not tell.
type class int

// The classes, the most telling first.
const (
	// runs: whether the last run succeeded.
	runs class = iota
	// scales: whether it can scale.
	scales
	// rollsOut: whether a rollout waits for a person.
	rollsOut
	// custom: what its conditions say.
	custom
	trusted
)

// suspect is a resource that may not be as healthy as Argo CD calls it. checked: a health check looked at it.
type suspect struct {
	ref     evidence.Ref
	class   class
	checked bool
}

func suspectsOf(app *evidence.Application) []suspect {
	var out []suspect
	for _, r := range app.Status.Resources {
		s := suspect{ref: r.Ref(), class: classOf(r.Ref()), checked: r.Health != nil && r.Health.Status != ""}
		if !r.Hook && !r.RequiresPruning && s.class != trusted {
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(a, b suspect) int { return cmp.Compare(a.class, b.class) })
	return out
}

func classOf(ref evidence.Ref) class {
	switch ref.Group + "/" + ref.Kind {
	case "batch/CronJob":
		return runs
	case "autoscaling/HorizontalPodAutoscaler":
		return scales
	case "apps/StatefulSet", "apps/DaemonSet":
		return rollsOut
	}
	if advice.BuiltIn(ref) || slices.Contains(quietGroups, ref.Group) || slices.Contains(quietKinds, ref.Kind) {
		return trusted
	}
	return custom
}

// quietGroups and quietKinds have no status that tells how an object is.
var (
	quietGroups = []string{
		"rbac.authorization.k8s.io", "policy", "storage.k8s.io", "apiextensions.k8s.io", "admissionregistration.k8s.io", "scheduling.k8s.io",
		"coordination.k8s.io", "node.k8s.io", "discovery.k8s.io", "flowcontrol.apiserver.k8s.io", "events.k8s.io",
	}
	quietKinds = []string{"ServiceMonitor", "PodMonitor", "PrometheusRule"}
)

func refsOf(list []suspect) []evidence.Ref {
	var out []evidence.Ref
	for _, s := range list {
		if s.class != rollsOut {
			out = append(out, s.ref)
		}
	}
	return out
}

// trouble is what the object of a suspect says is wrong; nil where it does not complain.
func (s suspect) trouble(in *diagnose.In, o evidence.Object) *Resource {
	if o == nil || o.Text("metadata", "deletionTimestamp") != "" {
		return nil
	}
	r := &Resource{Ref: s.ref, Status: "Degraded", Object: o, Examined: true, Concealed: Unassessed}
	if s.checked {
		r.Concealed = Overlooked
	}
	var since evidence.Time
	switch s.class {
	case scales:
		c := o.Condition("AbleToScale")
		if c.Text("status") != "False" {
			c = o.Condition("ScalingActive")
		}
		if c.Text("status") != "False" || c.Text("reason") == "ScalingDisabled" { // somebody scaled its target to nothing
			return nil
		}
		since = c.Time("lastTransitionTime")
	case rollsOut:
		if !HeldBack(o) {
			return nil
		}
		r.Concealed = OnPurpose
	default:
		c, complains := ComplaintOf(o)
		if !complains || !c.Firm || s.checked && !c.decides() {
			return nil
		}
		since = c.since
	}
	if since.IsZero() {
		since = o.Time("metadata", "creationTimestamp")
	}
	r.Since = in.Since(since)
	r.Settling = !since.IsZero() && r.Since < mayTake
	return r
}

// mayTake is how long a new object may complain before it counts: metrics, certificates and load balancers take a few minutes.
const mayTake = 3 * time.Minute

// decides reports whether the complaint is one by which health checks go: where there is one that found the object healthy, its
// other conditions are details.
func (c Complaint) decides() bool {
	kind, _, _ := strings.Cut(c.What, "=")
	return slices.Contains([]string{"Ready", "Synced", "Healthy", "Available", "Degraded", "Stalled", "Failed"}, kind)
}

// HeldBack reports whether pods of a StatefulSet or DaemonSet keep the old revision until somebody acts: with OnDelete until they
// are deleted, behind a partition until that is lowered. Argo CD calls that healthy.
func HeldBack(o evidence.Object) bool {
	wanted, ok := o.Number("spec", "replicas")
	updated, _ := o.Number("status", "updatedReplicas") // left out where it is 0
	if o.Text("kind") == "DaemonSet" {
		wanted, ok = o.Number("status", "desiredNumberScheduled")
		updated, _ = o.Number("status", "updatedNumberScheduled")
	}
	partition, _ := o.Number("spec", "updateStrategy", "rollingUpdate", "partition")
	held := o.Text("spec", "updateStrategy", "type") == "OnDelete" || partition > 0
	_, seen := o.Number("status", "observedGeneration")
	revision := o.Text("status", "updateRevision")
	return held && ok && seen && updated < wanted && (revision == "" || revision != o.Text("status", "currentRevision"))
}

// failingRun adds a CronJob whose last finished run failed.
func (p *Picture) failingRun(in *diagnose.In, ref evidence.Ref) {
	if in.Waiting() {
		return
	}
	if p.Tree == nil {
		diagnose.Unchecked(in, ref)
		return
	}
	below := p.Descendants(ref)
	job := pods.LastRun(below)
	if job == nil || job.HealthStatus() != "Degraded" {
		return
	}
	s := &Resource{Ref: ref, Status: "Degraded", Job: job, Concealed: Unassessed, node: p.Tree.Find(ref), Since: in.Since(job.CreatedAt)}
	for i := range below {
		if pod := &below[i]; pod.Kind == "Pod" && slices.ContainsFunc(pod.ParentRefs, func(o evidence.Parent) bool { return o.Ref().Same(job.Ref()) }) && (s.Pod == nil || pod.CreatedAt.After(s.Pod.CreatedAt.Time)) {
			s.Pod = pod
		}
	}
	p.Resources = append(p.Resources, s)
}
