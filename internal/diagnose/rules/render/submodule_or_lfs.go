package render

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
)

var SubmoduleOrLFS = &diagnose.Rule{
	ID: "render/submodule-or-lfs",
	Doc: diagnose.Doc{
		Title:    "Git submodule or LFS fetch fails",
		What:     "The repository itself can be read, but one of its submodules or LFS objects cannot: it needs other credentials, is on another host, or git-lfs is missing.",
		Decisive: "The failing command is git submodule or git lfs.",
		Example:  "`git submodule update --init --recursive` failed exit status 1: Cloning into …",
		Fix:      "Give Argo CD credentials for the submodule's URL, or turn submodules off (ARGOCD_GIT_MODULES_ENABLED=false). LFS is turned on or off per repository.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/private-repositories/#git-submodules"},
	},
	Sync: nothingRenders,
	Check: during(message.CallGit, message.CallGitExtra).rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		git := f.Command != nil && f.Command.Tool == "git"
		lfs := git && f.Command.Verb == "lfs" || f.Has("git-lfs", "lfs fetch", "lfs pull", "smudge filter lfs", "lfs objects", "git lfs") || f.Mentions("'lfs' is not", "/info/lfs")
		if !lfs && !(git && f.Command.Verb == "submodule") && !f.Has("git submodule", "submodules", "submodule ") {
			return diagnose.Finding{}, false
		}
		out := diagnose.Finding{Confidence: diagnose.Certain, Why: inSource(s) + "The repository itself was fetched.", Says: said(s)}
		if strings.HasPrefix(out.Says.Text, "Cloning into ") { // the text ends before the reason
			out.Says, out.Why = diagnose.Said{}, out.Why+" Argo CD's message ends before the reason."
		}
		switch {
		case f.Mentions("'lfs' is not a git command", "git-lfs: not found", "git-lfs: command not found"):
			out.Title = "The repo-server has no git-lfs"
			out.Why = inSource(s) + "It cannot fetch the repository's LFS objects without it."
			out.Says = diagnose.Said{}
			out.Fix = advice.Steps("Use a repo-server image with git-lfs (Argo CD's own has it), or turn LFS off for the repository")
		case lfs:
			out.Title = "Git LFS objects cannot be fetched"
			out.Fix = []diagnose.Fix{
				{Text: "Give Argo CD credentials for the LFS server (a credential template covers all repositories of a host); this lists the templates", Command: "argocd repocreds list"},
				{Text: "Or turn LFS off for the repository, if the manifests do not need it"},
			}
			if f.Has("quota") {
				out.Fix[0] = diagnose.Fix{Text: "Raise the LFS quota of the account that owns the repository"}
			}
		default:
			out.Title = "Git submodule cannot be fetched"
			out.Fix = []diagnose.Fix{
				{Text: "Give Argo CD credentials for the URL in .gitmodules (a credential template covers all repositories of a host); this lists the templates", Command: "argocd repocreds list"},
				{Text: "Or turn submodules off for all applications of this Argo CD", Command: diagnose.Shell("kubectl -n %s set env deploy/argocd-repo-server ARGOCD_GIT_MODULES_ENABLED=false", advice.ArgoNamespace(in))},
			}
			if f.Mentions("no url found for submodule") {
				out.Fix[0] = diagnose.Fix{Text: "Add the submodule to .gitmodules, or remove it from the repository"}
			}
		}
		return out, true
	}),
}
