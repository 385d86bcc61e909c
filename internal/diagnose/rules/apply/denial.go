package apply

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
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
	// more counts further violations.
	more int
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
		m := vap.FindStringSubmatchIndex(said)
		return denial{by: "a policy", kind: "policy", name: said[m[2]:m[3]], who: "The policy says", reason: after(said[m[1]:], "request: "),
			show: diagnose.Shell("kubectl get validatingadmissionpolicies %s -o yaml", said[m[2]:m[3]])}
	case f.Has("security context constraint"):
		return denial{by: "security context constraints", who: "OpenShift says", reason: notUsable.ReplaceAllString(strings.Trim(after(said, "security context constraint: "), "[]"), ""),
			exempt: "If it needs these rights, let its service account use a constraint that has them", show: "oc get scc"}
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
	if unchangeable.MatchString(d.reason) {
		d.change = "Restore the live value of the field in Git, then push: the webhook does not allow it to change"
	}
	for _, known := range []func(*denial, string) bool{byKyverno, byGatekeeper, byGKE, byNginx, byTaggedPolicy} {
		if known(&d, webhook) {
			break
		}
	}
	return d
}

var (
	// unchangeable is how operators refuse a change of what cannot change: "field is immutable", "cannot be changed".
	unchangeable = regexp.MustCompile(`(?i)(?:is|are) immutable|(?:can ?not|can't|must not|may not) (?:be )?(?:changed?|modif(?:y|ied)|updated?)|not allowed to (?:be )?change`)
	vap          = regexp.MustCompile(`ValidatingAdmissionPolicy '([^']+)'`)
	podsec       = regexp.MustCompile(`violates PodSecurity "([^"]+)"`)
	notUsable    = regexp.MustCompile(`(?:, )?provider "?[^":,]+"?: Forbidden: not usable by user or serviceaccount(?:, )?`)
	kyverno      = regexp.MustCompile(`following policies:? `)
	kyvernoRule  = regexp.MustCompile(`(?:^| )([a-zA-Z0-9_.\-]+): '((?:[^']|'')*)'`)
	policyHead   = regexp.MustCompile(`^([a-z0-9][a-z0-9.\-]*): `)
	gatekeeper   = regexp.MustCompile(`^\[(?:denied by )?([a-z0-9][a-z0-9.\-]*)\] `)
	nextBracket  = regexp.MustCompile(` \[(?:denied by )?[a-z0-9][a-z0-9.\-]*\] `)
	gkeDenial    = regexp.MustCompile(`\{"\[denied by [a-z0-9\-]+\]":.*\}`)
	requesting   = regexp.MustCompile(`\.? Request(?:ing|ed by) user: .*$`)
	nginx        = regexp.MustCompile(`\[emerg\] \S+ (.*?)(?: in /\S+| nginx:|$)`)
	taken        = regexp.MustCompile(`already defined in ingress ([a-z0-9.\-]+)/([a-z0-9.\-]+)`)
	policyTag    = regexp.MustCompile(`policy ([A-Za-z0-9_\-]+): `)
)

// enforcedBy makes it the denial of a policy that a webhook enforces.
func (d *denial) enforcedBy(webhook, policy, show string) {
	*d = denial{by: "a policy", kind: "policy", name: policy, webhook: webhook, who: "The policy says", reason: d.reason, show: show}
}

// byKyverno reads "resource … was blocked due to the following policies NAME: RULE: 'reason' RULE: 'reason' NAME: …".
func byKyverno(d *denial, webhook string) bool {
	at := kyverno.FindStringIndex(d.reason)
	if at == nil {
		return false
	}
	rest := strings.TrimSpace(d.reason[at[1]:])
	head := policyHead.FindStringSubmatch(rest)
	if head == nil {
		return false
	}
	d.enforcedBy(webhook, head[1], showKyverno+diagnose.Shell(" | grep -F -e NAME -e %s", head[1]))
	rules := kyvernoRule.FindAllStringSubmatch(rest, -1)
	switch {
	case len(rules) > 0:
		d.reason, d.more = strings.ReplaceAll(rules[0][2], "''", "'"), len(rules)-1
	default:
		_, d.reason, _ = strings.Cut(strings.TrimPrefix(rest, head[0]), ": ")
	}
	d.reason = strings.TrimPrefix(d.reason, "validation error: ")
	return true
}

// byGatekeeper reads "[a] reason [b] reason": the first, and how many there are.
func byGatekeeper(d *denial, webhook string) bool {
	m := gatekeeper.FindStringSubmatchIndex(d.reason)
	if m == nil {
		return false
	}
	name, rest := d.reason[m[2]:m[3]], d.reason[m[1]:]
	d.enforcedBy(webhook, name, showGatekeeper)
	all := nextBracket.FindAllStringIndex(rest, -1)
	if d.more = len(all); d.more > 0 {
		rest = rest[:all[0][0]]
	}
	d.reason = strings.TrimSpace(rest)
	return true
}

// byGKE reads `… violates one or more constraints. Violations details: {"[denied by a]":["reason"],…}`: the limits of Autopilot.
func byGKE(d *denial, webhook string) bool {
	var violations map[string][]string
	if err := json.Unmarshal([]byte(gkeDenial.FindString(d.reason)), &violations); err != nil || len(violations) == 0 {
		return false
	}
	var names []string
	for name, reasons := range violations {
		names = append(names, name)
		d.more += len(reasons)
	}
	slices.Sort(names)
	reasons := violations[names[0]]
	if len(reasons) == 0 {
		return false
	}
	more := d.more - 1
	d.enforcedBy(webhook, strings.TrimSuffix(strings.TrimPrefix(names[0], "[denied by "), "]"), "")
	d.reason, d.more, d.who = requesting.ReplaceAllString(reasons[0], ""), more, "GKE says"
	if strings.HasPrefix(d.name, "autogke-") {
		d.change = "Change the manifest in Git so that it keeps within the limits of GKE Autopilot, then push"
		d.exempt = "If it cannot do without, deploy it to a Standard cluster: Autopilot exempts only the workloads of partners"
	}
	return true
}

// byNginx reads the answers of ingress-nginx: the test of its configuration, and a path that another Ingress has.
func byNginx(d *denial, _ string) bool {
	if m := nginx.FindStringSubmatch(d.reason); m != nil {
		d.reason, d.who = m[1], "Its test of the nginx configuration says"
		return true
	}
	if m := taken.FindStringSubmatch(d.reason); m != nil {
		d.change = "Remove the host and path from one of the two Ingresses in Git, then push"
		d.exempt = fmt.Sprintf("If Ingress %s is a leftover, delete it; this shows it", m[2])
		d.show = diagnose.Shell("kubectl -n %s get ingress %s -o yaml", m[1], m[2])
		return true
	}
	return false
}

// byTaggedPolicy reads "policy NAME: reason".
func byTaggedPolicy(d *denial, webhook string) bool {
	m := policyTag.FindStringSubmatchIndex(d.reason)
	if m == nil {
		return false
	}
	reason := d.reason
	d.enforcedBy(webhook, reason[m[2]:m[3]], configurationOf(webhook))
	d.reason = reason[m[1]:]
	return true
}
