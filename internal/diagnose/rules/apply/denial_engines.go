package apply

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/foreign"
)

// The forms in which the engines of policies write.
var (
	vap          = pattern.MustCompile(`ValidatingAdmissionPolicy '([^']+)'(?: with binding '([^']+)')?`)
	vapMissing   = pattern.MustCompile(`resulted in error: no such key: (\S+)`)
	notUsable    = pattern.MustCompile(`(?:, )?provider "?[^":,]+"?: Forbidden: not usable by user or serviceaccount(?:, )?`)
	assignedID   = pattern.MustCompile(`(fsGroup|runAsUser|runAsGroup|supplementalGroups)[^:]*: Invalid value: [^,]*?(?:\d+ is not an allowed group|must be in the ranges)`)
	otherThanID  = pattern.MustCompile(`: (?:Forbidden: |Invalid value: (?:true|"))`)
	kyverno      = pattern.MustCompile(`following policies:? `)
	kyvernoRule  = pattern.MustCompile(`(?:^| )([a-zA-Z0-9_.\-]+): (?:'((?:[^']|'')*)'|"((?:[^"\\]|\\.)*)")`)
	kyvernoPath  = pattern.MustCompile(`\.? rule \S+ failed at path (/\S+?)/?(?:$|[\s'])`)
	policyHead   = pattern.MustCompile(`^([a-z0-9][a-z0-9.\-]*): `)
	gatekeeper   = pattern.MustCompile(`^\[(?:denied by )?([a-z0-9][a-z0-9.\-]*)\] `)
	nextBracket  = pattern.MustCompile(` \[(?:denied by )?([a-z0-9][a-z0-9.\-]*)\] `)
	gkeDenial    = pattern.MustCompile(`\{"\[denied by [a-z0-9\-]+\]":.*\}`)
	requesting   = pattern.MustCompile(`\.? Request(?:ing|ed by) user: .*$`)
	gkeNamespace = pattern.MustCompile(`namespace "([^"]+)" is managed`)
	policyTag    = pattern.MustCompile(`policy ([A-Za-z0-9_\-]+): `)
)

// enforcedBy makes it the denial of a policy that a webhook enforces.
func (d *denial) enforcedBy(webhook, policy, show string) {
	*d = denial{by: "a policy", kind: "policy", name: policy, webhook: webhook, who: "The policy says", reason: d.reason, show: show}
}

// byAdmissionPolicy reads "ValidatingAdmissionPolicy 'a' with binding 'b' denied request: reason".
func byAdmissionPolicy(said string) denial {
	m := vap.FindStringSubmatchIndex(said)
	d := denial{by: "a policy", kind: "policy", name: said[m[2]:m[3]], who: "The policy says", reason: after(said[m[1]:], "request: ")}
	d.show = diagnose.Shell("kubectl get validatingadmissionpolicies %s -o yaml", d.name)
	if missing := vapMissing.FindStringSubmatch(d.reason); missing != nil {
		d.change = fmt.Sprintf("Set %s in Git, then push: the policy reads it, and the manifest does not have it", missing[1])
		d.exempt = "If the resource is right without it, ask the owner of the policy to check has(…) first; this shows the policy"
	}
	if m[4] >= 0 && strings.HasPrefix(d.reason, "failed to configure binding") {
		d.outsideGit = true
		d.change = fmt.Sprintf("Create the object that spec.paramRef of ValidatingAdmissionPolicyBinding/%s refers to, or correct the reference: no manifest passes without it", said[m[4]:m[5]])
		d.exempt, d.show = "This shows the binding", diagnose.Shell("kubectl get validatingadmissionpolicybindings %s -o yaml", said[m[4]:m[5]])
	}
	return d
}

// byConstraints reads what OpenShift lists of each security context constraint.
func byConstraints(said string) denial {
	d := denial{by: "security context constraints", who: "OpenShift says", reason: notUsable.ReplaceAllString(unlisted(after(said, "security context constraint: ")), ""),
		exempt: "If it needs these rights, let its service account use a constraint that has them", show: "oc get scc"}
	if assignedID.MatchString(d.reason) && !otherThanID.MatchString(d.reason) { // OpenShift assigns these from the range of the namespace
		var fields []string
		for _, m := range assignedID.FindAllStringSubmatch(d.reason, -1) {
			if !slices.Contains(fields, m[1]) {
				fields = append(fields, m[1])
			}
		}
		d.title = "OpenShift does not allow its " + list(fields)
		d.change = fmt.Sprintf("Remove %s from the security contexts in Git, then push: OpenShift assigns values from the range of the namespace", list(fields))
		d.exempt = "If the image needs these IDs, let its service account use a constraint that allows them, such as nonroot-v2"
	}
	return d
}

// unlisted is a list without the brackets around it.
func unlisted(list string) string {
	if rest, ok := strings.CutPrefix(list, "["); ok {
		return strings.TrimSuffix(rest, "]")
	}
	return list
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
	var reasons, fields []string
	for _, m := range kyvernoRule.FindAllStringSubmatch(rest, -1) {
		reasons = append(reasons, strings.ReplaceAll(m[2], "''", "'")+m[3])
	}
	if len(reasons) == 0 {
		_, reason, _ := strings.Cut(strings.TrimPrefix(rest, head[0]), ": ")
		reasons = []string{reason}
	}
	for i, reason := range reasons {
		if m := kyvernoPath.FindStringSubmatch(reason); m != nil {
			fields = append(fields, fieldOf(m[1]))
		}
		reason = kyvernoPath.ReplaceAllString(reason, "")
		reasons[i] = strings.TrimPrefix(strings.TrimPrefix(reason, "validation error: "), "validation failure: ")
	}
	d.reason, d.more = reasons[0], reasons[1:]
	if len(fields) == len(reasons) {
		slices.Sort(fields)
		d.change = fmt.Sprintf("Change %s in Git so that it complies, then push", list(slices.Compact(fields)))
	}
	return true
}

// fieldOf is a JSON path as people write it: "spec.containers[0].image" of "/spec/containers/0/image".
func fieldOf(pointer string) string {
	var out strings.Builder
	for part := range strings.SplitSeq(strings.Trim(pointer, "/"), "/") {
		switch {
		case part != "" && strings.Trim(part, "0123456789") == "":
			out.WriteString("[" + part + "]")
		case out.Len() > 0:
			out.WriteString("." + part)
		default:
			out.WriteString(part)
		}
	}
	return out.String()
}

// byGatekeeper reads "[a] reason [b] reason": the first, and the others.
func byGatekeeper(d *denial, webhook string) bool {
	m := gatekeeper.FindStringSubmatchIndex(d.reason)
	if m == nil {
		return false
	}
	name, rest := d.reason[m[2]:m[3]], d.reason[m[1]:]
	d.enforcedBy(webhook, name, showGatekeeper)
	all := nextBracket.FindAllStringSubmatchIndex(rest, -1)
	for i, at := range all {
		end := len(rest)
		if i+1 < len(all) {
			end = all[i+1][0]
		}
		d.more = append(d.more, strings.TrimSpace(rest[at[1]:end])+" ("+rest[at[2]:at[3]]+")")
	}
	if len(all) > 0 {
		rest = rest[:all[0][0]]
	}
	d.reason = strings.TrimSpace(rest)
	return true
}

// byGKE reads `… violates one or more constraints. Violations details: {"[denied by a]":["reason"],…}`: the limits of Autopilot.
func byGKE(d *denial, webhook string) bool {
	var violations map[string][]string
	if err := foreign.Field.JSON([]byte(gkeDenial.FindString(d.reason)), &violations); err != nil || len(violations) == 0 {
		return false
	}
	var names, reasons []string
	for name := range violations {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, reason := range violations[name] {
			reasons = append(reasons, requesting.ReplaceAllString(reason, ""))
		}
	}
	if len(reasons) == 0 {
		return false
	}
	d.enforcedBy(webhook, strings.TrimSuffix(strings.TrimPrefix(names[0], "[denied by "), "]"), "")
	d.reason, d.more, d.who = reasons[0], reasons[1:], "GKE says"
	d.exempt = "If the resource is right as it is, ask the owner of the cluster: GKE enforces the policy, and nobody can change it in the cluster"
	if strings.HasPrefix(d.name, "autogke-") {
		d.change = "Change the manifest in Git so that it keeps within the limits of GKE Autopilot, then push"
		d.exempt = "If it cannot do without, deploy it to a Standard cluster: Autopilot exempts only the workloads of partners"
	}
	if m := gkeNamespace.FindStringSubmatch(d.reason); m != nil {
		d.change = fmt.Sprintf("Move what it has in namespace %s to another one in Git, then push (a chart usually has a value for it): GKE manages that namespace", m[1])
		d.exempt = "If it cannot do without, deploy it to a Standard cluster"
	}
	return true
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
