package render

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// unlisted is a repository that Helm has no definition for, as Chart.yaml names it: by its URL, by an alias ("@stable", "alias:stable"),
// or by a bare name, which Helm takes for neither.
type unlisted string

// alias is the name that the chart has for it; empty for a URL.
func (u unlisted) alias() string {
	switch name, ok := strings.CutPrefix(string(u), "alias:"); {
	case ok:
		return name
	case strings.HasPrefix(string(u), "@"):
		return string(u[1:])
	case !strings.Contains(string(u), "/"):
		return string(u)
	}
	return ""
}

// registered is the Helm repository of Argo CD that the chart means: by its name, or by a URL of another form. known is false where
// the list is not.
func (u unlisted) registered(in *diagnose.In) (url string, known bool) {
	repos, known := repositories(in)
	name := u.alias()
	i := slices.IndexFunc(repos, func(r evidence.Repository) bool {
		if r.Type != "" && r.Type != "helm" && r.Type != "oci" {
			return false
		}
		if name != "" {
			return r.Name == name
		}
		return samePlace(r.Repo, string(u))
	})
	if i < 0 {
		return "", known
	}
	url = repos[i].Repo
	if !strings.Contains(url, "://") && (repos[i].EnableOCI || repos[i].Type == "oci") {
		url = "oci://" + url
	}
	return url, known
}

// samePlace compares two URLs without their scheme and a slash at the end.
func samePlace(a, b string) bool {
	return strings.EqualFold(strings.TrimRight(withoutScheme(a), "/"), strings.TrimRight(withoutScheme(b), "/"))
}

// noDefinition is about repositories of dependencies that Helm does not know in the repo-server.
func noDefinition(r rendered, _ []string) diagnose.Finding {
	all := undefinedRepositories(r.s.Failure.Flat())
	if f := &r.s.Failure; f.Plugin || f.Command != nil && strings.Contains(f.Command.Line, "sh -c") {
		return definedByPlugin(r, all)
	}
	out := diagnose.Finding{
		OutsideGit: true,
		Title:      "Helm repository of a dependency is unknown",
		Why:        "Helm builds dependencies only from repositories that it has a definition for.",
		Says:       said(r.s),
	}
	switch {
	case len(all) == 0:
		out.Fix = []diagnose.Fix{{Text: "Add the repository of each dependency to Argo CD", Command: addRepository("URL", "")}}
	case len(all) == 1:
		return withoutDefinition(r, all[0])
	default:
		for _, u := range all {
			fix, outside := u.steps(r)
			if n := len(out.Fix); n > 0 && out.Fix[n-1].Command == fix[0].Command { // once, after all of them are written
				out.Fix[n-1].Command = ""
			}
			out.Fix, out.OutsideGit = append(out.Fix, fix[0]), out.OutsideGit && outside
		}
	}
	return out
}

// withoutDefinition is the finding about the only repository that is unknown.
func withoutDefinition(r rendered, u unlisted) diagnose.Finding {
	out := diagnose.Finding{
		Title: "Helm repository " + withoutScheme(string(u)) + " is unknown",
		Short: "Helm repository of a dependency is unknown",
	}
	url, known := u.registered(r.in)
	place := chartFile(r)
	switch name := u.alias(); {
	case name == string(u):
		out.Why = fmt.Sprintf("%s names the repository of a dependency only by this name. Helm takes a URL there, or an alias such as @%s.", place, name)
	case name != "":
		out.Title = fmt.Sprintf("Helm repository alias %s is not defined", strings.TrimPrefix(string(u), "alias:"))
		out.Why = fmt.Sprintf("A dependency in %s names its repository by this alias, and the Helm that Argo CD runs has no definition for it.", place)
		if url != "" {
			out.Why += fmt.Sprintf(" Repository %s is in Argo CD (%s), so adding it again does not help.", name, url)
		} else if known {
			out.Why += fmt.Sprintf(" Argo CD has no Helm repository called %s either.", name)
		}
	case url != "" && !sameURL(url, string(u)):
		out.Why = fmt.Sprintf("%s names it as %s, and Argo CD has it as %s. Helm compares the URLs.", place, u, url)
	case strings.HasPrefix(string(u), "http://"):
		out.Why = fmt.Sprintf("%s names it with http://. Argo CD defines for Helm only the repositories with https:// and oci://.", place)
	case url != "":
		out.Why = fmt.Sprintf("%s has a dependency from it, and Argo CD has it too, but Helm got no definition of it.", place)
	case known:
		out.Why = "Argo CD has no entry for it, and Helm builds dependencies only from repositories that it has a definition for."
	default:
		out.Why = "Helm builds dependencies only from repositories that it has a definition for."
	}
	out.Fix, out.OutsideGit = u.steps(r)
	return out
}

// steps give Helm the repository; outside: the first of them is not in Git.
func (u unlisted) steps(r rendered) (out []diagnose.Fix, outside bool) {
	url, _ := u.registered(r.in)
	name, vendor := u.alias(), diagnose.Fix{Text: "Or commit the archive of the dependency in charts/"}
	write := func(url string) diagnose.Fix {
		return diagnose.Fix{
			Text:    fmt.Sprintf("In %s set the dependency's repository to %s instead of %s, update Chart.lock and push", chartFile(r), url, u),
			Command: diagnose.Shell("helm dependency update %s", sourcePath(r.src)),
		}
	}
	switch {
	case !ownRepository(r):
		if name == "" && url == "" {
			return []diagnose.Fix{{Text: "Add repository " + string(u) + " to Argo CD", Command: addRepository(string(u), "")}}, true
		}
		return []diagnose.Fix{otherVersion(r, "")}, false
	case name != "":
		out = []diagnose.Fix{write(cmp.Or(url, "its URL"))}
		if url == "" && name != string(u) {
			out = append(out, diagnose.Fix{Text: "Or add the repository to Argo CD with this name", Command: addRepository("URL", name)})
		}
		return append(out, vendor), false
	case url != "" && !sameURL(url, string(u)):
		return []diagnose.Fix{write(url), vendor}, false
	case strings.HasPrefix(string(u), "http://"):
		return []diagnose.Fix{write("its https:// URL (if the server has one)"), vendor}, false
	case url != "":
		return []diagnose.Fix{
			{Text: "Check that Chart.yaml and Chart.lock name the same repository; this writes Chart.lock again", Command: diagnose.Shell("helm dependency update %s", sourcePath(r.src))},
			vendor,
		}, false
	}
	return []diagnose.Fix{{Text: "Add repository " + string(u) + " to Argo CD", Command: addRepository(string(u), "")}}, true
}

// sameURL compares two URLs as Helm does, for which a slash at the end does not count.
func sameURL(a, b string) bool { return strings.TrimRight(a, "/") == strings.TrimRight(b, "/") }

// chartFile is the file that has the dependencies.
func chartFile(r rendered) string {
	if !ownRepository(r) {
		return "Chart.yaml of the chart"
	}
	return path.Join(sourcePath(r.src), "Chart.yaml")
}

// definedByPlugin is the finding where a plugin builds the dependencies.
func definedByPlugin(r rendered, all []unlisted) diagnose.Finding {
	out := diagnose.Finding{
		Title: "Helm repository of a dependency is unknown",
		Why:   "A plugin runs helm dependency build itself, without the repositories that Argo CD knows.",
		Says:  said(r.s),
	}
	if len(all) == 1 {
		out.Title, out.Short, out.Says = "Helm repository "+withoutScheme(string(all[0]))+" is unknown", out.Title, diagnose.Said{}
	}
	for _, u := range all {
		url, name := string(u), cmp.Or(u.alias(), "NAME")
		if u.alias() != "" {
			url, _ = u.registered(r.in)
		}
		out.Fix = append(out.Fix, diagnose.Fix{Text: "Add the repository in the init command of the plugin", Command: diagnose.Shell("helm repo add %s %s", name, cmp.Or(url, "URL"))})
	}
	if len(out.Fix) == 0 {
		out.Fix = []diagnose.Fix{{Text: "Add the repository of each dependency in the init command of the plugin", Command: "helm repo add NAME URL"}}
	}
	return out
}

// addRepository is the command that makes a repository of charts known to Argo CD.
func addRepository(url, name string) string {
	if oci, ok := strings.CutPrefix(url, "oci://"); ok {
		return diagnose.Shell("argocd repo add %s --type helm --name %s --enable-oci", oci, cmp.Or(name, "NAME"))
	}
	return diagnose.Shell("argocd repo add %s --type helm --name %s", url, cmp.Or(name, "NAME"))
}

func withoutScheme(url string) string {
	if _, rest, ok := strings.Cut(url, "://"); ok {
		return rest
	}
	return url
}

// undefinedRepositories are the repositories that Helm has no definition for.
func undefinedRepositories(said string) []unlisted {
	_, list, _ := strings.Cut(said, "no repository definition for ")
	list, _, _ = strings.Cut(list, ". Please ")
	var out []unlisted
	for _, word := range strings.Fields(list) {
		if name := strings.TrimRight(word, ".,"); name != "" && !strings.Contains(name, "…") {
			out = append(out, unlisted(name))
		}
		if !strings.HasSuffix(word, ",") {
			break
		}
	}
	return out
}
