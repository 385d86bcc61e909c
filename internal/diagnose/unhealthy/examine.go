package unhealthy

import (
	"cmp"
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/evidence"
)

// examine asks for what there is to read about the worst resource, all before looking at any. For a person who asks it also reads a
// few more that may be its cause or another trouble: pods, and an object without pods.
func (p *Picture) examine(in *diagnose.In) {
	i := slices.IndexFunc(p.Resources, func(s *Resource) bool { return !s.isChild() }) // a child is read by its own rule
	if i < 0 {
		return
	}
	s := p.Resources[i]
	if p.Deleting && !s.Leaving() || s.Status == "Missing" {
		return // what is left of an application explains nothing, nor does what does not exist
	}
	r := reader{in: in, free: p.Tree == nil}
	defer func() { p.Unread = p.Unread || r.unread }()
	s.Examined = true
	if s.Pod != nil {
		p.examinePod(&r, s)
	} else {
		p.examineObject(in, &r, s)
		p.examineReferred(&r, s)
	}
	if !in.About().IsZero() {
		return
	}
	r.asked = true
	for _, further := range p.furtherPods(in, s) {
		p.examinePod(&r, further)
		further.Examined = further.Object != nil
	}
	if second := p.secondObject(s); second != nil {
		q := second.query()
		second.Object, second.Events = readFact(&r, evidence.FactObject(q)), readFact(&r, evidence.FactEvents(q))
		p.examineBelow(&r, second)
		p.examineReferred(&r, second)
	}
}

func (s *Resource) isChild() bool { return s.Ref.Kind == "Application" && s.Ref.Group == "argoproj.io" }

// query names the object of the resource itself.
func (s *Resource) query() evidence.ObjectQuery {
	if s.node != nil {
		return s.node.Query()
	}
	return evidence.ObjectQuery{Ref: s.Ref}
}

// examinePod reads the pod of a resource, its events and its log.
func (p *Picture) examinePod(r *reader, s *Resource) {
	pod := s.Pod.Query()
	if s.hook { // the rules about hooks have read what there is to read about it
		r = &reader{in: r.in, free: true}
	}
	asked := &reader{in: r.in, free: r.free, asked: true}
	s.Object = readFact(r, evidence.FactObject(pod))
	s.Events = readFact(r, evidence.FactEvents(pod))
	switch rank := pods.Rank(s.Pod); {
	case pods.Reason(s.Pod) == "PodInitializing": // its volumes are there, and an init container may say what it waits for
		s.Log = readFact(asked, evidence.FactLog(s.logQuery()))
	case rank == pods.RankPending:
		if claim := pendingClaim(p.Tree, s); claim != nil { // it has no log yet, and a claim may say more
			s.Claim, s.claimEvents = claim.Name, readFact(r, evidence.FactEvents(claim.Query()))
		}
	case pods.HasLog(s.Pod):
		s.Log = readFact(r, evidence.FactLog(s.logQuery()))
	}
	if s.Ref.Kind == "StatefulSet" && pods.Rank(s.Pod) >= pods.RankPending {
		s.Owner = readFact(asked, evidence.FactObject(s.query()))
	}
	p.examineBelow(asked, s) // the pod says more
}

// logQuery is the log of its pod that tells most. Of a hook's pod of several containers the rules about hooks have read the one that only the pod tells.
func (s *Resource) logQuery() evidence.LogQuery {
	q := pods.LogQuery(s.Pod)
	if s.hook && q.Container == "" && pods.HasSeveral(s.Pod) {
		q.Container = pods.TellingContainer(s.Object)
	}
	return q
}

// examineObject reads a resource without pods, and the events of the controller that should create them.
func (p *Picture) examineObject(in *diagnose.In, r *reader, s *Resource) {
	q := s.query()
	if s.Job != nil { // it knows why it failed; the CronJob only that one did
		q = s.Job.Query()
	}
	idle := []evidence.Node{}
	if p.Tree != nil {
		idle = IdleControllers(in, p.Tree)
	}
	if len(idle) < pods.MaxControllers { // their events are read for the rules about refusals
		s.Object = readFact(r, evidence.FactObject(q))
	}
	i := slices.IndexFunc(idle, func(n evidence.Node) bool { return n.Ref() == s.Ref || pods.RootOf(p.Tree.Find, &n) == s.Ref })
	if i >= 0 {
		q = idle[i].Query()
	}
	if i >= 0 || len(idle) == 0 {
		s.Events = readFact(r, evidence.FactEvents(q))
	}
	p.examineBelow(r, s)
}

// below are the kinds that know more than the resource that owns them, the one that knows most first.
var below = map[string][]string{
	"cert-manager.io/Certificate": {"Challenge", "Order", "CertificateRequest"},
	"argoproj.io/Rollout":         {"AnalysisRun"},
}

// examineBelow reads the one object below a resource that knows most: the newest of its kind.
func (p *Picture) examineBelow(r *reader, s *Resource) {
	kinds := below[s.Ref.Group+"/"+s.Ref.Kind]
	if len(kinds) == 0 || p.Tree == nil {
		return
	}
	owned := p.Descendants(s.Ref)
	for _, kind := range kinds {
		var newest *evidence.Node
		for i := range owned {
			n := &owned[i]
			if n.Kind == kind && n.HealthStatus() != "Healthy" && (newest == nil || n.CreatedAt.After(newest.CreatedAt.Time)) {
				newest = n
			}
		}
		if newest != nil {
			s.Below = readFact(r, evidence.FactObject(newest.Query()))
			return
		}
	}
}

// maxFurther is how many more pods are read, in parallel, for a person who asks.
const maxFurther = 3

// furtherPods are more resources whose pods fail. They may suffer from something else, or be what the first waits for, so those that others
// use to depend on come first: of an earlier wave, a StatefulSet.
func (p *Picture) furtherPods(in *diagnose.In, first *Resource) []*Resource {
	var out []*Resource
	var order []int64
	for _, s := range p.Resources {
		if s == first || s.Pod == nil || !s.PodCounts() {
			continue
		}
		its := dependedOn(in, s)
		if pods.Rank(s.Pod) < pods.RankPending && !pods.Initialises(s.Pod) {
			if pods.Reason(s.Pod) != "Running" || runsReady(s.Pod) {
				continue
			}
			its += lastWave // it runs: others tell more
		}
		at, _ := slices.BinarySearch(order, its+1) // behind its equals
		if at < maxFurther {
			out, order = slices.Insert(out, at, s), slices.Insert(order, at, its)
			out, order = out[:min(len(out), maxFurther)], order[:min(len(order), maxFurther)]
		}
	}
	return out
}

// secondObject is one more object without pods that is not healthy, where its kind writes why into its status or its events: what should
// make a Secret first, because pods wait for it.
func (p *Picture) secondObject(first *Resource) *Resource {
	var second *Resource
	for _, s := range p.Resources {
		if s == first || s.Pod != nil || s.Job != nil || s.isChild() || s.Leaving() || s.Status == "Missing" || s.Status == "Suspended" || s.Ref.Group == "apps" || s.Ref.Kind == "Job" {
			continue
		}
		if second == nil || s.MakesSecret() && !second.MakesSecret() {
			second = s
		}
	}
	return second
}

// MakesSecret reports whether it is of a kind whose controller writes a Secret.
func (s *Resource) MakesSecret() bool { return MakesSecret(s.Ref.Kind) }

// MakesSecret reports whether what implements a kind writes a Secret for each object of it.
func MakesSecret(kind string) bool {
	switch kind {
	case "ExternalSecret", "ClusterExternalSecret", "SealedSecret", "Certificate", "VaultStaticSecret", "VaultDynamicSecret", "VaultPKISecret", "OnePasswordItem", "InfisicalSecret", "BitwardenSecret", "ObjectBucketClaim", "KafkaUser":
		return true
	}
	return false
}

// SecretName is the Secret that it writes: of its own name where it names none.
func (s *Resource) SecretName() string { return cmp.Or(SecretName(s.Object), s.Ref.Name) }

// SecretName is the Secret that an object has written; empty where it does not name it.
func SecretName(o evidence.Object) string {
	for _, path := range [][]string{{"spec", "target", "name"}, {"spec", "secretName"}, {"spec", "destination", "name"}, {"spec", "template", "metadata", "name"}, {"spec", "managedSecretReference", "secretName"}} {
		if name := o.Text(path...); name != "" {
			return name
		}
	}
	return ""
}

// lastWave is behind what [dependedOn] makes of any sync wave.
const lastWave = 1 << 40

// dependedOn orders workloads by how likely others need them, the likely first.
func dependedOn(in *diagnose.In, s *Resource) int64 {
	order := int64(1)
	if s.Ref.Kind == "StatefulSet" {
		order = 0
	}
	if own := in.Resource(s.Ref); own != nil {
		order += 2 * own.SyncWave
	}
	return order
}

// reader reads facts and notes what is missing. Without a tree nothing is known to exist, and only what is free is read; asked: it is
// worth a call only where a person asked.
type reader struct {
	in     *diagnose.In
	free   bool
	asked  bool
	unread bool
}

func readFact[T any](r *reader, f evidence.Fact[T]) T {
	if r.free {
		v, _ := diagnose.Peek(r.in, f)
		return v
	}
	if r.asked {
		v, _ := diagnose.Look(r.in, f)
		return v
	}
	v, ok := diagnose.Get(r.in, f)
	r.unread = r.unread || !ok
	return v
}

// IdleControllers are the controllers that lack pods, each found once.
func IdleControllers(in *diagnose.In, tree *evidence.Tree) []evidence.Node {
	idle, _ := diagnose.Once(in, "controllers without pods", func() ([]evidence.Node, bool) { return pods.ControllersWithout(tree), true })
	return idle
}

// pendingClaim is a volume claim of the pod's namespace that is not bound: one with the pod's name in it before any other.
func pendingClaim(tree *evidence.Tree, s *Resource) *evidence.Node {
	if tree == nil {
		return nil
	}
	var first *evidence.Node
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		if n.Kind != "PersistentVolumeClaim" || n.Namespace != s.Pod.Namespace || n.Health == nil || n.Health.Status == "Healthy" {
			continue
		}
		if s.madeFor(n.Name) {
			return n
		}
		if first == nil {
			first = n
		}
	}
	return first
}
