package render

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/text"
)

var PathNotFound = &diagnose.Rule{
	ID: "render/path-not-found",
	Doc: diagnose.Doc{
		Title:    "The application's path is not in the repository",
		What:     "The revision was fetched, but the directory that the application points at is not in it: renamed, removed, or on another branch.",
		Decisive: "Argo CD says that the app path does not exist, is no directory, or is not relative.",
		Example:  "us-east-1/workloads/chf: app path does not exist",
		Fix:      "Correct spec.source.path or targetRevision.",
	},
	Sync: nothingRenders,
	Check: rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !f.Has("app path does not exist", "app path is absolute", "app path is not a directory", "app path is outside", "app path outside", "path does not exist", "not a directory", "should be specified relative") || f.Command != nil {
			return diagnose.Finding{}, false
		}
		src := in.App().Source(f.Source)
		path := cmp.Or(src.Path, ".")
		if p, _, ok := strings.Cut(f.Cause, ": app path"); ok && !strings.Contains(p, " ") {
			path = p
		}
		title := fmt.Sprintf("path %s is not in the repository", path)
		if f.Has("absolute", "outside", "not a directory", "relative") {
			title = fmt.Sprintf("path %s is no directory inside the repository", path)
		}
		return diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      title,
			Why:        fmt.Sprintf("%s at %s has no usable directory %s%s: %s", cmp.Or(src.RepoURL, "The repository"), cmp.Or(src.TargetRevision, "HEAD"), path, sourceOf(s), text.Sentence(f.Line(message.MaxClause))),
			Fix: []diagnose.Fix{
				{Text: "See what is there", Command: diagnose.Shell("git ls-tree --name-only -r %s | grep -F %s", cmp.Or(src.TargetRevision, "HEAD"), lastElement(path))},
				{Text: "Point the application at the right path (relative to the root of the repository)", Command: diagnose.Shell("argocd app set %s%s --path PATH", advice.AppName(in), position(s))},
			},
		}, true
	}),
}

func lastElement(path string) string {
	path = strings.TrimRight(path, "/")
	return cmp.Or(path[strings.LastIndexByte(path, '/')+1:], ".")
}
