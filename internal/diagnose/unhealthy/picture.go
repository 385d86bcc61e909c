package unhealthy

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/evidence"
)

// Picture is what is applied and not healthy, followed from the top down:
//
//	application ── resource ── its most telling pod ── container state, event, log
//	                       ── no pod: its own object and events, or those of the controller that should create pods
//	                       ── a child application: its own status
//
// All health rules look at the same picture, so that each piece is read once: the application, the tree, then in parallel
// what there is to read about the worst resource; for a person who asks about four more as well. The others are reported from the tree
// alone. That is five calls at most for a watch, and for a person up to seven for each of the five resources.
type Picture struct {
	// Resources are those that are not healthy, worst first.
	Resources []*Resource
	Tree      *evidence.Tree
	// below is who owns what in the tree, made when it is first asked for, and spend counts what is looked at for that.
	below *evidence.Owners
	spend func(int)
	// Deleting: the application itself is being deleted, and what is listed is what is left of it.
	Deleting bool
	// Concealed: Argo CD calls the application healthy, and what is listed is what it does not see.
	Concealed bool
	// Unread: some of it could not be read (or is not read yet).
	Unread bool
}

// Look draws the picture; nil when everything is healthy, or when what Argo CD itself says explains why not.
func Look(in *diagnose.In) *Picture {
	p, _ := diagnose.Once(in, "what is not healthy", func() (*Picture, bool) {
		p := draw(in)
		return p, !in.Waiting()
	})
	return p
}

func draw(in *diagnose.In) *Picture {
	p := &Picture{Unread: true}
	switch {
	case !in.About().IsZero():
		if p = around(in); p == nil {
			return nil
		}
	case Unexplained(in):
		tree, ok := diagnose.Get(in, evidence.FactTree)
		if in.Waiting() {
			return p
		}
		p = List(in, tree)
		p.Unread = !ok
		p.examine(in)
		p.addHidden(in)
	case ExplainedByArgoCD(in), waits(in):
		if p = beside(in); p == nil {
			return nil
		}
		p.examine(in)
		if in.Waiting() {
			return p
		}
		p.readSymptoms(in)
		return p.withoutProgress().withoutEffects(in)
	default:
		if p = concealed(in); p == nil {
			return nil
		}
	}
	if in.Waiting() {
		return p
	}
	p.readSymptoms(in)
	return p
}

func (p *Picture) readSymptoms(in *diagnose.In) {
	for _, s := range p.Resources {
		s.dropLeavingPod(in)
		s.podAge = podAge(in, s)
		s.boundAge(in)
		if s.Symptom.Trouble == pods.NoTrouble { // of a pod that is ready at the moment it is known already
			s.Symptom = symptomOf(s)
		}
	}
	p.link(in)
}

// boundAge corrects for how long a resource has not been healthy where that is known of the whole application only: it cannot be for
// longer than the resource exists.
func (s *Resource) boundAge(in *diagnose.In) {
	var created evidence.Time
	if s.node != nil {
		created = s.node.CreatedAt
	}
	if s.Object != nil && s.Object.Ref().Same(s.Ref) {
		created = cmp.Or(s.Object.Time("metadata", "creationTimestamp"), created)
	}
	switch {
	case created.IsZero():
	case !in.About().IsZero() && s.Ref.Kind == "PersistentVolumeClaim" && s.Object.Text("status", "phase") == "Pending": // once bound, it never is again
		s.Since = in.Since(created)
	default:
		s.Since = min(s.Since, in.Since(created))
	}
}

// podAge is 0 where nothing says when the pod was created.
func podAge(in *diagnose.In, s *Resource) time.Duration {
	if s.Pod == nil {
		return 0
	}
	created := s.Pod.CreatedAt
	if s.Object != nil && s.Object.Ref().Same(s.Pod.Ref()) {
		created = cmp.Or(s.Object.Time("metadata", "creationTimestamp"), created)
	}
	return in.Since(created)
}

// Unexplained reports whether the application is not healthy for a reason that Argo CD itself does not give.
func Unexplained(in *diagnose.In) bool {
	app := in.App()
	if deleted := app.Metadata.DeletionTimestamp; !deleted.IsZero() {
		return in.Asked() || !TakesItsTime(in)
	}
	health := app.Status.Health.Status
	over := app.CurrentOperation() == nil || app.CurrentOperation().Terminated()
	return health != "" && health != "Healthy" && over && !ExplainedByArgoCD(in) && !onlyMissing(app)
}

// TakesItsTime reports whether the deletion of the application is not overdue, and Argo CD does not say that it failed.
func TakesItsTime(in *diagnose.In) bool {
	return in.Since(in.App().Metadata.DeletionTimestamp) < stuckThreshold && !deletionFailed(in)
}

// deletionFailed reports whether Argo CD says that it cannot delete the application.
func deletionFailed(in *diagnose.In) bool {
	return slices.ContainsFunc(in.App().Status.Conditions, func(c evidence.Condition) bool { return c.Type == "DeletionError" })
}

// ExplainedByArgoCD reports whether Argo CD itself says why the application is not healthy: a task of the sync failed, or
// there is a condition. That a running operation waits for something explains nothing yet, nor does that somebody ended one.
func ExplainedByArgoCD(in *diagnose.In) bool {
	all := in.Statements()
	for i := range all {
		op, s := in.App().Status.OperationState, &all[i]
		if s.From != "operation" || s.Failure.Stage != message.StageNone || !op.Running() && !op.Terminated() {
			return true
		}
	}
	return false
}

// onlyMissing reports whether all that is not healthy is what Git has and the cluster has not: that is drift, and there is
// nothing to examine.
func onlyMissing(app *evidence.Application) bool {
	n := 0
	for _, r := range app.Status.Resources {
		switch {
		case r.Health == nil || r.Health.Status == "Healthy":
		case r.Health.Status == "Missing" && r.Status == "OutOfSync":
			n++
		default:
			return false
		}
	}
	return n > 0 && app.Status.Health.Status == "Missing"
}

// List is the picture as far as the application and its tree draw it.
func List(in *diagnose.In, tree *evidence.Tree) *Picture {
	p, _ := diagnose.Once(in, "unhealthy resources", func() (*Picture, bool) {
		p := &Picture{Tree: tree, spend: in.Spend, Deleting: !in.App().Metadata.DeletionTimestamp.IsZero()}
		p.collect(in)
		return p, true
	})
	return p
}

// collect lists the resources that are not healthy, each with its most informative pod.
func (p *Picture) collect(in *diagnose.In) {
	app := in.App()
	nodes := map[evidence.Ref]*evidence.Node{}
	var roots []evidence.ResourceStatus
	if p.Tree != nil {
		for i := range p.Tree.Nodes {
			n := &p.Tree.Nodes[i]
			nodes[n.Ref()] = n
			if len(n.ParentRefs) == 0 && len(app.Status.Resources) == 0 {
				roots = append(roots, evidence.ResourceStatus{Group: n.Group, Kind: n.Kind, Namespace: n.Namespace, Name: n.Name, Health: n.Health})
			}
		}
	}
	podOf := pods.ByResource(p.Tree, nodes)
	below := p.unhealthyBelow(app)
	unassessed := p.Tree == nil && !slices.ContainsFunc(app.Status.Resources, func(r evidence.ResourceStatus) bool { return r.Health != nil })
	for _, r := range append(roots, app.Status.Resources...) {
		s := &Resource{Ref: r.Ref(), node: nodes[r.Ref()], Pod: podOf[r.Ref()], OutOfSync: r.Status == "OutOfSync", Since: unhealthyFor(in, r.Health)}
		if s.node != nil && s.node.Health != nil {
			s.Status, s.Text = s.node.Health.Status, s.node.Health.Message
		}
		if r.Health != nil {
			s.Status, s.Text = r.Health.Status, cmp.Or(r.Health.Message, s.Text)
		}
		if s.Status == "" && unassessed {
			s.Status = freeHealth(in, s.Ref)
		}
		if n := below[s.Ref]; n != nil {
			s.Status, s.Text = n.HealthStatus(), strings.TrimSuffix(n.Ref().String()+": "+n.Health.Message, ": ")
		}
		if s.Pod != nil && s.Status == "Progressing" && !s.Pod.CreatedAt.IsZero() {
			s.Since = min(s.Since, in.Since(s.Pod.CreatedAt)) // a rollout has just begun, whatever the application did before
		}
		if s.Pod != nil && !advice.BuiltIn(s.Ref) && runsReady(s.Pod) { // the object says more
			s.Pod = nil
		}
		if r.Hook || !s.isUnhealthy(len(app.Status.Resources) == 0) && !p.Deleting {
			continue
		}
		if s.Ref.Kind == "CronJob" && s.Ref.Group == "batch" {
			s.Job = pods.LastFailedJob(p.Descendants(s.Ref))
		}
		p.Resources = append(p.Resources, s)
	}
	slices.SortStableFunc(p.Resources, func(a, b *Resource) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), strings.Compare(a.Ref.Kind, b.Ref.Kind), strings.Compare(a.Ref.Name, b.Ref.Name), strings.Compare(a.Ref.Namespace, b.Ref.Namespace))
	})
	p.addParts(nodes)
}

// unhealthyBelow is the worst of what each resource without a health of its own owns, where that alone can be why the application is not
// healthy: none of its resources is shown as anything but healthy. Argo CD has no health check for most custom resources.
func (p *Picture) unhealthyBelow(app *evidence.Application) map[evidence.Ref]*evidence.Node {
	if p.Tree == nil || app.Status.Health.Status != "Progressing" && app.Status.Health.Status != "Degraded" {
		return nil
	}
	for _, r := range app.Status.Resources {
		n := p.Tree.Find(r.Ref())
		if r.Health != nil && r.Health.Status != "Healthy" && r.Health.Status != "" || n != nil && n.HealthStatus() != "Healthy" && n.HealthStatus() != "" {
			return nil
		}
	}
	out := map[evidence.Ref]*evidence.Node{}
	for _, r := range app.Status.Resources {
		if r.Health != nil && r.Health.Status != "" || r.Hook || advice.BuiltIn(r.Ref()) {
			continue
		}
		owned := p.Descendants(r.Ref())
		for i := range owned {
			n := &owned[i]
			if worst := out[r.Ref()]; n.HealthStatus() == "Degraded" && (worst == nil || worst.HealthStatus() != "Degraded") || n.HealthStatus() == "Progressing" && worst == nil {
				out[r.Ref()] = n
			}
		}
	}
	return out
}

// runsReady reports whether all containers of a pod are ready. Argo CD calls one that is not restarted forever Progressing all the same.
func runsReady(pod *evidence.Node) bool {
	ready, all, ok := strings.Cut(pod.InfoValue("Containers"), "/")
	return ok && ready == all && pods.Reason(pod) == "Running" && pod.HealthStatus() == "Progressing"
}

// Descendants are what a resource owns, directly or through others; none where the tree is not known.
func (p *Picture) Descendants(ref evidence.Ref) []evidence.Node {
	if p.Tree == nil {
		return nil
	}
	if p.below == nil {
		p.below = p.Tree.Owners(p.spend)
	}
	return p.below.Descendants(ref)
}

// stuckThreshold is how long something may be on its way before it counts as stuck where nothing says why: Kubernetes' own
// default of progressDeadlineSeconds.
const stuckThreshold = 10 * time.Minute

// SettleThreshold is how long a step of Kubernetes may take before it counts as one that does not end: a pod to get a node
// and its containers, a probe to be answered, an object to go, Argo CD to notice.
const SettleThreshold = 2 * time.Minute

// unhealthyFor is how long a resource has not been healthy. Argo CD 2.x says so only of the whole application.
func unhealthyFor(in *diagnose.In, h *evidence.Health) time.Duration {
	st := in.App().Status
	if h != nil && !h.LastTransitionTime.IsZero() {
		return in.Since(h.LastTransitionTime)
	}
	if !st.Health.LastTransitionTime.IsZero() {
		return in.Since(st.Health.LastTransitionTime)
	}
	if st.OperationState != nil {
		return in.Since(st.OperationState.FinishedAt)
	}
	return 0
}
