package render

import (
	"fmt"
	"path"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
)

var SymlinkOutOfBounds = &diagnose.Rule{
	ID: "render/symlink-out-of-bounds",
	Doc: diagnose.Doc{
		Title:    "Symbolic link leaves the repository",
		What:     "Argo CD refuses a repository or chart with a symbolic link that is absolute or leads out of it, wherever the link is and whether or not the application uses it. Plugins also refuse links out of the directory that is sent to them.",
		Decisive: "\"contains out-of-bounds symlinks\", or \"illegal filepath in symlink\".",
		Example:  "repository contains out-of-bounds symlinks. file: tools/shared/config",
		Fix:      "Remove the link from Git, or make it relative and keep it inside the repository.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/operator-manual/high_availability/"},
	},
	Sync: nothingRenders,
	Check: rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		return firstOf(symlinkFaults, renderedOf(in, s), s.Failure.Flat())
	}),
}

var symlinkFaults = []fault{
	{pattern.MustCompile(`(chart|repository|streamed files) contains? out-of-bounds symlinks\. file: (\S+)`), outOfBounds},
	{pattern.MustCompile(`failed to (?:evaluate symlink|get file info for symlink) at "([^"]+)".*?: (.*)`), brokenLink},
	{pattern.MustCompile(`illegal filepath in symlink:? (?:at )?"?(\S+?)"?$`), leavesPlugin},
}

func outOfBounds(r rendered, m []string) diagnose.Finding {
	link := m[2]
	out := diagnose.Finding{
		Title: fmt.Sprintf("Symlink %s leaves the %s", link, m[1]),
		Why:   "Argo CD refuses links that are absolute or lead out, even where the application does not use them.",
		Fix: []diagnose.Fix{
			{Text: "In a clone, see where it leads", Command: diagnose.Shell("readlink %s", link)},
			{Text: "Remove it, or replace it by a relative link inside the repository, and push", Command: diagnose.Shell("git rm %s", link)},
			allowLinks(r),
		},
	}
	if m[1] == "streamed files" {
		out.Title = fmt.Sprintf("Symlink %s leaves the uploaded directory", link)
	}
	if m[1] == "chart" {
		out.Title = fmt.Sprintf("Symlink %s leaves the chart", link)
		out.Fix = []diagnose.Fix{{Text: "Use a chart version without the link, or have its publisher remove it"}, allowLinks(r)}
	}
	return out
}

// allowLinks is the way out for those who trust everyone that can write to their repositories.
func allowLinks(r rendered) diagnose.Fix {
	return set(r.in, "If you trust everyone who can push to your repositories, allow such links (not recommended)", setting{"repo-server", "reposerver.allow.oob.symlinks", "ARGOCD_REPO_SERVER_ALLOW_OUT_OF_BOUNDS_SYMLINKS", "true"})
}

func leavesPlugin(r rendered, m []string) diagnose.Finding {
	return diagnose.Finding{
		Title: "A symlink leads out of what the plugin gets",
		Why:   fmt.Sprintf("It leads to %s. Argo CD refuses such links when it sends files to a plugin.", relative(m[1])),
		Fix: []diagnose.Fix{
			{Text: "In a clone, list the links in the directory", Command: diagnose.Shell("find %s -type l -ls", sourcePath(r.src))},
			{Text: "Replace the link by the file that it leads to, and push"},
		},
	}
}

// brokenLink is about a link that Argo CD cannot follow. Those that lead to nothing it only skips.
func brokenLink(r rendered, m []string) diagnose.Finding {
	link := path.Join(r.src.Path, m[1])
	return diagnose.Finding{
		Title: "Symlink " + link + " cannot be followed",
		Short: "A symlink cannot be followed",
		Says:  diagnose.Said{Who: "Argo CD says", Text: relative(m[2])},
		Fix: []diagnose.Fix{
			{Text: "In a clone, see where it leads", Command: diagnose.Shell("ls -l %s", link)},
			{Text: "Correct the link, or replace it by the file, and push"},
		},
	}
}
