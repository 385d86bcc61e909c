package outofsync

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// orphans is how many Argo CD counts.
var orphans = pattern.MustCompile(`has (\d{1,6}) orphaned resources`)

var Orphaned = &diagnose.Rule{
	ID: "drift/orphaned",
	Doc: diagnose.Doc{
		Title:    "Namespace has orphaned resources",
		What:     "The project watches for orphaned resources: objects in the application's namespace that no application tracks. It is a hint, not a failure; nothing in the application differs.",
		Decisive: "Condition OrphanedResourceWarning; the orphaned nodes of the resource tree name them.",
		Example:  "Application has 2 orphaned resources",
		Fix:      "Delete them, add them to Git, or tell the project to ignore them.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/orphaned-resources/"},
	},
	Sync: advice.Pointless("a sync touches only what is in Git"),
	Check: reportingWarning("OrphanedResourceWarning", func(in *diagnose.In, s *diagnose.Statement) diagnose.Finding {
		f := diagnose.Finding{
			Role: diagnose.RoleNote, Confidence: diagnose.Certain,
			Title: "Namespace has orphaned resources",
			Why:   "No application tracks them, and the project is configured to warn about that. Nothing in this application differs because of them.",
			Says:  diagnose.Said{Who: "Argo CD says", Text: s.Failure.Line(message.MaxClause)},
			Fix: []diagnose.Fix{
				{Text: "List them", Command: diagnose.Shell("argocd app resources %s --orphaned", advice.AppName(in))},
				{Text: fmt.Sprintf("Delete them, add them to Git, or list them under orphanedResources.ignore of project %s", advice.Project(in))},
			},
		}
		if n := orphans.FindStringSubmatch(s.Failure.Text); n != nil {
			count, _ := strconv.Atoi(n[1])
			f.Title = "Namespace has " + text.Count(count, "orphaned resource", "orphaned resources")
			f.Says = diagnose.Said{}
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
