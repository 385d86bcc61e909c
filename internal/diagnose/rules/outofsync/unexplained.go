package outofsync

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
)

var Unexplained = &diagnose.Rule{
	ID:    "drift/unexplained",
	Needs: needs,
	// A loop at least says that the change comes back each time.
	ExplainedBy: diagnose.SymptomOf(SelfhealLoop, SyncLoop),
	Doc: diagnose.Doc{
		Title:    "Fields differ, and the evidence does not say why",
		What:     "Git and the cluster have different values, and nothing tells who wrote the live one: the object has no managedFields, and what was applied last is not known.",
		Decisive: "Fields that none of the other rules explains.",
		Example:  "spec.replicas: Git 2, live 5",
		Fix:      "Look at the difference; decide which value is right.",
	},
	Sync:       overwrites("it replaces the live values by Git's; who set them is not known"),
	Recognises: explains{{byNothing, isLeftOver}},
	Check: reporting(func(g *explained) diagnose.Finding {
		return diagnose.Finding{
			Confidence: diagnose.Possible,
			Title:      fmt.Sprintf("%s differs, and nothing says who changed it", g.fieldsLabel()),
			Why:        fmt.Sprintf("%s. Neither managedFields nor what was applied last tells where the live value comes from.", g.valuesClause()),
			Fix:        []diagnose.Fix{seeDiff(g.in), g.commit("If the live value is right, write it into Git")},
		}
	}),
}

func isLeftOver(*diagnose.In, *picture, *resource, *drift.Field) bool { return true }
