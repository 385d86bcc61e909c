package outofsync

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var Orphaned = &diagnose.Rule{
	ID: "drift/orphaned",
	Doc: diagnose.Doc{
		Title:    "The namespace holds resources of nobody",
		What:     "The project watches for orphaned resources: objects in the application's namespace that no application claims. It is a hint and no failure; nothing of the application differs.",
		Decisive: "Condition OrphanedResourceWarning; the orphaned nodes of the resource tree name them.",
		Example:  "Application has 2 orphaned resources",
		Fix:      "Delete them, bring them into Git, or have the project overlook them.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/orphaned-resources/"},
	},
	Sync: advice.Pointless("a sync touches only what Git has"),
	Check: reportingWarning("OrphanedResourceWarning", func(in *diagnose.In, s *diagnose.Statement) diagnose.Finding {
		f := diagnose.Finding{
			Role: diagnose.RoleNote, Confidence: diagnose.Certain,
			Title: "the namespace holds resources that no application claims",
			Why:   "The project watches for orphaned resources: " + text.Sentence(s.Failure.Line(message.MaxClause)),
			Fix: []diagnose.Fix{
				{Text: "See them", Command: diagnose.Shell("argocd app resources %s --orphaned", advice.AppName(in))},
				{Text: fmt.Sprintf("Delete them, bring them into Git, or list them under orphanedResources.ignore of project %s", advice.Project(in))},
			},
		}
		if tree, ok := diagnose.Peek(in, evidence.FactTree); ok && len(tree.OrphanedNodes) > 0 {
			var names []string
			for _, n := range tree.OrphanedNodes[:min(len(tree.OrphanedNodes), shownFields)] {
				names = append(names, n.Ref().String())
			}
			f.Evidence = []diagnose.Quote{{From: "orphaned resources", Text: strings.Join(names, ", ")}}
		}
		return f
	}),
}
