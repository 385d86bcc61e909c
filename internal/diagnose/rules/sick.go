package rules

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// What is applied and not healthy is followed from the top down:
//
//	application ── resource ── the pod of it that tells ── container state, event, log
//	                       ── no pod: its own object and events, or those of the controller that should create pods
//	                       ── a child application: its own status
//
// All health rules look at the same picture of it, so that each piece is read once: the application, the tree, then in
// parallel what there is to read about the one resource that tells most. The others are told from the tree alone. That is
// five calls at most.
type sickPicture struct {
	// list is what is not well, worst first.
	list []*sickResource
	tree *evidence.Tree
	// below is who owns what in the tree, made when it is first asked for.
	below *evidence.Owners
	// deleting: the application itself is being deleted, and what is listed is what is left of it.
	deleting bool
	// unread: some of it could not be read (or is not read yet).
	unread bool
}

// sickResource is a resource of the application that is not healthy.
type sickResource struct {
	ref          evidence.Ref
	status, text string
	since        time.Duration
	outOfSync    bool
	node         *evidence.Node
	// pod is the node of the pod that tells, nil where there is none.
	pod *evidence.Node
	// job is the last failed Job of a CronJob.
	job *evidence.Node
	// object, events and log are the pod's; the resource's own where there is no pod. Only the worst resource is examined.
	object evidence.Object
	events []evidence.Event
	log    evidence.Log
	// claim is a volume claim that lies beside the pod and is not bound, claimEvents are its events. Whether it is the
	// pod's the pod says.
	claim       string
	claimEvents []evidence.Event
	examined    bool
	symptom     ailment
	// rule is the one that the resource belongs to.
	rule *diagnose.Rule
}

// healthNeeds is what health rules may ask for.
var healthNeeds = []evidence.Kind{evidence.KindTree, evidence.KindObject, evidence.KindEvents, evidence.KindLog}

// lookAtSick draws the picture; nil when everything is well, or when what Argo CD itself says explains why not.
func lookAtSick(in *diagnose.In) *sickPicture {
	p, _ := diagnose.Once(in, "sick", func() (*sickPicture, bool) {
		p := drawSick(in)
		return p, !in.Waiting()
	})
	return p
}

func drawSick(in *diagnose.In) *sickPicture {
	if !looksSick(in) {
		return nil
	}
	tree, ok := diagnose.Get(in, evidence.FactTree)
	if in.Waiting() {
		return &sickPicture{unread: true}
	}
	p := whoIsSick(in, tree)
	p.unread = !ok
	p.examine(in)
	if in.Waiting() {
		return p
	}
	for _, s := range p.list {
		s.forgetLeavingPod(in)
		s.symptom = symptomOf(s)
	}
	return p
}

// looksSick reports whether the application is not well for a reason that Argo CD itself does not give.
func looksSick(in *diagnose.In) bool {
	app := in.App()
	if deleted := app.Metadata.DeletionTimestamp; !deleted.IsZero() {
		return in.Since(deleted) >= patience || deletionFailed(in) // before that it takes its time
	}
	health := app.Status.Health.Status
	return health != "" && health != "Healthy" && in.App().CurrentOperation() == nil && !explained(in) && !onlyMissing(app)
}

// onlyMissing reports whether all that is not well is what Git has and the cluster has not: that is drift, and there is
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

// whoIsSick is the picture as far as the application and its tree draw it.
func whoIsSick(in *diagnose.In, tree *evidence.Tree) *sickPicture {
	p, _ := diagnose.Once(in, "who is sick", func() (*sickPicture, bool) {
		p := &sickPicture{tree: tree, deleting: !in.App().Metadata.DeletionTimestamp.IsZero()}
		p.collect(in)
		return p, true
	})
	return p
}

// collect lists the resources that are not healthy, each with its telling pod.
func (p *sickPicture) collect(in *diagnose.In) {
	app := in.App()
	nodes := map[evidence.Ref]*evidence.Node{}
	var roots []evidence.ResourceStatus
	if p.tree != nil {
		for i := range p.tree.Nodes {
			n := &p.tree.Nodes[i]
			nodes[n.Ref()] = n
			if len(n.ParentRefs) == 0 && len(app.Status.Resources) == 0 {
				roots = append(roots, evidence.ResourceStatus{Group: n.Group, Kind: n.Kind, Namespace: n.Namespace, Name: n.Name, Health: n.Health})
			}
		}
	}
	pods := tellingPods(p.tree, nodes)
	untold := p.tree == nil && !slices.ContainsFunc(app.Status.Resources, func(r evidence.ResourceStatus) bool { return r.Health != nil })
	for _, r := range append(roots, app.Status.Resources...) {
		s := &sickResource{ref: r.Ref(), node: nodes[r.Ref()], pod: pods[r.Ref()], outOfSync: r.Status == "OutOfSync", since: ailingFor(in, r.Health)}
		if s.node != nil && s.node.Health != nil {
			s.status, s.text = s.node.Health.Status, s.node.Health.Message
		}
		if r.Health != nil {
			s.status, s.text = r.Health.Status, cmp.Or(r.Health.Message, s.text)
		}
		if s.status == "" && untold {
			s.status = freeHealth(in, s.ref)
		}
		if s.pod != nil && s.status == "Progressing" && !s.pod.CreatedAt.IsZero() {
			s.since = min(s.since, in.Since(s.pod.CreatedAt)) // a rollout has just begun, whatever the application did before
		}
		if r.Hook || !s.unwell(len(app.Status.Resources) == 0) && !p.deleting {
			continue
		}
		if s.ref.Kind == "CronJob" && s.ref.Group == "batch" {
			s.job = failedJob(p.descendants(s.ref))
		}
		p.list = append(p.list, s)
	}
	slices.SortStableFunc(p.list, func(a, b *sickResource) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), strings.Compare(a.ref.Kind, b.ref.Kind), strings.Compare(a.ref.Name, b.ref.Name), strings.Compare(a.ref.Namespace, b.ref.Namespace))
	})
}

// descendants are what a resource owns, directly or through others.
func (p *sickPicture) descendants(ref evidence.Ref) []evidence.Node {
	if p.below == nil {
		p.below = p.tree.Owners()
	}
	return p.below.Descendants(ref)
}

// unwell reports whether the resource is part of why the application is not healthy. What is missing and out of sync is
// the business of drift. Where Argo CD lists no resources, a pod that is in trouble makes its owner unwell.
func (s *sickResource) unwell(unlisted bool) bool {
	switch s.status {
	case "Degraded", "Progressing", "Suspended", "Unknown":
		return true
	case "Missing":
		return !s.outOfSync
	}
	return unlisted && s.pod != nil && podRank(s.pod) >= rankPending
}

// rank orders by how much there is to be learned.
func (s *sickResource) rank() int {
	pod := -1
	if s.pod != nil {
		pod = podRank(s.pod)
	}
	switch {
	case s.leaving() && s.ref.Kind == "Namespace":
		return 0 // it knows what holds the rest
	case s.leaving():
		return 1
	case pod == rankFailing:
		return 2
	case s.status == "Degraded":
		return 3 + depth(s.ref)
	case pod == rankPending:
		return 5
	case pod >= 0:
		return 6
	case s.status == "Progressing", s.status == "Unknown":
		return 7 + depth(s.ref)
	case s.status == "Missing":
		return 9
	}
	return 10
}

// depth is 0 for the kinds that others depend on.
func depth(ref evidence.Ref) int {
	switch ref.Kind {
	case "SecretStore", "ClusterSecretStore", "Issuer", "ClusterIssuer", "CustomResourceDefinition":
		return 0
	}
	return 1
}

// leaving reports whether the resource is marked for deletion and still there.
func (s *sickResource) leaving() bool { return strings.EqualFold(s.text, "Pending deletion") }

// patience is how long something may be on its way before it counts as sick where nothing says why: Kubernetes' own
// default of progressDeadlineSeconds.
const patience = 10 * time.Minute

// briefly is how long a step of Kubernetes may take before it counts as one that does not end: a pod to get a node and its
// containers, a probe to be answered, an object to go, Argo CD to notice.
const briefly = 2 * time.Minute

// ailingFor is since when a resource is not healthy. Argo CD 2.x says so only of the whole application.
func ailingFor(in *diagnose.In, h *evidence.Health) time.Duration {
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
