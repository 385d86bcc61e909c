package health

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
)

var OOMKilled = &diagnose.Rule{
	ID:    "health/oom-killed",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "A container is killed for lack of memory",
		What:     "A container used more memory than its limit, and the kernel killed it. Its log ends without an error, because the process is not asked.",
		Decisive: "The container ended with reason OOMKilled (exit code 137).",
		Example:  "lastState: terminated: {exitCode: 137, reason: OOMKilled}",
		Fix:      "Raise the memory limit in Git, or find what uses the memory.",
		Links:    []string{"https://kubernetes.io/docs/tasks/configure-pod-container/assign-memory-resource/"},
	},
	Sync:       alreadyApplied,
	Recognises: about{{pod: pods.OutOfMemory}},
	Check: reporting(func(_ *diagnose.In, _ *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		a := &s.Symptom
		limit := s.ContainerSpec().Text("resources", "limits", "memory")
		words, raise := "OOMKilled", cmp.Or(doubleQuantity(limit), "1Gi")
		switch {
		case limit != "":
			words += ", limit " + limit
		case s.Object != nil:
			words += ", no limit of its own: most likely the node had no more"
		}
		f := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      fmt.Sprintf("%s: %s is killed for lack of memory (%s)", s.Ref, a.Subject(), words),
			Why:        fmt.Sprintf("%s: %s used more memory than it may, and the kernel killed it (%s)%s.", s.PodName(), a.Subject(), words, a.Restarted()),
			Fix: []diagnose.Fix{
				{Text: "Give it more memory in Git, or have it use less", Patch: s.PatchContainer("resources:", "  requests:", "    memory: "+raise+"   # at least what it uses when it works", "  limits:", "    memory: "+raise+"   # now "+cmp.Or(limit, "not known"))},
				{Text: "See what it uses", Command: diagnose.Shell("kubectl %stop pod %s --containers", advice.InNamespace(s.Target()), s.Target().Name)},
			},
		}
		if s.Object != nil && limit == "" {
			f.Fix[0].Text = "State a memory request, so that it is placed on a node that has the memory"
		}
		return s.AfterFix(f), true
	}),
}

// doubleQuantity is twice a quantity such as 128Mi; "" for one that is written otherwise.
func doubleQuantity(quantity string) string {
	digits := strings.TrimRight(quantity, "EPTGMKimk")
	n, err := strconv.Atoi(digits)
	if err != nil {
		return ""
	}
	return strconv.Itoa(2*n) + quantity[len(digits):]
}
