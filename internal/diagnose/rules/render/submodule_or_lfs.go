package render

import (
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/text"
)

var SubmoduleOrLFS = &diagnose.Rule{
	ID: "render/submodule-or-lfs",
	Doc: diagnose.Doc{
		Title:    "A git submodule or LFS object cannot be fetched",
		What:     "The repository itself can be read, but a submodule or an LFS object of it cannot: other credentials, another host, or git-lfs is missing.",
		Decisive: "The failing command is git submodule or git lfs.",
		Example:  "`git submodule update --init --recursive` failed exit status 1: Cloning into …",
		Fix:      "Give Argo CD credentials for the submodule's URL, or switch submodules off (ARGOCD_GIT_MODULES_ENABLED=false); switch LFS on or off per repository.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/private-repositories/#git-submodules"},
	},
	Sync: nothingRenders,
	Check: rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		git := f.Command != nil && f.Command.Tool == "git"
		lfs := git && f.Command.Verb == "lfs" || f.Has("git-lfs", "lfs fetch", "lfs pull", "smudge filter lfs", "lfs objects", "git lfs") || f.Mentions("'lfs' is not", "/info/lfs")
		if !lfs && !(git && f.Command.Verb == "submodule") && !f.Has("git submodule", "submodules", "submodule ") {
			return diagnose.Finding{}, false
		}
		what, off := "a git submodule", diagnose.Fix{Text: "Or leave submodules out, for all applications of this Argo CD", Command: diagnose.Shell("kubectl -n %s set env deploy/argocd-repo-server ARGOCD_GIT_MODULES_ENABLED=false", advice.ArgoNamespace(in))}
		if lfs {
			what, off = "the repository's LFS objects", diagnose.Fix{Text: "Switch LFS on for the repository (argocd repo add … --enable-lfs), with an image of the repo-server that has git-lfs, or off"}
		}
		if f.Mentions("'lfs' is not a git command", "git-lfs: not found", "git-lfs: command not found") {
			return diagnose.Finding{
				Confidence: diagnose.Certain,
				Title:      "the repo-server has no git-lfs",
				Why:        "The repository has LFS objects, and the repo-server's image has no git-lfs to fetch them: " + text.Sentence(f.Line(message.MaxClause)),
				Fix:        advice.Steps("Use an image of the repo-server with git-lfs (Argo CD's own has it), or switch LFS off for the repository"),
			}, true
		}
		return diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      "cannot fetch " + what,
			Why:        "The repository was reached, but not " + what + ": " + text.Sentence(f.Line(message.MaxClause)),
			Fix: []diagnose.Fix{
				{Text: "Give Argo CD credentials for the URL in .gitmodules or of the LFS server (a credential template covers all repositories of a host)", Command: "argocd repocreds list"},
				off,
			},
		}, true
	}),
}
