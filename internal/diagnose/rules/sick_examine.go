package rules

import (
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// examine asks for what tells about the worst resource, all before looking at any.
func (p *sickPicture) examine(in *diagnose.In) {
	if len(p.list) == 0 {
		return
	}
	s := p.list[0]
	if p.deleting && !s.leaving() || s.status == "Missing" || s.ref.Kind == "Application" && s.ref.Group == "argoproj.io" {
		return // what is left of an application says nothing, what is not there neither; a child is read by its own rule
	}
	r := reader{in: in, free: p.tree == nil}
	defer func() { p.unread = p.unread || r.unread }()
	s.examined = true
	if s.pod != nil {
		pod := evidence.ObjectQuery{Ref: s.pod.Ref(), UID: s.pod.UID}
		s.object = readFact(&r, evidence.FactObject(pod))
		s.events = readFact(&r, evidence.FactEvents(pod))
		switch rank := podRank(s.pod); {
		case rank == rankPending:
			if claim := pendingClaim(p.tree, s); claim != nil { // it has no log yet, and a claim may say more
				s.claim, s.claimEvents = claim.Name, readFact(&r, evidence.FactEvents(evidence.ObjectQuery{Ref: claim.Ref(), UID: claim.UID}))
			}
		case hasLog(s.pod):
			s.log = readFact(&r, evidence.FactLog(logOf(s.pod)))
		}
		return
	}
	q := evidence.ObjectQuery{Ref: s.ref}
	if s.node != nil {
		q.UID = s.node.UID
	}
	if s.job != nil { // it knows why it failed; the CronJob only that one did
		q = evidence.ObjectQuery{Ref: s.job.Ref(), UID: s.job.UID}
	}
	idle := []evidence.Node{}
	if p.tree != nil {
		idle = idleControllers(in, p.tree)
	}
	if len(idle) < maxControllers { // their events are read for the rules about refusals
		s.object = readFact(&r, evidence.FactObject(q))
	}
	i := slices.IndexFunc(idle, func(n evidence.Node) bool { return n.Ref() == s.ref || rootOf(p.tree.Find, &n) == s.ref })
	if i >= 0 {
		q = evidence.ObjectQuery{Ref: idle[i].Ref(), UID: idle[i].UID}
	}
	if i >= 0 || len(idle) == 0 {
		s.events = readFact(&r, evidence.FactEvents(q))
	}
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

// idleControllers are the controllers that lack pods, each found once.
func idleControllers(in *diagnose.In, tree *evidence.Tree) []evidence.Node {
	idle, _ := diagnose.Once(in, "controllers without pods", func() ([]evidence.Node, bool) { return withoutPods(tree), true })
	return idle
}

// pendingClaim is a volume claim of the pod's namespace that is not bound.
func pendingClaim(tree *evidence.Tree, s *sickResource) *evidence.Node {
	if tree == nil {
		return nil
	}
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		if n.Kind == "PersistentVolumeClaim" && n.Namespace == s.pod.Namespace && n.Health != nil && n.Health.Status != "Healthy" {
			return n
		}
	}
	return nil
}
