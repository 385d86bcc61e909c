package preflight

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/policy"
	"github.com/argo-why/argo-why/internal/text"
)

// Actor is an Argo CD that is acted on.
type Actor interface {
	Argo
	// Lacks is the right that the account lacks for an action on the applications of a project, as in a policy
	// ("applications, sync"); "" if it lacks none.
	Lacks(ctx context.Context, action, project string) (string, error)
}

// WantedAction is an action that the configuration allows to somebody.
type WantedAction struct {
	// Action is its ID: hard-refresh, delete-hook-job, terminate, sync.
	Action string
	// Projects are those that it is allowed in, as patterns ("shop-*"); none means all.
	Projects []string
}

// CheckArgoActions finds out whether the account can do what the configuration allows people to do. An action whose right is
// missing has no button. It changes nothing, and says nothing if the account cannot be read, as [CheckArgo] does.
func CheckArgoActions(ctx context.Context, instance string, a Actor, wanted []WantedAction) []Finding {
	if len(wanted) == 0 {
		return nil
	}
	what := "argocd " + instance + " action"
	account, err := a.Whoami(ctx)
	if err != nil {
		return nil
	}
	projects, err := a.Projects(ctx)
	if err != nil {
		return fromError(what, err)
	}
	projects = slices.Compact(slices.Sorted(slices.Values(projects)))
	var all []Finding
	for _, w := range wanted {
		f := checkAction(ctx, a, account, w, projects)
		f.What = what
		all = append(all, f)
	}
	return all
}

func checkAction(ctx context.Context, a Actor, account string, w WantedAction, projects []string) Finding {
	var with, without []string
	lacking := ""
	for _, project := range projects {
		if !w.in(project) {
			continue
		}
		right, err := a.Lacks(ctx, w.Action, project)
		switch {
		case err != nil:
			return Finding{Problem: "cannot check the right to " + w.Action + ": " + text.OneLine(err.Error()), Remedy: "fix that, and check again"}
		case right == "":
			with = append(with, project)
		default:
			lacking, without = right, append(without, project)
		}
	}
	switch {
	case len(with) == 0 && len(without) == 0:
		return Finding{Detail: w.Action + ", but no application is visible in the projects in which it is allowed"}
	case len(without) == 0 && len(with) == len(projects):
		return Finding{Detail: w.Action}
	case len(without) == 0:
		return Finding{Detail: w.Action + ", only in " + few(with)}
	}
	// One line is enough if the right is missing everywhere.
	objects := []string{"*"}
	if len(without) < len(projects) {
		objects = without
	}
	resource, verb, _ := strings.Cut(lacking, ", ")
	var patterns []string
	for _, project := range objects {
		patterns = append(patterns, project+"/*")
	}
	return Finding{
		Problem: w.Action + " has no button in " + few(slices.Clone(without)) + ": the account lacks the right",
		Remedy:  policy.Grant(account, resource, verb, patterns...),
	}
}

// in reports whether the action is allowed in a project. A pattern that is none matches nothing.
func (w WantedAction) in(project string) bool {
	return len(w.Projects) == 0 || slices.ContainsFunc(w.Projects, func(pattern string) bool {
		ok, err := path.Match(pattern, project)
		return err == nil && ok
	})
}
