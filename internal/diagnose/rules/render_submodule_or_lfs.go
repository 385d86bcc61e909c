package rules

import (
	"github.com/argo-why/argo-why/internal/diagnose"
)

var renderSubmoduleOrLFS = &diagnose.Rule{
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
	Check: rendering(func(_ *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		lfs := f.Has("git lfs", "git-lfs", "'lfs' is not", "lfs fetch", "lfs pull", "smudge filter lfs", "lfs objects", "/info/lfs")
		if !lfs && !f.Has("submodule") {
			return none, false
		}
		what, off := "a git submodule", diagnose.Fix{Text: "Or leave submodules out", Command: "kubectl -n argocd set env deploy/argocd-repo-server ARGOCD_GIT_MODULES_ENABLED=false"}
		if lfs {
			what, off = "the repository's LFS objects", diagnose.Fix{Text: "Switch LFS on for the repository (argocd repo add … --enable-lfs), with an image of the repo-server that has git-lfs, or off"}
		}
		return diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      "cannot fetch " + what,
			Why:        "The repository was reached, but not " + what + ": " + sentence(f.Line(clause)),
			Fix: []diagnose.Fix{
				{Text: "Give Argo CD credentials for the URL in .gitmodules or of the LFS server (a credential template covers all repositories of a host)", Command: "argocd repocreds list"},
				off,
			},
		}, true
	}),
}
