package outofsync

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
)

var ControllerOwned = &diagnose.Rule{
	ID:    "drift/controller-owned",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Another controller fills a field that Git has, too",
		What:     "A controller writes the field after Argo CD applied it: a CA bundle, the rules of an aggregated ClusterRole, what an operator decides itself. Git states something else, even if only an empty value, and each sync takes it away from the controller, which writes it again.",
		Decisive: "managedFields say that another manager, which is no person's tool, wrote the live value.",
		Example:  "webhooks[name=x.example.com].clientConfig.caBundle: Git Cg==, live LS0tLS1C…, written by cainjector, 2 h ago",
		Fix:      "Remove the field from Git, or ignore exactly that field together with RespectIgnoreDifferences=true.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/diffing/"},
	},
	Sync:       overwrites("it takes the field away from the controller that fills it"),
	Recognises: explains{{byController, writtenByController}},
	Check: reporting(func(g *explained) diagnose.Finding {
		r, field := g.firstField()
		o, told := foreignWriter(&field)
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(told),
			Title:      fmt.Sprintf("%s owns %s", o.Manager, g.fieldsLabel()),
			Why:        fmt.Sprintf("%s. The controller %s wrote the live value%s.", g.valuesClause(), o.Manager, agoClause(g.in, o.Time)),
			Fix: []diagnose.Fix{
				{Text: fmt.Sprintf("Remove %s from %s in Git%s, if it has no value of its own there", field.Path, r.Ref, inGit(g.in))},
				g.ignore(true),
			},
		}
		if !told {
			f.Title = fmt.Sprintf("a controller of the cluster owns %s", g.fieldsLabel())
			f.Why = g.valuesClause() + ". It is a field that Kubernetes fills itself."
			f.Sync = advice.Pointless("Kubernetes keeps what it has assigned")
		}
		return f
	}),
}

// writtenByController: another manager wrote it, or it is one of the fields that Kubernetes assigns and nobody else can.
func writtenByController(_ *diagnose.In, _ *picture, r *resource, f *drift.Field) bool {
	if _, ok := foreignWriter(f); ok {
		return true
	}
	return f.InLive && isAssigned(r, f)
}

// isAssigned are fields that the API server or a controller chooses, whatever the manifest leaves out.
func isAssigned(r *resource, f *drift.Field) bool {
	path := f.Path.String()
	switch r.Ref.Kind {
	case "Service":
		return strings.HasPrefix(path, "spec.clusterIP") || f.Path.Last() == "nodePort" || path == "spec.healthCheckNodePort" || path == "spec.loadBalancerIP"
	case "PersistentVolumeClaim":
		return path == "spec.volumeName" || strings.HasPrefix(path, "spec.dataSource")
	case "ServiceAccount":
		return strings.HasPrefix(path, "secrets") || strings.HasPrefix(path, "imagePullSecrets")
	case "Job":
		return strings.Contains(path, "controller-uid") || strings.Contains(path, "job-name")
	case "ClusterRole":
		return strings.HasPrefix(path, "rules") && r.Live.At("aggregationRule") != nil
	}
	return f.Path.Under("status")
}
