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
		Title:    "Denied by an admission policy",
		What:     "An admission webhook (Kyverno, Gatekeeper, an operator's own), a ValidatingAdmissionPolicy, Pod Security or OpenShift's security context constraints check the resource and deny it. Every sync is denied until the manifest complies or the policy changes.",
		Decisive: "\"denied the request\" or \"forbidden: violates PodSecurity\". For pods it is in the events of their ReplicaSet or Job.",
		Example:  "admission webhook \"validate.kyverno.svc-fail\" denied the request: policy require-labels: label team is required",
		Fix:      "Change the manifest so that it complies, or ask the policy's owner for an exemption.",
	},
	Sync: advice.Pointless("the request will be denied again until the manifest complies or the policy changes"),
	Check: statement.Refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if !isDenied(&s.Failure) {
			return diagnose.Finding{}, false
		}
		d := readDenial(&s.Failure)
		prune := pruning(in, s)
		title := func(by string) string { return sentence(statement.Name(s), "was denied by "+by) }
		f := diagnose.Finding{
			Confidence: diagnose.Certain,
			Says:       diagnose.Said{Who: d.who, Text: statement.Clause(d.reason)},
			Fix:        d.fix(prune),
		}
		if prune {
			title = func(by string) string { return of(statement.Name(s), "deletion was denied by "+by) }
			f.Sync = advice.Pointless("the deletion will be denied again until the " + cmp.Or(d.kind, "policy") + " allows it")
		}
		f.Title = title(d.by)
		if named := title(d.kind + " " + d.name); d.name != "" && fits(named) {
			f.Title = named
			if d.webhook != "" {
				f.Why = fmt.Sprintf("Admission webhook %s enforces it.", d.webhook)
			}
		} else if d.name != "" {
			f.Why = fmt.Sprintf("The %s is %s%s.", d.kind, d.name, message.After(", enforced by admission webhook ", d.webhook))
			f.Says.Who = strings.Replace(d.who, "The "+d.kind, "It", 1)
		}
		if d.more > 0 {
			f.Why += fmt.Sprintf(" It lists %s.", text.Count(d.more, "more violation", "more violations"))
		}
		return f, true
	}),
}

// pruning reports whether the resource was to be deleted: then the operation says so, and the task does not.
func pruning(in *diagnose.In, s *diagnose.Statement) bool {
	op := in.App().CurrentOperation()
	return s.Failure.Stage == message.StagePrune || op != nil && strings.Contains(op.Message, "pruning failed") && strings.Contains(op.Message, s.Failure.Cause)
}

func isDenied(f *message.Failure) bool {
	return f.Has("denied the request", "denied request", "violates podsecurity", "denied by policy", "was blocked due to the following policies", "unable to validate against any security context constraint",
		"unable to validate against any pod security policy", "podsecuritypolicy: unable to admit", "denied by", "does not support dry run", "policy violation", "admission control") && !f.Has("failed calling webhook")
}

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
	// required is what Pod Security requires, in its words.
	required []string
	// list is the command that lists such policies.
	list string
}

var (
	vap         = regexp.MustCompile(`ValidatingAdmissionPolicy '([^']+)'`)
	kyverno     = regexp.MustCompile(`following policies:?\s+([A-Za-z0-9_.\-]+):`)
	gatekeep    = regexp.MustCompile(`\[(?:denied by )?([A-Za-z0-9_.\-]+)\]`)
	podsec      = regexp.MustCompile(`violates PodSecurity "([^"]+)"`)
	requirement = regexp.MustCompile(`\(([^()]* must (?:not )?[^()]*)\)`)
	notUsable   = regexp.MustCompile(`provider "?[^":,]+"?: Forbidden: not usable by user or serviceaccount(?:, )?`)
	policyTag   = regexp.MustCompile(`policy ([A-Za-z0-9_\-]+):`)
)

const listWebhooks = "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations"

// readDenial finds out who denied it, and why.
func readDenial(f *message.Failure) denial {
	said := text.OneLine(f.Cause)
	if m := podsec.FindStringSubmatchIndex(said); m != nil {
		return podSecurity(said[m[2]:m[3]], strings.TrimLeft(said[m[1]:], ": "))
	}
	if m := vap.FindStringSubmatchIndex(said); m != nil {
		return denial{by: "a policy", kind: "policy", name: said[m[2]:m[3]], who: "The policy says", reason: after(said[m[1]:], "request: "),
			list: "kubectl get validatingadmissionpolicies,validatingadmissionpolicybindings"}
	}
	if f.Has("security context constraint") {
		return denial{by: "security context constraints", who: "OpenShift says", reason: notUsable.ReplaceAllString(strings.Trim(after(said, "security context constraint: "), "[]"), ""), list: "oc get scc"}
	}
	webhook, _, _ := f.Webhook()
	if !strings.Contains(webhook, ".") { // "admission webhook denied the request": a webhook's name is a domain
		webhook = ""
	}
	d := denial{by: "a webhook", kind: "webhook", name: webhook, who: "The webhook says", list: listWebhooks}
	d.reason = after(after(said, "denied the request:"), "denied request:")
	d.violatedPolicy(webhook)
	return d
}

// violatedPolicy finds the policy that the webhook of a policy engine enforces.
func (d *denial) violatedPolicy(webhook string) {
	switch {
	case strings.Contains(webhook, "kyverno"):
		d.list = "kubectl get clusterpolicies,policies -A"
	case strings.Contains(webhook, "gatekeeper"):
		d.list = "kubectl get constraints"
	}
	for _, e := range []*regexp.Regexp{kyverno, gatekeep, policyTag} {
		m := e.FindStringSubmatchIndex(d.reason)
		if m == nil {
			continue
		}
		d.by, d.kind, d.name, d.webhook, d.who = "a policy", "policy", d.reason[m[2]:m[3]], webhook, "The policy says"
		rest := strings.TrimSpace(d.reason[m[1]:])
		if e == gatekeep { // "[a] reason [b] reason": the first, and how many there are
			all := gatekeep.FindAllStringIndex(rest, -1)
			if d.more = len(all); d.more > 0 {
				rest = strings.TrimSpace(rest[:all[0][0]])
			}
		}
		if e == kyverno { // "rule: 'validation error: …'"
			rest = strings.Trim(after(rest, ": '"), "'")
			rest = strings.TrimPrefix(rest, "validation error: ")
		}
		if rest != "" {
			d.reason = rest
		}
		return
	}
}

// podSecurity reads what Pod Security requires: each violation has it in brackets.
func podSecurity(level, violations string) denial {
	d := denial{by: "Pod Security", kind: "Pod Security level", name: level, who: "Violations", reason: violations, list: "kubectl get namespaces -L pod-security.kubernetes.io/enforce"}
	for _, m := range requirement.FindAllStringSubmatch(violations, -1) {
		d.required = append(d.required, m[1])
	}
	if len(d.required) > 0 {
		d.reason = strings.TrimSpace(strings.ReplaceAll(requirement.ReplaceAllString(violations, ""), " ,", ","))
	}
	return d
}

// fix is what helps against it. A deletion can be denied too.
func (d *denial) fix(prune bool) []diagnose.Fix {
	change, exempt := "Change the manifest in Git so that it complies, then push", "If the resource is right as it is, ask the owner of the policy for an exemption"
	switch {
	case prune:
		return []diagnose.Fix{
			{Text: "Ask the owner of the policy to allow the deletion, or put the resource back into Git", Command: d.list},
		}
	case d.kind == "webhook":
		change, exempt = "Change the manifest in Git so that the webhook accepts it, then push", "If the resource is right as it is, ask the owner of the webhook for an exemption"
	case len(d.required) > 0:
		change = "Change the pod template in Git, then push: " + strings.Join(d.required, "; ")
	}
	return []diagnose.Fix{
		{Text: change},
		{Text: exempt, Command: d.list},
	}
}

// after is what follows a mark; the whole text where it has no such mark, or nothing behind it.
func after(s, mark string) string {
	if _, rest, _ := strings.Cut(s, mark); strings.TrimSpace(rest) != "" {
		return strings.TrimSpace(rest)
	}
	return s
}
