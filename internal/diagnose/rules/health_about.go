package rules

import (
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
)

// about is what a health rule recognises: the resources that are its own.
type about []unhealthyResource

// unhealthyResource describes unhealthy resources. What is not named may be anything. A resource belongs to the rule whose subject
// names most of it.
type unhealthyResource struct {
	// pod is what the pod that tells suffers from. Where one does, it is that and not the resource's kind that counts.
	pod trouble
	// status is the health that Argo CD shows, or pendingDeletion.
	status string
	// kind is "apps/Deployment", "/Service", or "cert-manager.io/*" for a whole group.
	kind string
	// when is what else has to be true.
	when func(*sickResource) bool
}

// pendingDeletion stands for the health of what is marked for deletion and still there.
const pendingDeletion = "Pending deletion"

func (a unhealthyResource) matches(s *sickResource, status string, pod trouble) bool {
	return a.pod == pod &&
		(a.status == "" || a.status == status) &&
		(a.kind == "" || a.kind == s.ref.Group+"/"+s.ref.Kind || strings.HasSuffix(a.kind, "/*") && a.kind == s.ref.Group+"/*") &&
		(a.when == nil || a.when(s))
}

// weight is how much a subject names: that something is missing says more about it than its kind does.
func (a unhealthyResource) weight() int {
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

// ruleOf is the rule that a resource belongs to.
func ruleOf(rules []diagnose.Recogniser[about], s *sickResource) *diagnose.Rule {
	status, pod := s.status, troubleNone
	if s.leaving() {
		status = pendingDeletion
	}
	if s.podCounts() {
		pod = s.symptom.trouble
	}
	var best *diagnose.Rule
	most := -1
	for _, r := range rules {
		for _, a := range r.Recognises {
			if w := a.weight(); w > most && a.matches(s, status, pod) {
				best, most = r.Rule, w
			}
		}
	}
	return best
}

// lookAtHealth is the picture with each resource given to its rule; nil when everything is well, or when what Argo CD itself
// says explains why not.
func lookAtHealth(in *diagnose.In) *sickPicture {
	p := lookAtSick(in)
	if p == nil || in.Waiting() || !slices.ContainsFunc(p.list, func(s *sickResource) bool { return s.rule == nil }) {
		return p
	}
	rules := diagnose.Recognisers[about](in)
	for _, s := range p.list {
		s.rule = ruleOf(rules, s)
	}
	return p
}
