package render

import (
	"regexp"
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
				{Text: "Let the credentials of this repository read its LFS objects too; this shows what Argo CD has for it", Command: "argocd repo list"},
				{Text: "Or turn LFS off for the repository, if the manifests do not need it"},
			}
			if m := batch.FindStringSubmatch(f.Flat()); m != nil {
				out.Says.Text = message.LastClause(m[1])
			}
			if f.Has("quota") {
				out.Fix[0] = diagnose.Fix{Text: "Raise the LFS quota of the account that owns the repository"}
			}
		default:
			out.Title = "Git submodule cannot be fetched"
			out.Fix = []diagnose.Fix{
				{Text: "Let the credentials of the application's repository read the submodule too: Argo CD uses no others for it. A relative URL in .gitmodules keeps host and scheme the same"},
				{Text: "Or turn submodules off for all applications of this Argo CD", Command: diagnose.Shell("kubectl -n %s set env deploy/argocd-repo-server ARGOCD_GIT_MODULES_ENABLED=false", advice.ArgoNamespace(in))},
			}
			if m := submodule.FindStringSubmatch(f.Flat()); m != nil {
				out.Title = "Git submodule " + shortRepository(m[1]) + " cannot be fetched"
				out.Says.Text = strings.TrimSpace(strings.TrimPrefix(reasonBefore(f.Core(), "clone of '"), "fatal: "))
			}
			if f.Mentions("no url found for submodule") {
				out.Fix[0] = diagnose.Fix{Text: "Add the submodule to .gitmodules, or remove it from the repository"}
			}
		}
		return out, true
	}),
}

// batch is the answer of an LFS server; submodule is the URL of one that could not be cloned.
var (
	batch     = regexp.MustCompile(`batch response: (.*?)(?: error: | Failed to|$)`)
	submodule = regexp.MustCompile(`clone of '([^']+)' into submodule path`)
)

// reasonBefore is what git says in front of its conclusion; empty where it says nothing.
func reasonBefore(said, conclusion string) string {
	head, _, ok := strings.Cut(said, conclusion)
	if !ok {
		return ""
	}
	return message.LastClause(strings.TrimSuffix(strings.TrimSpace(head), "fatal:"))
}
