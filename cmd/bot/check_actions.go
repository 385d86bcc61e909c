package main

import (
	"context"
	"path"
	"slices"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/kube"
	"github.com/argo-why/argo-why/internal/preflight"
)

// wantedActions are those that the configuration allows to somebody on applications of an instance. Muting needs no right
// anywhere, and a hard refresh is everybody's where nothing is said about it.
func wantedActions(instance string, rules []config.ActionRule) []preflight.WantedAction {
	if len(rules) == 0 {
		return nil // nobody is interested in actions
	}
	wanted := []preflight.WantedAction{{Action: config.ActionHardRefresh}}
	for _, action := range []string{config.ActionDeleteHookJob, config.ActionTerminate, config.ActionSync} {
		w := preflight.WantedAction{Action: action}
		found, everywhere := false, false
		for _, r := range rules {
			if !slices.Contains(r.Actions, action) || !fits(r.Instances, instance) {
				continue
			}
			found, everywhere = true, everywhere || len(r.Projects) == 0
			w.Projects = append(w.Projects, r.Projects...)
		}
		if everywhere {
			w.Projects = nil
		}
		if found {
			wanted = append(wanted, w)
		}
	}
	return wanted
}

// fits reports whether one of the globs matches; none match everything.
func fits(globs []string, name string) bool {
	return len(globs) == 0 || slices.ContainsFunc(globs, func(g string) bool {
		ok, err := path.Match(g, name)
		return ok && err == nil
	})
}

// changing reports whether something is wanted beside a refresh, which leaves clusters alone.
func changing(wanted []preflight.WantedAction) bool { return len(wanted) > 1 }

// mostExamples is how many applications are looked at: each is a request.
const mostExamples = 20

// checkCluster asks the clusters of the applications what the bot may do there itself, by the example of the first application
// of each project. An application also shows that the cluster is the right one.
func checkCluster(ctx context.Context, a *config.Instance, client *argo.Client) []preflight.Finding {
	what := "argocd " + a.Name + " kubernetes right"
	states, err := ask(ctx, client.List)
	if err != nil {
		return []preflight.Finding{{What: what, Problem: err.Error()}}
	}
	clusters := kube.Open(kube.Options{Kubeconfig: a.Kubernetes.Kubeconfig, Context: a.Kubernetes.Context, UserAgent: "argo-why/" + programVersion()})
	examples := map[evidence.Destination]*argo.App{}
	jobs := map[evidence.Destination][]string{}
	var order []evidence.Destination
	var events []string
	known := map[string]bool{}
	for _, s := range states {
		if known[s.Project] || len(known) == mostExamples {
			continue
		}
		known[s.Project] = true
		app := client.App(s.Name, s.Namespace, s.Project)
		subject, err := ask(ctx, app.Subject)
		if err != nil || subject.Application == nil {
			continue // what cannot be read cannot be acted on either
		}
		cluster := subject.Application.Spec.Destination
		namespace := cluster.Namespace
		cluster.Namespace = ""
		if examples[cluster] == nil {
			examples[cluster], order = app, append(order, cluster)
		}
		if namespace != "" {
			jobs[cluster] = append(jobs[cluster], namespace)
		}
		events = append(events, s.Namespace)
	}
	var found []preflight.Finding
	for _, cluster := range order {
		found = append(found, preflight.CheckKubernetes(ctx, a.Name, clusters.App(examples[cluster].Application), jobs[cluster], events)...)
	}
	return found
}
