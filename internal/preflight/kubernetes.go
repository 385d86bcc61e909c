package preflight

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/text"
)

// Kubernetes is the cluster of an application, as the bot reaches it. What it lacks is a sentence that says what grants it, ""
// if it lacks nothing; no namespace means all of them. Errors are one line.
type Kubernetes interface {
	// LacksJobs is about deleting Jobs, in the cluster that the application is deployed to.
	LacksJobs(ctx context.Context, namespace string) (string, error)
	// LacksEvents is about writing events, in the cluster that Argo CD runs in.
	LacksEvents(ctx context.Context, namespace string) (string, error)
}

// CheckKubernetes finds out whether actions on applications of an instance have the rights that they need in a cluster: to delete
// hook Jobs in the namespaces that the applications are deployed to, and to write events in the namespaces of the Applications. A
// cluster that cannot be reached is fine: there is another way, or nothing is lost. It only asks.
func CheckKubernetes(ctx context.Context, instance string, k Kubernetes, jobs, events []string) []Finding {
	what := "argocd " + instance + " kubernetes right"
	return []Finding{
		checkNamespaces(ctx, what, "delete Jobs", "Jobs are deleted through Argo CD", k.LacksJobs, jobs),
		checkNamespaces(ctx, what, "write events", "actions write no event on the Application", k.LacksEvents, events),
	}
}

// maxNamespaces is in how many namespaces a right is checked: each costs a request or two.
const maxNamespaces = 20

func checkNamespaces(ctx context.Context, what, doing, otherwise string, lacks func(context.Context, string) (string, error), namespaces []string) Finding {
	unasked := func(err error) Finding {
		return Finding{What: what, Detail: otherwise + ": " + text.OneLine(err.Error())}
	}
	missing, err := lacks(ctx, "")
	switch {
	case err != nil:
		return unasked(err)
	case missing == "":
		return Finding{What: what, Detail: doing + " in all namespaces"}
	}
	namespaces = slices.Compact(slices.Sorted(slices.Values(namespaces)))
	if len(namespaces) == 0 {
		return Finding{What: what, Detail: "no application is visible to " + doing + " for"}
	}
	rest := len(namespaces) - maxNamespaces
	if rest > 0 {
		namespaces = namespaces[:maxNamespaces]
	}
	var first string
	var without []string
	for _, namespace := range namespaces {
		missing, err := lacks(ctx, namespace)
		if err != nil {
			return unasked(err)
		}
		if missing != "" {
			if first == "" {
				first = missing
			}
			without = append(without, namespace)
		}
	}
	f := Finding{What: what, Detail: doing + " in " + fewNamespaces(namespaces)}
	if len(without) > 0 {
		f = Finding{What: what, Optional: true, Problem: text.OneLine(first)}
		if len(without) > 1 {
			f.Problem += " (also in " + fewNamespaces(without[1:]) + ")"
		}
		f.Problem += "; without that, " + otherwise
	}
	if rest > 0 {
		f.Detail = strings.TrimPrefix(fmt.Sprintf("%s; %s were not checked", f.Detail, text.More(rest)), "; ")
	}
	return f
}

func fewNamespaces(namespaces []string) string {
	const maxNamed = 5
	list := text.List(namespaces, maxNamed)
	if len(namespaces) > maxNamed {
		list += " namespaces"
	}
	return list
}
