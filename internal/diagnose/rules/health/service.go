package health

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/near"
	"github.com/argo-why/argo-why/internal/text"
)

var Service = &diagnose.Rule{
	ID:    "health/service",
	Needs: []evidence.Kind{evidence.KindTree, evidence.KindObject, evidence.KindLog},
	Doc: diagnose.Doc{
		Title:    "Service does not reach its pods",
		What:     "Argo CD calls a Service healthy as soon as it exists. Its selector matches no pod, its target port is none that the pods have, or it forwards another protocol than they listen on: nobody reaches the workload, though all of it is green. Or an environment variable holds the host and port of a Service that does not exist, while one of nearly that name has the port. Looked at when a person asks about an application that is otherwise healthy.",
		Decisive: "The selector of the Service and the labels of the pods; its targetPort and protocol and the ports of their containers; empty Endpoints. Or the variable, and a log that does not find its host.",
		Example:  "selector: app=checkout_api, while the pods have app=checkout-api",
		Fix:      "Correct the selector, targetPort or protocol of the Service in Git, or the variable.",
		Links:    []string{"https://kubernetes.io/docs/tasks/debug/debug-application/debug-service/"},
	},
	Sync: advice.Pointless("the cluster already matches Git"),
	Check: func(in *diagnose.In) diagnose.Outcome {
		if st := in.App().Status; st.Health.Status != "Healthy" || st.Sync.Status != "Synced" || in.App().CurrentOperation() != nil || !unhealthy.HasServices(in) {
			return diagnose.Nothing
		}
		tree, ok := diagnose.Look(in, evidence.FactTree)
		if !ok {
			return diagnose.Nothing
		}
		all := podsBehind(tree)
		running := all.running()
		var found []diagnose.Finding
		looks, unreachedBy := 0, 0
		for i := range tree.Nodes {
			if n := &tree.Nodes[i]; n.Kind == "Service" && n.Group == "" && n.Networking != nil && len(n.Networking.TargetLabels) > 0 {
				looks++
				own, selects := all.selectedBy(in, n)
				f, ok := diagnose.Finding{}, false
				if len(own) > 0 {
					f, ok = missedPorts(in, n, own, looks <= maxServices)
				} else if unreachedBy++; !selects && unreachedBy <= maxUnreached { // pods that do not run are another trouble
					f, ok = unreached(in, tree, n, running)
				}
				if ok {
					found = append(found, f)
				}
			}
		}
		return diagnose.Found(append(found, misaddressed(in, tree, running)...)...)
	},
}

// maxServices is how many Services of an application are read for their ports, where that takes a call each.
const maxServices = 3

// maxUnreached is of how many Services without pods the nearest pod is looked for.
const maxUnreached = 20

// maxOwn is how many pods of one Service are looked at: they are made of one template.
const maxOwn = 20

// podIndex are pods, and where each is among them by namespace and label.
type podIndex struct {
	all     []behind
	byLabel map[label][]int
}

// label is one of the pods of a namespace.
type label struct{ namespace, key, value string }

// running are the pods that run.
func (x *podIndex) running() []behind {
	return slices.DeleteFunc(slices.Clone(x.all), func(p behind) bool { return p.node.HealthStatus() != "Healthy" })
}

// selectedBy are some of the running pods that a Service forwards to, and whether it selects any pod at all.
func (x *podIndex) selectedBy(in *diagnose.In, n *evidence.Node) (own []behind, selects bool) {
	var fewest []int
	first := true
	for key, value := range n.Networking.TargetLabels {
		if list := x.byLabel[label{n.Namespace, key, value}]; first || len(list) < len(fewest) {
			fewest, first = list, false
		}
	}
	for _, i := range fewest {
		in.Spend(len(n.Networking.TargetLabels))
		p := x.all[i]
		if len(own) == maxOwn {
			break
		}
		if matches(n.Networking.TargetLabels, p.labels) {
			selects = true
			if p.node.HealthStatus() == "Healthy" {
				own = append(own, p)
			}
		}
	}
	return own, selects
}

// behind is a pod as a Service sees it.
type behind struct {
	node   *evidence.Node
	ref    evidence.Ref
	labels map[string]string
}

// containerPort is a port that a container says it listens on.
type containerPort struct {
	name, protocol string
	number         int
}

// podsBehind are the pods of the application.
func podsBehind(tree *evidence.Tree) *podIndex {
	x := &podIndex{byLabel: map[label][]int{}}
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		if n.Kind != "Pod" || n.Group != "" || n.Networking == nil {
			continue
		}
		for key, value := range n.Networking.Labels {
			at := label{n.Namespace, key, value}
			x.byLabel[at] = append(x.byLabel[at], len(x.all))
		}
		x.all = append(x.all, behind{n, n.Ref(), n.Networking.Labels})
	}
	return x
}

// liveObject is an object of the application; nil where it was not read, and is not worth a call.
func liveObject(in *diagnose.In, n *evidence.Node, worthACall bool) evidence.Object {
	read := diagnose.Peek[evidence.Object]
	if worthACall {
		read = diagnose.Look[evidence.Object]
	}
	o, _ := read(in, evidence.FactObject(evidence.ObjectQuery{Ref: n.Ref(), UID: n.UID}))
	return o
}

func portsOf(containers []evidence.Object) []containerPort {
	var out []containerPort
	for _, c := range containers {
		for _, p := range c.List("ports") {
			number, _ := p.Number("containerPort")
			out = append(out, containerPort{p.Text("name"), protocolOf(p), int(number)})
		}
	}
	return out
}

func protocolOf(port evidence.Object) string {
	if p := port.Text("protocol"); p != "" {
		return p
	}
	return "TCP"
}

// unreached is the finding about a Service that reaches none of the pods that are meant to answer.
func unreached(in *diagnose.In, tree *evidence.Tree, n *evidence.Node, running []behind) (diagnose.Finding, bool) {
	in.Spend(len(running) * nearSteps * len(n.Networking.TargetLabels))
	meant, lacks := nearestPod(n, running)
	if meant == nil {
		return diagnose.Finding{}, false
	}
	empty, known := noEndpoints(in, tree, n)
	if known && !empty { // pods that Argo CD does not show answer
		return diagnose.Finding{}, false
	}
	ref, wants := n.Ref(), selectorText(n.Networking.TargetLabels)
	f := diagnose.Finding{
		Resource: ref, Confidence: diagnose.CertainIf(known),
		Title: fmt.Sprintf("%s selects no pod", ref),
		Why:   fmt.Sprintf("Its selector %s matches no pod, so it has no endpoints: nobody reaches it. %s, of the same name, has %s.", wants, meant.ref, lacks),
		Evidence: []diagnose.Quote{
			{From: ref.String(), Text: "selector: " + wants},
			{From: meant.ref.String(), Text: "labels: " + selectorText(meant.labels)},
		},
		Fix: []diagnose.Fix{
			{Text: "Correct the selector of the Service in Git; or the labels of the pods, if those are wrong"},
			{Text: "Compare the selector with the labels of the pods", Command: diagnose.Shell("kubectl %sget %s -o wide && kubectl %sget pods --show-labels", advice.InNamespace(ref), ref.Resource(), advice.InNamespace(ref))},
		},
	}
	if !strings.Contains(meant.ref.Name, n.Name) {
		f.Why = fmt.Sprintf("Its selector %s matches no pod, so it has no endpoints: nobody reaches it. The nearest, %s, has %s.", wants, meant.ref, lacks)
	}
	return f, true
}

// nearSteps is what comparing two names by their letters counts as.
const nearSteps = 50

func matches(selector, labels map[string]string) bool {
	for key, want := range selector {
		if labels[key] != want {
			return false
		}
	}
	return true
}

// nearestPod is the pod that a Service is probably for, and what it has in place of what the Service selects: one of its own name, or one
// that all of the selector but one label matches, or whose label is nearly the same. nil where there is none: other pods may come and go.
func nearestPod(n *evidence.Node, running []behind) (*behind, string) {
	for i := range running {
		p := &running[i]
		var has []string
		slips := 0
		for _, key := range slices.Sorted(maps.Keys(n.Networking.TargetLabels)) {
			want, got := n.Networking.TargetLabels[key], p.labels[key]
			switch {
			case got == want:
			case got == "":
				has = append(has, "no label "+key)
				slips += 2
			default:
				has = append(has, key+"="+got)
				if slips++; near.Word(want, got) < near.Threshold {
					slips++
				}
			}
		}
		matched := len(n.Networking.TargetLabels) - len(has)
		if p.ref.Namespace == n.Namespace && (strings.HasPrefix(p.ref.Name, n.Name+"-") || slips == 1 || len(has) == 1 && matched > 0) {
			return p, strings.Join(has, " and ")
		}
	}
	return nil, ""
}

// noEndpoints reports whether what Kubernetes keeps of a Service names no address; known is false where it was not read.
func noEndpoints(in *diagnose.In, tree *evidence.Tree, n *evidence.Node) (empty, known bool) {
	empty = true
	for _, o := range tree.Descendants(n.Ref()) {
		if o.Kind != "EndpointSlice" && o.Kind != "Endpoints" {
			continue
		}
		object, ok := diagnose.Look(in, evidence.FactObject(evidence.ObjectQuery{Ref: o.Ref(), UID: o.UID}))
		if !ok || object == nil {
			continue
		}
		known = true
		empty = empty && len(object.List("endpoints")) == 0 && len(object.List("subsets")) == 0
	}
	return empty, known
}

func selectorText(labels map[string]string) string {
	var out []string
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		out = append(out, key+"="+labels[key])
	}
	return text.List(out, 4)
}
