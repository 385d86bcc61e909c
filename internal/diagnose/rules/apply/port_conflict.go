package apply

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

var PortConflict = &diagnose.Rule{
	ID: "apply/port-conflict",
	Doc: diagnose.Doc{
		Title:    "Port or IP address already taken",
		What:     "The Service requests a node port or cluster IP that another Service in the cluster already has.",
		Decisive: "\"provided port is already allocated\", \"provided IP is already allocated\".",
		Example:  "Service \"turn-udp\" is invalid: spec.ports[0].nodePort: Invalid value: 30030: provided port is already allocated",
		Fix:      "Remove the field so that the cluster chooses, set another value, or free the one that is taken.",
	},
	Sync:  advice.Pointless("the port or IP address is still taken"),
	Needs: statement.RefusalNeeds,
	Check: refused(func(_ *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if !s.Failure.Has("already allocated", "port is not available", "port already in use", "address already in use", "provided ip is already") {
			return diagnose.Finding{}, false
		}
		what, value := inUse(s.Failure.Text)
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      of(statement.Name(s), strings.TrimSpace(what+" "+value)+" is already taken"),
			Why:        "Another Service in the cluster uses it.",
			Fix: []diagnose.Fix{
				{Text: fmt.Sprintf("Remove the %s from the manifest, so the cluster chooses one, or set another; then push", what)},
				{Text: "Find the Service that uses it", Command: "kubectl get services -A -o wide"},
			},
		}
		if value == "" {
			out.Says = statement.Says(s)
		} else {
			out.Why = fmt.Sprintf("Another Service in the cluster uses %s.", value)
			out.Fix[1].Command = diagnose.Shell("kubectl get services -A | grep -wF %s", value)
		}
		return out, true
	}),
}

var (
	nodePort  = pattern.MustCompile(`nodePort: Invalid value: (\d+)`)
	clusterIP = pattern.MustCompile(`failed to allocate IP ([0-9a-fA-F.:]+[0-9a-fA-F])`)
)

// inUse is what another Service has, and its value where the text names it.
func inUse(said string) (what, value string) {
	if m := nodePort.FindStringSubmatch(said); m != nil {
		return "node port", m[1]
	}
	if m := clusterIP.FindStringSubmatch(said); m != nil {
		return "cluster IP", m[1]
	}
	return "port or IP address", ""
}
