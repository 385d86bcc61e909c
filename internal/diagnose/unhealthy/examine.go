package unhealthy

import (
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/evidence"
)

// examine asks for what there is to read about the worst resource, all before looking at any.
func (p *Picture) examine(in *diagnose.In) {
	if len(p.Resources) == 0 {
		return
	}
	s := p.Resources[0]
	if p.Deleting && !s.Leaving() || s.Status == "Missing" || s.Ref.Kind == "Application" && s.Ref.Group == "argoproj.io" {
		return // what is left of an application explains nothing, nor does what does not exist; a child is read by its own rule
	}
	r := reader{in: in, free: p.Tree == nil}
	defer func() { p.Unread = p.Unread || r.unread }()
	s.Examined = true
	if s.Pod != nil {
		p.examineSecond(in, &r)
		pod := evidence.ObjectQuery{Ref: s.Pod.Ref(), UID: s.Pod.UID}
		s.Object = readFact(&r, evidence.FactObject(pod))
		s.Events = readFact(&r, evidence.FactEvents(pod))
		switch rank := pods.Rank(s.Pod); {
		case rank == pods.RankPending:
			if claim := pendingClaim(p.Tree, s); claim != nil { // it has no log yet, and a claim may say more
				s.Claim, s.claimEvents = claim.Name, readFact(&r, evidence.FactEvents(evidence.ObjectQuery{Ref: claim.Ref(), UID: claim.UID}))
			}
		case pods.HasLog(s.Pod):
			s.Log = readFact(&r, evidence.FactLog(pods.LogQuery(s.Pod)))
		}
		return
	}
	q := evidence.ObjectQuery{Ref: s.Ref}
	if s.node != nil {
		q.UID = s.node.UID
	}
	if s.Job != nil { // it knows why it failed; the CronJob only that one did
		q = evidence.ObjectQuery{Ref: s.Job.Ref(), UID: s.Job.UID}
	}
	idle := []evidence.Node{}
	if p.Tree != nil {
		idle = IdleControllers(in, p.Tree)
	}
	if len(idle) < pods.MaxControllers { // their events are read for the rules about refusals
		s.Object = readFact(&r, evidence.FactObject(q))
	}
	i := slices.IndexFunc(idle, func(n evidence.Node) bool { return n.Ref() == s.Ref || pods.RootOf(p.Tree.Find, &n) == s.Ref })
	if i >= 0 {
		q = evidence.ObjectQuery{Ref: idle[i].Ref(), UID: idle[i].UID}
	}
	if i >= 0 || len(idle) == 0 {
		s.Events = readFact(&r, evidence.FactEvents(q))
	}
}

// examineSecond looks at one more resource whose pod fails. It may suffer from something else, or be what the first waits for, so one
// that others use to depend on is taken: of an earlier wave, a StatefulSet.
func (p *Picture) examineSecond(in *diagnose.In, r *reader) {
	var second *Resource
	for _, s := range p.Resources[1:] {
		if s.Pod == nil || !s.PodCounts() || pods.Rank(s.Pod) < pods.RankPending {
			continue
		}
		if second == nil || dependedOn(in, s) < dependedOn(in, second) {
			second = s
		}
	}
	if second == nil {
		return
	}
	q := evidence.ObjectQuery{Ref: second.Pod.Ref(), UID: second.Pod.UID}
	second.Object = readFact(r, evidence.FactObject(q))
	second.Events = readFact(r, evidence.FactEvents(q))
	if pods.HasLog(second.Pod) && pods.Rank(second.Pod) == pods.RankFailing {
		second.Log = readFact(r, evidence.FactLog(pods.LogQuery(second.Pod)))
	}
	second.Examined = second.Object != nil
}

// dependedOn orders workloads by how likely others need them, the likely first.
func dependedOn(in *diagnose.In, s *Resource) int64 {
	order := int64(1)
	if s.Ref.Kind == "StatefulSet" {
		order = 0
	}
	if own := in.App().Resource(s.Ref); own != nil {
		order += 2 * own.SyncWave
	}
	return order
}

// reader reads facts and notes what is missing. Without a tree nothing is known to exist, and only what is free is read.
type reader struct {
	in     *diagnose.In
	free   bool
	unread bool
}

func readFact[T any](r *reader, f evidence.Fact[T]) T {
	if r.free {
		v, _ := diagnose.Peek(r.in, f)
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

// pendingClaim is a volume claim of the pod's namespace that is not bound.
func pendingClaim(tree *evidence.Tree, s *Resource) *evidence.Node {
	if tree == nil {
		return nil
	}
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		if n.Kind == "PersistentVolumeClaim" && n.Namespace == s.Pod.Namespace && n.Health != nil && n.Health.Status != "Healthy" {
			return n
		}
	}
	return nil
}
