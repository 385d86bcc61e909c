package preflight

import (
	"context"
	"slices"

	"github.com/argo-why/argo-why/internal/policy"
	"github.com/argo-why/argo-why/internal/text"
)

// Argo answers questions about an Argo CD. Its errors are one line and say what to do.
type Argo interface {
	// Whoami is the name of the account.
	Whoami(ctx context.Context) (string, error)
	// CanI asks for a right to the objects that a pattern names, taken literally: a right to "shop/*" is not one to "*/*".
	CanI(ctx context.Context, resource, action, objects string) (bool, error)
	// CheckWeb reports why the HTTP API cannot be used, by which applications are listed and watched with fields left out.
	CheckWeb(ctx context.Context) error
	// Projects are those of the applications that the account can see.
	Projects(ctx context.Context) ([]string, error)
}

// argoRights are the rights that a diagnosis needs, each with its reason.
var argoRights = []struct{ resource, objects, why string }{
	{"applications", "*/*", "needed to see what failed, the resource tree, the differences and the events"},
	{"logs", "*/*", "needed to see the log line that says why a hook or a container failed"},
	{"projects", "*", "needed to see what the project permits"},
	{"repositories", "*", "needed to see whether Argo CD reaches the repository"},
}

// CheckArgo finds out whether the account of an instance can read what a diagnosis needs. It only reads.
func CheckArgo(ctx context.Context, instance string, a Argo) []Finding {
	what := "argocd " + instance
	account, err := a.Whoami(ctx)
	if err != nil {
		return fromError(what, err)
	}
	all := []Finding{{What: what, Detail: "logged in as " + account}, checkWeb(ctx, what, a)}
	for _, right := range argoRights {
		f := checkRight(ctx, a, right.resource, right.objects)
		f.What = what + " right"
		if !f.OK() && f.Remedy == "" {
			f.Problem += " (" + right.why + ")"
			f.Remedy = policy.Grant(account, right.resource, "get", right.objects)
		}
		all = append(all, f)
	}
	return all
}

// connectionRights are those that the watch on connections needs beside the ones of a diagnosis.
var connectionRights = []struct{ resource, why string }{
	{"clusters", "the bot does not warn of a cluster that Argo CD cannot connect to before applications fail"},
}

// CheckArgoConnections finds out whether the account of an instance can see Argo CD's connections. It only reads. It says nothing if
// the account cannot be read, as [CheckArgo] does.
func CheckArgoConnections(ctx context.Context, instance string, a Argo) (found []Finding) {
	account, err := a.Whoami(ctx)
	if err != nil {
		return nil
	}
	for _, right := range connectionRights {
		f := checkRight(ctx, a, right.resource, "*")
		f.What, f.Optional = "argocd "+instance+" right", true
		if !f.OK() && f.Remedy == "" {
			f.Problem += ", so " + right.why
			f.Remedy = policy.Grant(account, right.resource, "get", "*")
		}
		found = append(found, f)
	}
	return found
}

// checkWeb finds out how applications will be listed and watched.
func checkWeb(ctx context.Context, what string, a Argo) Finding {
	f := Finding{What: what + " HTTP API", Detail: "lists and watches applications with only the fields that are needed"}
	if err := a.CheckWeb(ctx); err != nil {
		f.Detail, f.Optional = "", true
		f.Problem = "cannot be used (" + text.OneLine(err.Error()) + "), so whole applications are listed and watched over gRPC, which takes more memory and bandwidth"
		f.Remedy = "have the proxy forward /api/v1/applications and /api/v1/stream/applications to argocd-server, without a login page"
	}
	return f
}

func checkRight(ctx context.Context, a Argo, resource, objects string) Finding {
	failed := func(err error) Finding {
		return Finding{Problem: "cannot check the right to get " + resource + ": " + text.OneLine(err.Error()), Remedy: "fix that, and check again"}
	}
	may, err := a.CanI(ctx, resource, "get", objects)
	switch {
	case err != nil:
		return failed(err)
	case may:
		return Finding{Detail: "get " + resource}
	case objects != "*/*":
		return Finding{Problem: "get " + resource + " is missing"}
	}
	// An account for some projects only is fine.
	projects, err := a.Projects(ctx)
	if err != nil {
		return failed(err)
	}
	var without []string
	for _, project := range projects {
		may, err := a.CanI(ctx, resource, "get", project+"/*")
		if err != nil {
			return failed(err)
		}
		if !may {
			without = append(without, project)
		}
	}
	switch {
	case len(projects) == 0:
		return Finding{Problem: "get " + resource + " is missing, and no application is visible"}
	case len(without) > 0:
		return Finding{Problem: "get " + resource + " is missing in " + few(without)}
	}
	return Finding{Detail: "get " + resource + ", only in " + few(projects)}
}

// few names some of the projects.
func few(projects []string) string {
	const maxNamed = 5
	slices.Sort(projects)
	list := text.List(projects, maxNamed)
	if len(projects) > maxNamed {
		return list + " projects"
	}
	if len(projects) > 1 {
		return "projects " + list
	}
	return "project " + list
}
