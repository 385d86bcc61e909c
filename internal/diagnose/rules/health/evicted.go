package health

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
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
	Check: reporting(func(_ *diagnose.In, _ *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		said := text.OneLine(s.Symptom.Text)
		what, own := pressure(said)
		f := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      fmt.Sprintf("%s: pod evicted%s", s.Ref, inBrackets(what)),
			Why:        fmt.Sprintf("The kubelet ended %s%s.", s.PodName(), onNode(s)),
			Says:       says("The kubelet says", lowResource.ReplaceAllString(strings.TrimPrefix(said, "Pod was rejected: "), " ($2 available, threshold $1)")),
			Fix:        append(evictionSteps(s, what, own), s.Describe("Show the evicted pod")),
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
	if m := usedMost.FindStringSubmatch(s.Symptom.Text); m != nil && s.Symptom.Container == "" {
		s.Symptom.Container = m[1]
	}
	if len(s.Object.List("spec", "containers")) == 1 && s.Symptom.Container == "" {
		s.Symptom.Container = s.Object.List("spec", "containers")[0].Text("name")
	}
	switch {
	case strings.Contains(what, "emptyDir"):
		return []diagnose.Fix{{Text: "Raise the sizeLimit of that emptyDir volume in Git, or write less to it"}}
	case own:
		return []diagnose.Fix{{Text: "Raise its limit in Git, or write less to the container's file system and log", Patch: s.PatchContainer("resources:", "  limits:", "    ephemeral-storage: 4Gi   # more than it uses")}}
	case strings.Contains(what, "disk"), strings.Contains(what, "inodes"):
		return []diagnose.Fix{
			{Text: "Free disk space on the node, or give the nodes larger disks"},
			{Text: "In Git, request what the pod uses, so that it is placed where there is room and evicted later", Patch: s.PatchContainer("resources:", "  requests:", "    ephemeral-storage: 1Gi   # at least what it normally uses")},
		}
	case strings.Contains(what, "memory"):
		return []diagnose.Fix{
			{Text: "In Git, request what the pod uses, so that it is placed where there is room and evicted later", Patch: s.PatchContainer("resources:", "  requests:", "    memory: 1Gi   # at least what it normally uses")},
			{Text: "Show what uses the memory of the namespace", Command: diagnose.Shell("kubectl %stop pods --containers", advice.InNamespace(s.Target()))},
		}
	}
	return []diagnose.Fix{{Text: "Free what the node lacks, or request it in Git for the pod"}}
}

var (
	// lowResource is how the kubelet says how much of a resource was left.
	lowResource = regexp.MustCompile(`\. Threshold quantity: ([^,]+), available: ([^\s,]*[^\s,.])`)
	// usedMost names the container that used more than it requested.
	usedMost = regexp.MustCompile(`Container (\S+) (?:was using|exceeded)`)
)
