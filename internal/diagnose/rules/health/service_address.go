package health

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/near"
	"github.com/argo-why/argo-why/internal/text"
)

// serviceAddress is an address in an environment variable whose host may be a Service: one word, with or without the namespace behind it.
var serviceAddress = pattern.MustCompile(`^(?:[a-z][a-z0-9+.]*://)?(?:[^@/\s]*@)?([a-z][a-z0-9-]{2,62})(?:\.([a-z0-9-]+)(?:\.svc(?:\.[a-z0-9.-]+)?)?)?:(\d{2,5})(?:/\S*)?$`)

// address is a host and port that an environment variable of a container holds.
type address struct {
	container, variable, host string
	port                      int
}

// addressesOf are those in the environment of a pod that name a host of its own namespace.
func addressesOf(pod evidence.Object) []address {
	var out []address
	for _, c := range pod.List("spec", "containers") {
		for _, v := range c.List("env") {
			m := serviceAddress.FindStringSubmatch(v.Text("value"))
			if m == nil || m[2] != "" && m[2] != pod.Text("metadata", "namespace") {
				continue
			}
			port, _ := strconv.Atoi(m[3])
			out = append(out, address{c.Text("name"), v.Text("name"), m[1], port})
		}
	}
	return out
}

// misaddressed are the findings about running pods that are told the name of a Service wrong: none has it, one of nearly that name has the
// port, and the pod's log cannot find the host, or the name differs by a slip only.
func misaddressed(in *diagnose.In, tree *evidence.Tree, running []behind) []diagnose.Finding {
	var found []diagnose.Finding
	exists, unknown := servicesOf(tree), 0
	for _, p := range running {
		all := addressesOf(liveObject(in, p.node, false))
		for _, a := range all {
			if exists[evidence.Ref{Namespace: p.ref.Namespace, Name: a.host}] {
				continue
			}
			if unknown++; unknown > maxUnreached {
				return found
			}
			in.Spend(len(tree.Nodes) * nearSteps)
			meant, slip := meantService(in, tree, p.ref.Namespace, a)
			if meant == nil || slices.ContainsFunc(all, func(b address) bool { return b.host == meant.Name }) {
				continue
			}
			line := notFound(in, p.node, a)
			if line == "" && !slip {
				continue
			}
			found = append(found, misaddressedFinding(tree, p, a, meant, line))
			break
		}
	}
	return found
}

func misaddressedFinding(tree *evidence.Tree, p behind, a address, meant *evidence.Node, line string) diagnose.Finding {
	ref := pods.RootOf(tree.Find, p.node)
	f := diagnose.Finding{
		Resource: ref, Confidence: diagnose.CertainIf(line != ""),
		Title: fmt.Sprintf("%s: %s names no Service", ref, a.variable),
		Whole: true,
		Short: a.variable + " names no Service",
		Why: fmt.Sprintf("Environment variable %s of container %s names %s:%d, and there is no Service %s in namespace %s that Argo CD shows. %s has that port.",
			a.variable, a.container, a.host, a.port, a.host, p.ref.Namespace, meant.Ref()),
		Evidence: []diagnose.Quote{{From: p.ref.String(), Text: fmt.Sprintf("%s=%s:%d", a.variable, a.host, a.port)}},
		Fix:      []diagnose.Fix{{Text: fmt.Sprintf("Correct %s in Git: the host is %s", a.variable, meant.Name)}},
	}
	if line != "" {
		f.Says = diagnose.Said{Who: "Its log says", Text: line}
		f.Evidence = append(f.Evidence, diagnose.Quote{From: "log of " + p.ref.String(), Text: line})
	}
	return f
}

// maxSlip is how many letters more or less a slip makes; a word more makes another name.
const maxSlip = 2

// servicesOf are the Services of a tree, by namespace and name.
func servicesOf(tree *evidence.Tree) map[evidence.Ref]bool {
	out := map[evidence.Ref]bool{}
	for i := range tree.Nodes {
		if n := &tree.Nodes[i]; n.Kind == "Service" && n.Group == "" {
			out[evidence.Ref{Namespace: n.Namespace, Name: n.Name}] = true
		}
	}
	return out
}

// meantService is the Service that an address probably means; nil where none is like it. slip: the names differ
// as by a typing error.
func meantService(in *diagnose.In, tree *evidence.Tree, namespace string, a address) (meant *evidence.Node, slip bool) {
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		if n.Kind != "Service" || n.Group != "" || n.Namespace != namespace {
			continue
		}
		typo := near.Word(a.host, n.Name) >= near.Threshold && max(len(a.host), len(n.Name))-min(len(a.host), len(n.Name)) <= maxSlip
		if (typo || strings.HasPrefix(a.host, n.Name+"-")) && meant == nil && hasPort(liveObject(in, n, false), a.port) {
			meant, slip = n, typo
		}
	}
	return meant, slip
}

func hasPort(service evidence.Object, port int) bool {
	return slices.ContainsFunc(service.List("spec", "ports"), func(p evidence.Object) bool {
		n, _ := p.Number("port")
		return int(n) == port
	})
}

// notFound is the line of a pod's log in which it does not reach the host of an address; empty where there is none.
func notFound(in *diagnose.In, pod *evidence.Node, a address) string {
	q := pods.LogQuery(pod)
	q.Container = a.container
	log, _ := diagnose.Look(in, evidence.FactLog(q))
	for _, line := range strings.Split(log.Text, "\n") {
		if !message.CannotReach(line) || !message.NamesHost(line, a.host) {
			continue
		}
		for _, sentence := range strings.Split(line, ". ") { // some add advice behind it
			if message.NamesHost(sentence, a.host) {
				return text.OneLine(sentence)
			}
		}
	}
	return ""
}
