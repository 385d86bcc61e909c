package render

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
)

var PathNotFound = &diagnose.Rule{
	ID: "render/path-not-found",
	Doc: diagnose.Doc{
		Title:    "Path not found in Git",
		What:     "The revision was fetched, but it does not have the directory that the application points to: it was renamed, removed, or is on another branch.",
		Decisive: "Argo CD says that the app path does not exist, is not a directory, or is not relative.",
		Example:  "us-east-1/workloads/chf: app path does not exist",
		Fix:      "Correct spec.source.path or targetRevision.",
	},
	Sync: nothingRenders,
	Check: during().rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !f.Has("app path does not exist", "app path is absolute", "app path is not a directory", "app path is outside", "app path outside", "path does not exist", "not a directory", "should be specified relative") || f.Command != nil {
			return diagnose.Finding{}, false
		}
		r := renderedOf(in, s)
		path := cmp.Or(r.src.Path, ".")
		if p, _, ok := strings.Cut(f.Cause, ": app path"); ok && !strings.Contains(p, " ") {
			path = p
		}
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      fmt.Sprintf("Path %s is not in the repository", path),
			Why:        fmt.Sprintf("%s at %s has no such directory%s.", cmp.Or(r.src.RepoURL, "The repository"), cmp.Or(r.src.TargetRevision, "HEAD"), sourceOf(s, r.number)),
			Fix: []diagnose.Fix{
				setPath(r, "to a directory that exists, relative to the root of the repository", "PATH"),
				similarPaths(r.src.TargetRevision, path),
			},
		}
		out.Fix[0].Text += "; or commit or merge the directory to " + cmp.Or(r.src.TargetRevision, "HEAD")
		if f.Has("absolute", "outside", "not a directory", "relative") {
			out.Title = fmt.Sprintf("Path %s cannot be used", path)
			out.Why = inSource(s) + "Argo CD needs a directory inside the repository."
			out.Says = said(s)
			out.Says.Text = strings.TrimPrefix(out.Says.Text, path+": ")
			out.Fix[0] = usablePath(r, path)
		}
		return out, true
	}),
}

// setPath is the step that sets the path of the source, where the Application is defined.
func setPath(r rendered, to, path string) diagnose.Fix {
	if advice.Generator(r.in) != "" { // its controller undoes what is set in the Application
		return diagnose.Fix{Text: "Set path in " + advice.Manifest(r.in) + " " + to}
	}
	out := diagnose.Fix{Text: "Set " + r.field("path") + " " + to + ", in Git if the Application is defined there"}
	if r.known() {
		out.Command = diagnose.Shell("argocd app set %s%s --path %s", advice.AppName(r.in), positionOf(r.s, r.number), path)
	}
	return out
}

// toolFile is a file that Helm or Kustomize reads, not a manifest.
var toolFile = pattern.MustCompile(`^(?:Chart\.yaml|values[\w.-]*\.ya?ml|[Kk]ustomization(?:\.ya?ml)?)$`)

// usablePath is the step for a path that leads to a file, begins at the root of a file system, or leads out of the repository.
func usablePath(r rendered, path string) diagnose.Fix {
	f := &r.s.Failure
	at := strings.LastIndexByte(path, '/')
	switch {
	case f.Has("absolute") && strings.Trim(path, "/.") != "":
		return setPath(r, "without the slash in front: paths are relative to the root of the repository", strings.TrimLeft(path, "/"))
	case f.Has("not a directory") && toolFile.MatchString(path[at+1:]):
		return setPath(r, "to the directory of this file (values files are listed in helm.valueFiles)", cmp.Or(path[:max(at, 0)], "."))
	case f.Has("not a directory") && strings.Contains(path[at+1:], "."):
		return diagnose.Fix{Text: "Set the directory of the file as path, and include only this file, in " + r.place(), Patch: fmt.Sprintf("path: %s\ndirectory:\n  include: %s\n", cmp.Or(path[:max(at, 0)], "."), path[at+1:])}
	}
	return setPath(r, "relative to the root of the repository, without leading out of it", "PATH")
}

// similarPaths is the step that lists what is where the path should be: the directory above it, whose other entries a typing error
// resembles.
func similarPaths(revision, path string) diagnose.Fix {
	above := ""
	if i := strings.LastIndexByte(strings.TrimRight(path, "/."), '/'); i > 0 && !strings.Contains(path, "..") {
		above = path[:i+1]
	}
	return diagnose.Fix{Text: "In a clone of the repository, list what is there", Command: listTree(revision, above)}
}

// listTree is the command that lists a revision, or a directory of it. A clone has branches of the server only under another name, and
// perhaps not the latest, so it fetches the revision first.
func listTree(revision, what string) string {
	if what != "" {
		what = diagnose.Shell(" %s", what)
	}
	if revision == "" || strings.ContainsAny(revision, "*^~<>=| ") || strings.HasSuffix(revision, ".x") {
		revision = "HEAD"
	}
	return diagnose.Shell("git fetch origin %s && git ls-tree --name-only FETCH_HEAD%s", revision, diagnose.Raw(what))
}
