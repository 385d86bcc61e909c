package health

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var Evicted = &diagnose.Rule{
	ID:    "health/evicted",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Pod was evicted",
		What:     "The kubelet ended the pod because its node ran out of memory, disk space, inodes or process IDs, or because the pod used more ephemeral storage than its limit. On a node under pressure the pods that use more than they request go first.",
		Decisive: "Reason Evicted of the pod, and the resource or node condition in its message.",
		Example:  "The node was low on resource: ephemeral-storage. Threshold quantity: 2146223340, available: 1883424Ki. Container app was using 10304Ki, request is 10Mi, has larger consumption of ephemeral-storage.",
		Fix:      "Request what the pod really uses, or free that resource on the node.",
		Links:    []string{"https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/"},
	},
	Sync:       alreadyApplied,
	Recognises: about{{pod: pods.Evicted}},
	Check: reporting(func(_ *diagnose.In, p *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		said := text.OneLine(s.Symptom.Text)
		what, own := pressure(said)
		f := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      fmt.Sprintf("%s: pod evicted%s", s.Ref, inBrackets(what)),
			Why:        fmt.Sprintf("The kubelet ended %s%s.", s.PodName(), onNode(s)),
			Says:       says("The kubelet says", withoutModest(lowResource.ReplaceAllString(strings.TrimPrefix(said, "Pod was rejected: "), " ($2 available, threshold $1)"))),
			Whole:      what != "",
			Fix:        append(evictionSteps(s, what, own), s.Describe("Show the evicted pod")),
		}
		if refusedByCondition(said) {
			f.Why = fmt.Sprintf("The kubelet did not start %s%s.", s.PodName(), onNode(s))
		}
		if n := evictedPods(p, s); n > 1 {
			f.Why = text.Paragraph(f.Why, fmt.Sprintf("%d pods of %s were evicted so far.", n, s.Ref))
		}
		if s.Pod != nil && s.Pod.Ref() == s.Ref {
			f.Title = fmt.Sprintf("%s was evicted%s", s.Ref, inBrackets(what))
			f.Why += " Nothing recreates it, because no controller owns it."
		}
		if own {
			f.Why = fmt.Sprintf("The kubelet ended %s%s, because the pod itself used more than it may; the node had room.", s.PodName(), onNode(s))
		}
		if name := s.Object.Text("spec", "nodeName"); name != "" && !own {
			f.Fix = append(f.Fix, describeNode(name))
		}
		return f, true
	}),
}

// inBrackets puts a text in brackets behind another, if there is one.
func inBrackets(said string) string {
	if said == "" {
		return ""
	}
	return " (" + said + ")"
}

// pressure is what a pod was evicted for, for a title; own: the pod itself was over its limit, and not the node short of something.
func pressure(said string) (what string, own bool) {
	lower := strings.ToLower(said)
	switch {
	case emptyDirLimit.MatchString(said):
		return fmt.Sprintf("emptyDir %s over its limit", emptyDirLimit.FindStringSubmatch(said)[1]), true
	case strings.Contains(lower, "emptydir"):
		return "emptyDir volume over its limit", true
	case message.HasAny(lower, "exceeds the total limit", "exceeded its local ephemeral storage limit"):
		return "over its ephemeral-storage limit", true
	case message.HasAny(lower, "ephemeral-storage", "diskpressure", "nodefs", "imagefs"):
		return "node short of disk space", false
	case message.HasAny(lower, "inodes"):
		return "node short of inodes", false
	case message.HasAny(lower, "memory"):
		return "node short of memory", false
	case message.HasAny(lower, "pid"):
		return "node short of process IDs", false
	}
	return "", false
}

// evictionSteps are what keeps it from being evicted again.
func evictionSteps(s *unhealthy.Resource, what string, own bool) []diagnose.Fix {
	if name := largestExcess(s.Symptom.Text); name != "" && s.Symptom.Container == "" {
		s.Symptom.Container = name
	}
	if len(s.Object.List("spec", "containers")) == 1 && s.Symptom.Container == "" {
		s.Symptom.Container = s.Object.List("spec", "containers")[0].Text("name")
	}
	switch {
	case emptyDirLimit.MatchString(s.Symptom.Text):
		m := emptyDirLimit.FindStringSubmatch(s.Symptom.Text)
		return []diagnose.Fix{{Text: "Raise the sizeLimit of that emptyDir volume in Git, or write less to it", Patch: s.PatchPod("volumes:", "- name: "+m[1], "  emptyDir:", "    sizeLimit: "+cmp.Or(advice.DoubleQuantity(m[2]), "1Gi")+"   # now "+m[2])}}
	case strings.Contains(what, "emptyDir"):
		return []diagnose.Fix{{Text: "Raise the sizeLimit of that emptyDir volume in Git, or write less to it"}}
	case own:
		return []diagnose.Fix{{Text: "Raise its limit in Git, or write less to the container's file system and log", Patch: s.PatchContainer("resources:", "  limits:", "    ephemeral-storage: "+storageLimit(s.Symptom.Text))}}
	case strings.Contains(what, "inodes"):
		return advice.Steps("Delete what fills the node with small files (old images, logs, a cache of this pod), or give the nodes file systems with more inodes")
	case strings.Contains(what, "disk") && refusedByCondition(s.Symptom.Text):
		return advice.Steps("Free disk space on the node, or give the nodes larger disks: until then it takes no new pod")
	case strings.Contains(what, "disk"):
		return []diagnose.Fix{
			{Text: "Free disk space on the node, or give the nodes larger disks"},
			{Text: "In Git, request what the pod uses, so that it is placed where there is room and evicted later", Patch: s.PatchContainer("resources:", "  requests:", "    ephemeral-storage: "+requestOf(s))},
		}
	case strings.Contains(what, "memory"):
		return []diagnose.Fix{
			{Text: "In Git, request what the pod uses, so that it is placed where there is room and evicted later", Patch: s.PatchContainer("resources:", "  requests:", "    memory: "+requestOf(s))},
			{Text: "Show what uses the memory of the namespace", Command: diagnose.Shell("kubectl %stop pods --containers", advice.InNamespace(s.Target()))},
		}
	}
	if strings.Contains(what, "process") {
		return advice.Steps("Find what starts so many processes on that node and end it; podPidsLimit of the kubelet limits them for each pod")
	}
	return advice.Steps("Free on the node what it lacks")
}

// refusedByCondition reports whether the kubelet did not even start the pod, because of the condition that its node was in.
func refusedByCondition(said string) bool {
	return strings.HasPrefix(said, "Pod The node had condition") || strings.HasPrefix(said, "Pod was rejected: The node had condition")
}

// storageLimit is a higher limit than the one that the kubelet names, with that as a remark.
func storageLimit(said string) string {
	if m := localLimit.FindStringSubmatch(said); m != nil {
		if more := advice.DoubleQuantity(m[1]); more != "" {
			return more + "   # now " + m[1]
		}
	}
	return "4Gi   # more than it uses"
}

var (
	// emptyDirLimit is a volume over its own limit, localLimit the limit of what the containers write to the node's disk.
	emptyDirLimit = pattern.MustCompile(`EmptyDir volume "([^"]+)" exceeds the limit "([^"]+)"`)
	localLimit    = pattern.MustCompile(`(?:total limit of containers|storage limit) "?([\d.]+[A-Za-z]*)"?`)
	// lowResource is how the kubelet says how much of a resource was left.
	lowResource = pattern.MustCompile(`\. Threshold quantity: ([^,]+), available: ([^\s,]*[^\s,.])`)
	// usedMore is how it names a container that used more than it requested, and one over its own limit.
	usedMore = pattern.MustCompile(`Container (\S+) (?:was using ([\d.]+[A-Za-z]*), (?:request is|which exceeds its request of) ([\d.]+[A-Za-z]*)[^.]*\.?|exceeded)`)
)

// evictedPods counts the pods of a resource that were evicted: they stay as objects.
func evictedPods(p *unhealthy.Picture, s *unhealthy.Resource) int {
	n := 0
	for _, d := range p.Descendants(s.Ref) {
		if d.Kind == "Pod" && wasEvicted(&d) {
			n++
		}
	}
	return n
}

// wasEvicted reports whether the kubelet evicted the pod of a node.
func wasEvicted(n *evidence.Node) bool {
	return n.Health != nil && (pods.Reason(n) == "Evicted" || lowOn.MatchString(n.Health.Message))
}

// lowOn is how the kubelet begins to say why it evicted a pod.
var lowOn = pattern.MustCompile(`^(?:Pod )?The node (?:was low on resource|had condition): `)

// largestExcess is the container that used most above its request, "" where the message names none.
func largestExcess(said string) string {
	name, most := "", -1.0
	for _, m := range usedMore.FindAllStringSubmatch(said, -1) {
		if over := amount(m[2]) - amount(m[3]); over > most {
			name, most = m[1], over
		}
	}
	return name
}

// requestOf is how much the container should request: what it used when it was evicted, where the kubelet says so.
func requestOf(s *unhealthy.Resource) string {
	for _, m := range usedMore.FindAllStringSubmatch(s.Symptom.Text, -1) {
		if m[1] == s.Symptom.Container && m[2] != "" {
			return m[2] + "   # what it used when it was evicted"
		}
	}
	return "1Gi   # at least what it normally uses"
}

// withoutModest leaves out the containers that used little, where another used far more.
func withoutModest(said string) string {
	name := largestExcess(said)
	all := usedMore.FindAllString(said, -1)
	if name == "" || len(all) < 2 {
		return said
	}
	for _, m := range all {
		if !strings.HasPrefix(m, "Container "+name+" ") {
			said = strings.Replace(said, m, "", 1)
		}
	}
	return text.OneLine(said)
}

// amount is a quantity of the kubelet's as a number: 10304Ki, 10Mi, 2146223340.
func amount(quantity string) float64 {
	number := strings.TrimRight(quantity, "kKMGTi")
	n, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return 0
	}
	return n * map[string]float64{"": 1, "k": 1e3, "Ki": 1 << 10, "M": 1e6, "Mi": 1 << 20, "G": 1e9, "Gi": 1 << 30, "T": 1e12, "Ti": 1 << 40}[quantity[len(number):]]
}
