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
		Title:    "Fields differ for an unknown reason",
		What:     "Git and the cluster have different values, and nothing shows who wrote the live one: the object has no managedFields, and what was applied last is not known.",
		Decisive: "Fields that no other rule explains.",
		Example:  "spec.replicas: 2 in Git, 5 in the cluster",
		Fix:      "Check the diff and decide which value is right.",
	},
	Sync:       overwrites("it resets live values, and nothing shows who set them"),
	Recognises: explains{{byNothing, isLeftOver}},
	Check: reporting(func(g *explained) diagnose.Finding {
		const unknown = "Neither managedFields nor the last applied configuration shows who set it."
		f := diagnose.Finding{
			Confidence: diagnose.Possible,
			Title:      fmt.Sprintf("%s: %s %s from Git", g.subject(), g.fieldsLabel(), verb(g.countFields(), "differs", "differ")),
			Why:        g.valuesClause() + ". " + unknown,
			Sync:       overwrites(g.resets() + ", and nothing shows who set the live value"),
			Fix:        []diagnose.Fix{seeDiff(g.in), g.commit("If the live value is right, set it")},
		}
		if live, desired, ok := g.titleValues(); ok {
			_, field := g.firstField()
			f.Title = fmt.Sprintf("%s: %s is %s, Git says %s", g.subject(), fieldLabel(field), live, desired)
			f.Why = unknown
		}
		return f
	}),
}

func isLeftOver(*diagnose.In, *picture, *resource, *drift.Field) bool { return true }
