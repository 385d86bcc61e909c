package health

import (
	"cmp"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
)

// about is what a health rule recognises: the resources that are its own. Which rule a resource belongs to is found among
// those of the whole list.
type about []subject

// Recognition marks about as what rules recognise.
func (about) Recognition() {}

// subject describes unhealthy resources. What is not named may be anything. A resource belongs to the rule whose subject
// names most of it.
type subject struct {
	// pod is what the resource's pod suffers from. Where it does, that counts and not the kind.
	pod pods.Trouble
	// status is the health that Argo CD shows, or pendingDeletion.
	status string
	// kind is "apps/Deployment", "/Service", or "cert-manager.io/*" for a whole group.
	kind string
	// when is what else has to be true.
	when func(*unhealthy.Resource) bool
}

// pendingDeletion is the health of what is marked for deletion and still exists.
const pendingDeletion = "Pending deletion"

func (a subject) matches(s *unhealthy.Resource, status string, pod pods.Trouble) bool {
	return a.pod == pod &&
		(a.status == "" || a.status == status) &&
		(a.kind == "" || a.kind == s.Ref.Group+"/"+s.Ref.Kind || strings.HasSuffix(a.kind, "/*") && a.kind == s.Ref.Group+"/*") &&
		(a.when == nil || a.when(s))
}

// weight is how much a subject names: that something is missing says more about it than its kind does.
func (a subject) weight() int {
	n := 0
	if a.status != "" {
		n += 4
	}
	if a.kind != "" {
		n += 2
	}
	if a.when != nil {
		n++
	}
	return n
}

// claim is a subject with its rule.
type claim struct {
	subject
	rule *diagnose.Rule
}

// bySubject are the subjects of all rules, those that name most first.
func bySubject(rules []diagnose.Recogniser[about]) []claim {
	var out []claim
	for _, r := range rules {
		for _, a := range r.Recognises {
			out = append(out, claim{a, r.Rule})
		}
	}
	slices.SortStableFunc(out, func(a, b claim) int { return cmp.Compare(b.weight(), a.weight()) })
	return out
}

// ruleOf is the rule that a resource belongs to, nil if there is none.
func ruleOf(claims []claim, s *unhealthy.Resource) *diagnose.Rule {
	status, pod := s.Status, pods.NoTrouble
	if s.Leaving() {
		status = pendingDeletion
	}
	if s.PodCounts() {
		pod = s.Symptom.Trouble
	}
	for _, c := range claims {
		if c.matches(s, status, pod) {
			return c.rule
		}
	}
	return nil
}

// look is the picture with each resource given to its rule; nil when everything is healthy, or when what Argo CD itself
// says explains why not.
func look(in *diagnose.In) *unhealthy.Picture {
	p := unhealthy.Look(in)
	if p == nil || in.Waiting() {
		return p
	}
	for _, s := range p.Resources {
		if strand(in, s) || s.Rule == nil {
			s.Rule = ruleOf(diagnose.FromRules(in, "by subject", bySubject), s)
		}
	}
	return p
}

// shown is the picture of an application that Argo CD does not call healthy; nil for any other.
func shown(in *diagnose.In) *unhealthy.Picture {
	if p := look(in); p != nil && !p.Concealed {
		return p
	}
	return nil
}
