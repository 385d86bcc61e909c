package apply

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// denial is who denies a resource, and why.
type denial struct {
	// by is what denies it: "a policy". kind and name are the same by name: "policy" and "require-labels"; empty where it has none.
	by, kind, name string
	// webhook enforces the policy; empty where none is involved, or the webhook itself denies it.
	webhook string
	// who begins the sentence with the reason.
	who, reason string
	// more are further violations, in the words of the policy.
	more []string
	// field is the only one that is not accepted, where that is known; several: there are more, and the reason is about all of them.
	field   string
	several bool
	// title is what is wrong with the resource where a policy was only the first to notice; empty where it is the policy's demand.
	title string
	// holder is the Ingress that has the host already, host which one; zero for any other reason.
	holder evidence.Ref
	host   string
	// outsideGit: no change of the manifest helps.
	outsideGit bool
	// required is what has to be changed, in the words of the check.
	required []string
	// change and exempt are the steps that help where the usual ones do not fit. show is the command that goes with the second.
	change, exempt, show string
}

// show are the commands that show who is behind a denial.
const (
	showConfigurations = "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations -o custom-columns='KIND:.kind,CONFIGURATION:.metadata.name,WEBHOOKS:.webhooks[*].name,SERVICES:.webhooks[*].clientConfig.service.name'"
	showKyverno        = "kubectl get clusterpolicies.kyverno.io,policies.kyverno.io -A"
	showGatekeeper     = "kubectl get constraints"
)

// configurationOf is the command that finds the configuration of a webhook: with its header, so it prints something in any case.
func configurationOf(webhook string) string {
	if webhook == "" {
		return showConfigurations
	}
	return showConfigurations + diagnose.Shell(" | grep -F -e CONFIGURATION -e %s", webhook)
}

// readDenial finds out who denied it, and why. namespace is where the resource belongs.
func readDenial(f *message.Failure, namespace string) denial {
	said := text.OneLine(f.Cause)
	switch {
	case podsec.MatchString(said):
		m := podsec.FindStringSubmatchIndex(said)
		return podSecurity(said[m[2]:m[3]], strings.TrimLeft(said[m[1]:], ": "), namespace)
	case vap.MatchString(said):
		return byAdmissionPolicy(said)
	case f.Has("security context constraint"):
		return byConstraints(said)
	case f.Has("podsecuritypolicy", "pod security policy"):
		return denial{by: "a PodSecurityPolicy", who: "The API server says", reason: strings.Trim(after(said, "unable to admit pod: "), "[]"), show: "kubectl get podsecuritypolicies"}
	case !f.Has("admission webhook", "denied the request"): // a plug-in of the API server
		return denial{by: "admission control", who: "The API server says", reason: after(said, "is forbidden: "), exempt: "If the resource is right as it is, ask the owner of the cluster for an exemption"}
	}
	webhook, _, _ := f.Webhook()
	if !strings.Contains(webhook, ".") { // "admission webhook denied the request": a webhook's name is a domain
		webhook = ""
	}
	d := denial{by: "a webhook", kind: "webhook", name: webhook, who: "The webhook says", show: configurationOf(webhook),
		change: "Change the manifest in Git so that the webhook accepts it, then push",
		exempt: "If the manifest is right, check the webhook's rules with its owner; this finds its configuration"}
	if strings.HasSuffix(said, "does not support dry run") {
		d.reason, d.change = "it does not support dry runs", "Set sideEffects: None in the configuration of the webhook if it has none, so the API server calls it in a dry run"
		d.exempt = "Or turn off server-side diff for the application, which compares with dry runs; this finds the webhook's configuration"
		return d
	}
	d.reason = after(after(said, "denied the request:"), "denied request:")
	d.blameField()
	for _, known := range []func(*denial, string) bool{byKyverno, byGatekeeper, byGKE, byNginx, byTaggedPolicy} {
		if known(&d, webhook) {
			break
		}
	}
	d.blameImage()
	d.blameAbsence()
	return d
}

var (
	// unchangeable is how operators refuse a change of what cannot change: "field is immutable", "cannot be changed".
	unchangeable = pattern.MustCompile(`(?i)(?:is|are) immutable|(?:can ?not|can't|must not|may not) (?:be )?(?:changed?|modif(?:y|ied)|updated?)|not allowed to (?:be )?change`)
	// fieldFirst is how operators that use the API server's form begin, with or without a list: "[spec.secretName: Required value".
	fieldFirst = pattern.MustCompile(`^\[?([a-z][A-Za-z0-9]*(?:\.[A-Za-z0-9]+|\[[^\]]*\])+): (?:Required value|Invalid value|Unsupported value|Duplicate value|Forbidden|Not found|Too long|Too many)`)
	// nextField is where it goes on with another one.
	nextField = pattern.MustCompile(`, ([a-z][A-Za-z0-9]*(?:\.[A-Za-z0-9]+|\[[^\]]*\])+): (?:Required value|Invalid value|Unsupported value|Duplicate value|Forbidden|Not found|Too long|Too many)`)
)

// blameField names the field that the webhook does not accept, where it says so in the form of the API server.
func (d *denial) blameField() {
	if strings.Contains(d.reason, " is invalid: ") {
		d.reason = statement.Reason(&diagnose.Statement{Failure: message.Parse(d.reason)})
	}
	if m := fieldFirst.FindStringSubmatch(d.reason); m != nil {
		if strings.HasPrefix(d.reason, "[") {
			d.reason = strings.TrimSuffix(d.reason[1:], "]")
		}
		fields := []string{m[1]}
		for _, next := range nextField.FindAllStringSubmatch(d.reason, -1) {
			fields = append(fields, next[1])
		}
		if d.several = len(fields) > 1; !d.several {
			d.field, d.reason = m[1], strings.TrimPrefix(d.reason, m[1]+": ")
		}
		d.change = fmt.Sprintf("Correct %s in Git, then push", list(fields))
	}
	if unchangeable.MatchString(d.reason) {
		d.change = fmt.Sprintf("Restore the live value of %s in Git, then push: the webhook does not allow it to change", cmp.Or(d.field, "the field"))
	}
}

// absentHere is what a webhook looked for and did not find, and which it checks beside the resource itself.
var absentHere = pattern.MustCompile(`(?:^|[\s:(])([A-Z][A-Za-z]+|[a-z]+)(?:\.[a-z0-9.\-]+)? "([^"\s]+)" not found$`)

// blameAbsence says what is missing where the webhook says that.
func (d *denial) blameAbsence() {
	m := absentHere.FindStringSubmatch(strings.TrimRight(d.reason, "."))
	if m == nil || d.title != "" {
		return
	}
	missing := cmp.Or(kinds[strings.TrimSuffix(strings.ToLower(m[1]), "s")], text.UpperFirst(m[1])) + "/" + m[2]
	d.change = fmt.Sprintf("Create %s in an earlier sync wave or another application, or correct its name in Git", missing)
}
