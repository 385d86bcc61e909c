package apply

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

var PortConflict = &diagnose.Rule{
	ID: "apply/port-conflict",
	Doc: diagnose.Doc{
		Title:    "A port or address is already taken",
		What:     "The Service asks for a node port or cluster IP that another Service of the cluster already has.",
		Decisive: "\"provided port is already allocated\", \"provided IP is already allocated\".",
		Example:  "Service \"turn-udp\" is invalid: spec.ports[0].nodePort: Invalid value: 30030: provided port is already allocated",
		Fix:      "Leave the port out, choose another, or free it.",
	},
	Sync:  advice.Pointless("the port stays taken"),
	Needs: statement.RefusalNeeds,
	Check: statement.Refused(func(_ *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if !s.Failure.Has("already allocated", "port is not available", "port already in use", "address already in use", "provided ip is already") {
			return diagnose.Finding{}, false
		}
		return diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      fmt.Sprintf("%s asks for a port or address that is taken", statement.Name(s)),
			Why:        "Another Service of the cluster has it: " + statement.Words(s),
			Fix: []diagnose.Fix{
				{Text: "Find who has it", Command: "kubectl get services -A -o wide"},
				{Text: "Leave the field out of the manifest (the cluster then chooses), or choose another, and push"},
			},
		}, true
	}),
}
