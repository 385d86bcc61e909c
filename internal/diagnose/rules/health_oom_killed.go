package rules

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
)

var healthOOMKilled = &diagnose.Rule{
	ID:    "health/oom-killed",
	Needs: healthNeeds,
	Doc: diagnose.Doc{
		Title:    "A container is killed for lack of memory",
		What:     "A container used more memory than its limit, and the kernel killed it. Its log ends without an error, because the process is not asked.",
		Decisive: "The container ended with reason OOMKilled (exit code 137).",
		Example:  "lastState: terminated: {exitCode: 137, reason: OOMKilled}",
		Fix:      "Raise the memory limit in Git, or find what uses the memory.",
		Links:    []string{"https://kubernetes.io/docs/tasks/configure-pod-container/assign-memory-resource/"},
	},
	Sync:       applied,
	Recognises: about{{pod: troubleMemory}},
	Check: reportingHealth(func(_ *diagnose.In, _ *sickPicture, s *sickResource) (diagnose.Finding, bool) {
		a := &s.symptom
		limit := s.spec().Text("resources", "limits", "memory")
		words, raise := "OOMKilled", cmp.Or(doubled(limit), "1Gi")
		switch {
		case limit != "":
			words += ", limit " + limit
		case s.object != nil:
			words += ", no limit of its own: most likely the node had no more"
		}
		f := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      fmt.Sprintf("%s: %s is killed for lack of memory (%s)", s.ref, a.who(), words),
			Why:        fmt.Sprintf("%s: %s used more memory than it may, and the kernel killed it (%s)%s.", s.podName(), a.who(), words, a.often()),
			Fix: []diagnose.Fix{
				{Text: "Give it more memory in Git, or have it use less", Patch: s.patchContainer("resources:", "  requests:", "    memory: "+raise+"   # at least what it uses when it works", "  limits:", "    memory: "+raise+"   # now "+cmp.Or(limit, "not known"))},
				{Text: "See what it uses", Command: diagnose.Shell("kubectl %stop pod %s --containers", inNamespace(s.tells()), s.tells().Name)},
			},
		}
		if s.object != nil && limit == "" {
			f.Fix[0].Text = "State a memory request, so that it is placed on a node that has the memory"
		}
		return s.afterFix(f), true
	}),
}

// doubled is twice a quantity such as 128Mi; "" for one that is written otherwise.
func doubled(quantity string) string {
	digits := strings.TrimRight(quantity, "EPTGMKimk")
	n, err := strconv.Atoi(digits)
	if err != nil {
		return ""
	}
	return strconv.Itoa(2*n) + quantity[len(digits):]
}
