package apply

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/text"
)

var AdmissionDenied = &diagnose.Rule{
	ID:    "apply/admission-denied",
	Needs: statement.RefusalNeeds,
	Doc: diagnose.Doc{
		Title:    "A policy of the cluster denies the resource",
		What:     "An admission webhook (Kyverno, Gatekeeper, an operator's own), a ValidatingAdmissionPolicy, Pod Security or OpenShift's security context constraints look at the resource and say no. A sync says the same again until the manifest complies or the policy changes.",
		Decisive: "\"denied the request\", or \"forbidden: violates PodSecurity\". For pods it stands in the events of their ReplicaSet or Job.",
		Example:  "admission webhook \"validate.kyverno.svc-fail\" denied the request: policy require-labels: label team is required",
		Fix:      "Change the manifest to comply, or have the policy's owner exempt it.",
	},
	Sync: advice.Pointless("the policy denies it again until the manifest or the policy changes"),
	Check: statement.Refused(func(_ *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !isDenied(f) {
			return diagnose.Finding{}, false
		}
		policy, why := policyOf(f)
		return diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      fmt.Sprintf("%s denies %s", policy, statement.Name(s)),
			Why:        text.UpperFirst(fmt.Sprintf("%s does not admit %s: %s", policy, statement.Name(s), text.Sentence(text.Clip(text.OneLine(why), 2*message.MaxClause)))),
			Fix: []diagnose.Fix{
				{Text: "Change the manifest so that it complies, and push"},
				{Text: "Or look at the policy, and have its owner exempt this resource", Command: policyCommand(f)},
			},
		}, true
	}),
}

func isDenied(f *message.Failure) bool {
	return f.Has("denied the request", "denied request", "violates podsecurity", "denied by policy", "was blocked due to the following policies", "unable to validate against any security context constraint",
		"unable to validate against any pod security policy", "podsecuritypolicy: unable to admit", "denied by", "does not support dry run", "policy violation", "admission control") && !f.Has("failed calling webhook")
}

var (
	vap       = regexp.MustCompile(`ValidatingAdmissionPolicy '([^']+)'`)
	kyverno   = regexp.MustCompile(`following policies:?\s+([A-Za-z0-9_.\-]+):`)
	gatekeep  = regexp.MustCompile(`\[(?:denied by )?([A-Za-z0-9_.\-]+)\]`)
	podsec    = regexp.MustCompile(`violates PodSecurity "([^"]+)"`)
	policyTag = regexp.MustCompile(`policy ([A-Za-z0-9_\-]+):`)
)

// policyOf names who said no, and why.
func policyOf(f *message.Failure) (policy, why string) {
	said := f.Cause
	if m := podsec.FindStringSubmatchIndex(said); m != nil {
		return "Pod Security level " + said[m[2]:m[3]], strings.TrimLeft(said[m[1]:], ": ")
	}
	if m := vap.FindStringSubmatchIndex(said); m != nil {
		_, why, _ := strings.Cut(said[m[1]:], "request: ")
		return "ValidatingAdmissionPolicy " + said[m[2]:m[3]], cmp.Or(why, said)
	}
	if f.Has("security context constraint") {
		_, why, _ := strings.Cut(said, "security context constraint: ")
		return "OpenShift's security context constraints", cmp.Or(why, said)
	}
	name, _, _ := f.Webhook()
	_, why, ok := strings.Cut(said, "denied the request: ")
	if !ok {
		_, why, _ = strings.Cut(said, "denied the request:")
	}
	why = cmp.Or(why, said)
	policy = "admission webhook " + cmp.Or(name, "of the cluster")
	for _, e := range []*regexp.Regexp{kyverno, gatekeep, policyTag} {
		if m := e.FindStringSubmatch(why); m != nil {
			return "policy " + m[1] + " (" + policy + ")", why
		}
	}
	return policy, why
}

func policyCommand(f *message.Failure) string {
	switch {
	case f.Has("kyverno"):
		return "kubectl get clusterpolicies,policies -A"
	case f.Has("gatekeeper"):
		return "kubectl get constraints"
	case f.Has("validatingadmissionpolicy"):
		return "kubectl get validatingadmissionpolicies,validatingadmissionpolicybindings"
	case f.Has("podsecurity"):
		return "kubectl get namespaces -L pod-security.kubernetes.io/enforce"
	case f.Has("security context constraint"):
		return "oc adm policy who-can use scc"
	}
	return "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations"
}
