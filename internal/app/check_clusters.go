package app

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/gateway"
	"github.com/argo-why/argo-why/internal/preflight"
	"github.com/argo-why/argo-why/internal/rights"
)

// maxExamples is how many applications are looked at: each is a request.
const maxExamples = 20

// deployedCluster is a cluster that applications are deployed to.
type deployedCluster struct {
	// example is an application that is deployed there. It also shows that the cluster is the right one.
	example *gateway.App
	// deployedTo are namespaces of the cluster that applications are deployed to, applications the namespaces of all Applications.
	deployedTo, applications []string
}

// clusters are those that applications are deployed to, by the example of the first application of each project.
func (a account) clusters(ctx context.Context) ([]*deployedCluster, error) {
	states, err := ask(ctx, a.Argo.List)
	if err != nil {
		return nil, err
	}
	byPlace := map[evidence.Destination]*deployedCluster{}
	var all []*deployedCluster
	var applications []string
	known := map[string]bool{}
	for _, s := range states {
		if known[s.Project] || len(known) == maxExamples {
			continue
		}
		known[s.Project] = true
		app := a.App(s.Name, s.Namespace, s.Project)
		subject, err := ask(ctx, app.Subject)
		if err != nil || subject.Application == nil {
			continue // what cannot be read cannot be acted on either
		}
		place := subject.Application.Spec.Destination
		namespace := place.Namespace
		place.Namespace = ""
		if byPlace[place] == nil {
			byPlace[place] = &deployedCluster{example: app}
			all = append(all, byPlace[place])
		}
		if namespace != "" {
			byPlace[place].deployedTo = append(byPlace[place].deployedTo, namespace)
		}
		applications = append(applications, s.Namespace)
	}
	for _, c := range all {
		c.applications = applications
	}
	return all, nil
}

// inConfig says what to do in words of the configuration instead of flags.
var inConfig = strings.NewReplacer("use --kubeconfig FILE", "set argocd[].kubernetes.kubeconfig", "use --kube-context NAME", "set argocd[].kubernetes.context")

// readingOf is what is looked at where rights to read are.
func readingOf(instance string) string { return "argocd " + instance + " kubernetes reading" }

// checkReading asks the cluster for each right that rules need.
func (c *deployedCluster) checkReading(ctx context.Context, instance string) []preflight.Finding {
	what := readingOf(instance)
	reader, err := ask(ctx, c.example.Cluster().Reader)
	if err != nil {
		return []preflight.Finding{preflight.NotRead(what, errors.New(inConfig.Replace(err.Error())))}
	}
	user, err := ask(ctx, reader.Account)
	if err != nil {
		user = "" // an old cluster does not say: the command then has a gap to fill
	}
	var all []preflight.Reading
	for _, r := range rights.Reading(rules.All()) {
		all = append(all, preflight.Reading{
			Right: r.Verb() + " " + r.Name(), Unknown: r.Unknown, ClusterScoped: r.ClusterScoped, Off: r.Optional || r.Named, Named: r.Named,
			Lacks: func(ctx context.Context, namespace string) (string, error) {
				return ask(ctx, func(ctx context.Context) (string, error) { return reader.Lacks(ctx, r.Outside, namespace) })
			},
		})
	}
	return preflight.CheckReading(ctx, what+" ("+reader.Place+")", all, c.deployedTo, func(scoped bool, r preflight.Reading) string {
		o := rights.Options{Account: rights.AccountOf(user), SecretKeys: r.Off && !r.Named}
		if reader.Own {
			o.Applications = withoutRepeats(c.applications)
		}
		if scoped {
			o.Namespaces = withoutRepeats(c.deployedTo)
		} else if r.Named {
			o.ConfigMaps = withoutRepeats(c.deployedTo)
		}
		return rights.Command(o, reader.Context)
	})
}

func withoutRepeats(names []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(names)))
}

// clusterRights asks a cluster.
type clusterRights struct{ of preflight.Kubernetes }

// LacksJobs implements preflight.Kubernetes.
func (r clusterRights) LacksJobs(ctx context.Context, namespace string) (string, error) {
	return ask(ctx, func(ctx context.Context) (string, error) { return r.of.LacksJobs(ctx, namespace) })
}

// LacksEvents implements preflight.Kubernetes.
func (r clusterRights) LacksEvents(ctx context.Context, namespace string) (string, error) {
	return ask(ctx, func(ctx context.Context) (string, error) { return r.of.LacksEvents(ctx, namespace) })
}
