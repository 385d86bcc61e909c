package health

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// servicePort is a port of a Service: the pods' port by name or number.
type servicePort struct {
	evidence.Object
	target   string
	protocol string
}

func servicePorts(service evidence.Object) []servicePort {
	var out []servicePort
	for _, p := range service.List("spec", "ports") {
		target := cmp.Or(numberOrName(p, "targetPort"), numberOrName(p, "port"))
		out = append(out, servicePort{p, target, protocolOf(p)})
	}
	return out
}

// named: the target is the name of a port, which exists only where a container declares it.
func (p servicePort) named() bool { return strings.Trim(p.target, "0123456789") != "" }

func (p servicePort) is(c containerPort) bool {
	return p.target == c.name && c.name != "" || p.target == fmt.Sprint(c.number)
}

// declaredPorts are the ports of containers by what a target calls them, a name or a number, and by protocol: both sides may have thousands.
func declaredPorts(declared []containerPort) map[string]map[string]containerPort {
	out := map[string]map[string]containerPort{}
	for _, c := range declared {
		for _, target := range []string{c.name, strconv.Itoa(c.number)} {
			if target == "" {
				continue
			}
			if out[target] == nil {
				out[target] = map[string]containerPort{}
			}
			out[target][c.protocol] = c
		}
	}
	return out
}

// missedPorts is the finding about a Service none of whose ports is one of its pods. A container may listen on a port that it does not
// declare, so a number is only likely to be wrong, and a Service with one port that fits is believed about the others.
func missedPorts(in *diagnose.In, n *evidence.Node, pods []behind, look bool) (diagnose.Finding, bool) {
	ports := servicePorts(liveObject(in, n, look))
	var declared []containerPort
	for i, p := range pods { // asked for along with the Service
		declared = append(declared, portsOf(liveObject(in, p.node, look && i == 0).List("spec", "containers"))...)
	}
	if len(ports) == 0 || len(declared) == 0 {
		return diagnose.Finding{}, false
	}
	var other *containerPort
	by := declaredPorts(declared)
	for _, p := range ports {
		if _, fits := by[p.target][p.protocol]; fits {
			return diagnose.Finding{}, false
		}
		for _, protocol := range slices.Sorted(maps.Keys(by[p.target])) {
			c := by[p.target][protocol]
			other = &c
		}
	}
	first, ref := ports[0], n.Ref()
	f := diagnose.Finding{
		Resource: ref, Confidence: diagnose.CertainIf(first.named() && other == nil),
		Title:    fmt.Sprintf("%s: no pod has its target port %s", ref, first.target),
		Why:      fmt.Sprintf("The pods that it selects declare %s. A process may listen on more than its pod declares; if it does not, nobody who uses the Service reaches it.", declaredText(declared)),
		Evidence: []diagnose.Quote{{From: ref.String(), Text: "targetPort: " + first.target}, {From: pods[0].ref.String(), Text: "ports: " + declaredText(declared)}},
		Fix: []diagnose.Fix{
			{Text: "Correct targetPort of the Service in Git", Patch: fmt.Sprintf("# on %s\nspec:\n  ports:\n  - port: %s\n    targetPort: %d   # now %s\n", ref, numberOrName(first.Object, "port"), declared[0].number, first.target)},
			{Text: "Show what the Service forwards to", Command: diagnose.Shell("kubectl %sdescribe %s", advice.InNamespace(ref), ref.Resource())},
		},
	}
	if f.Confidence == diagnose.Certain {
		f.Why = fmt.Sprintf("The pods that it selects declare %s, and a name leads nowhere else, so nobody who uses the Service reaches them.", declaredText(declared))
	}
	if other != nil {
		f.Title = fmt.Sprintf("%s forwards %s, its pods listen on %s", ref, first.protocol, other.protocol)
		f.Why = fmt.Sprintf("%s declares port %d for %s. Whoever connects to the Service by another protocol than it forwards gets no answer.", pods[0].ref, other.number, other.protocol)
		f.Evidence[0].Text = "protocol: " + first.protocol
		f.Fix[0] = diagnose.Fix{Text: "Correct protocol of the Service in Git", Patch: fmt.Sprintf("# on %s\nspec:\n  ports:\n  - port: %s\n    protocol: %s   # now %s\n", ref, numberOrName(first.Object, "port"), other.protocol, first.protocol)}
	}
	return f, true
}

func declaredText(ports []containerPort) string {
	var out []string
	for _, p := range ports {
		s := fmt.Sprintf("%d/%s", p.number, p.protocol)
		if p.name != "" {
			s = p.name + " " + s
		}
		out = append(out, s)
	}
	return text.List(withoutRepeats(out), 4)
}
