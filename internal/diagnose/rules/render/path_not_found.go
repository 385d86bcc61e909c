package render

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
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
		src := in.App().Source(f.Source)
		path := cmp.Or(src.Path, ".")
		if p, _, ok := strings.Cut(f.Cause, ": app path"); ok && !strings.Contains(p, " ") {
			path = p
		}
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      fmt.Sprintf("Path %s is not in the repository", path),
			Why:        fmt.Sprintf("%s at %s has no such directory%s.", cmp.Or(src.RepoURL, "The repository"), cmp.Or(src.TargetRevision, "HEAD"), sourceOf(s)),
			Fix: []diagnose.Fix{
				{Text: "Set " + field(s, "path") + " to a directory that exists, relative to the root of the repository", Command: diagnose.Shell("argocd app set %s%s --path PATH", advice.AppName(in), position(s))},
				similarPaths(cmp.Or(src.TargetRevision, "HEAD"), path),
			},
		}
		if advice.Generator(in) != "" { // its controller undoes what is set in the Application
			out.Fix[0] = diagnose.Fix{Text: "Correct path in " + advice.Manifest(in) + ", relative to the root of the repository; or commit or merge the directory to " + cmp.Or(src.TargetRevision, "HEAD")}
		}
		if f.Has("absolute", "outside", "not a directory", "relative") {
			out.Title = fmt.Sprintf("Path %s cannot be used", path)
			out.Why = inSource(s) + "Argo CD needs a directory inside the repository."
			out.Says = said(s)
			out.Says.Text = strings.TrimPrefix(out.Says.Text, path+": ")
		}
		return out, true
	}),
}

// similarPaths is the step that lists what is where the path should be: the directory above it, whose other entries a typing error
// resembles.
func similarPaths(revision, path string) diagnose.Fix {
	above := ""
	if i := strings.LastIndexByte(strings.TrimRight(path, "/."), '/'); i > 0 {
		above = diagnose.Shell(" %s", path[:i+1])
	}
	return diagnose.Fix{Text: "In a clone of the repository, list what is there", Command: diagnose.Shell("git ls-tree --name-only %s%s", revision, diagnose.Raw(above))}
}
