package render

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/repourl"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var SubmoduleOrLFS = &diagnose.Rule{
	ID:    "render/submodule-or-lfs",
	Needs: []evidence.Kind{evidence.KindRepositories},
	Doc: diagnose.Doc{
		Title:    "Git submodule or LFS fetch fails",
		What:     "The repository itself can be read, but one of its submodules or LFS objects cannot: it needs other credentials, is on another host, or git-lfs is missing.",
		Decisive: "The failing command is git submodule or git lfs.",
		Example:  "`git submodule update --init --recursive` failed exit status 1: Cloning into …",
		Fix:      "Give Argo CD credentials for the submodule's URL, or turn submodules off (ARGOCD_GIT_MODULES_ENABLED=false). LFS is turned on or off per repository.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/private-repositories/#git-submodules"},
	},
	Sync: nothingRenders,
	Check: during(message.CallGit, message.CallGitExtra, message.CallHelm, message.CallDependency).rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if m := notGzip.FindStringSubmatch(f.Flat()); m != nil {
			return pointerAsChart(renderedOf(in, s), m)
		}
		if f.Call == message.CallHelm || f.Call == message.CallDependency {
			return diagnose.Finding{}, false
		}
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
			if m := lfsStatus.FindStringSubmatch(f.Flat()); m != nil {
				out.Says.Text = m[1]
			}
			if f.Has("object does not exist on the server") {
				out.Why = inSource(s) + "The repository itself was fetched, and refers to LFS objects that the server does not have, or does not give to Argo CD."
				out.Fix = append([]diagnose.Fix{{Text: "In a clone that has the objects, push them", Command: "git lfs push --all origin"}}, out.Fix...)
			}
			if f.Has("quota") {
				out.Fix[0] = diagnose.Fix{Text: "Raise the LFS quota of the account that owns the repository"}
			}
		default:
			out.Title = "Git submodule cannot be fetched"
			out.Fix = []diagnose.Fix{
				{Text: "Let the credentials of the application's repository read the submodule too: Argo CD uses no others for it. A relative URL in .gitmodules keeps host and scheme the same"},
				set(in, "Or turn submodules off for all applications of this Argo CD", setting{"repo-server", "", "ARGOCD_GIT_MODULES_ENABLED", "false"}),
			}
			out.Short = "A Git submodule cannot be fetched"
			url := submoduleURL(f)
			if submodule.MatchString(f.Flat()) {
				out.Says.Text = strings.TrimSpace(strings.TrimPrefix(reasonBefore(f.Core(), "clone of '"), "fatal: "))
			}
			if url != "" {
				out.Title = "Git submodule " + shortRepository(url) + " cannot be fetched"
				if name, _ := lastElement(shortRepository(url)); f.AuthRefused() {
					out.Short = "Login for Git submodule " + name + " fails"
				}
				if own := repository(in, s); repourl.IsSSH(url) != repourl.IsSSH(own) && own != unnamedRepository {
					out.Why += fmt.Sprintf(" Its URL is %s; Argo CD reads the repository itself by %s and has no credentials for %s.", url, transport(own), transport(url))
					out.Fix[0] = diagnose.Fix{Text: "In .gitmodules, write the URL for " + transport(own) + ", or a relative one, so that the repository's credentials count; they must be allowed to read the submodule too. Then commit and push"}
				}
			}
			if n := f.Network(); url != "" && n != message.NetworkOK && n != message.NetworkUnavailable && n != message.NetworkHostKey && n != message.NetworkTLS {
				unreachableSubmodule(renderedOf(in, s), url, n, &out)
			}
			if told, ok := firstOf(submoduleFaults, renderedOf(in, s), f.Flat()); ok {
				if !told.OutsideGit { // else what is rendered is in the submodule
					told.Fix = append(told.Fix, out.Fix[1])
				}
				return told, true
			}
		}
		return out, true
	}),
}

// batch is the answer of an LFS server; submodule is the URL of one that could not be cloned.
var (
	batch     = pattern.MustCompile(`batch response: (.*?)(?: error: | Failed to|$)`)
	submodule = pattern.MustCompile(`clone of '([^']+)' into submodule path`)
)

// lfsStatus is the answer of an LFS server about one object.
var lfsStatus = pattern.MustCompile(`\[\d{3}\] (.+?)(?: error: | fatal: |$)`)

// registered is a submodule's URL and directory, cloning the directory that git works on.
var (
	registered = pattern.MustCompile(`Submodule '[^']+' \(([^)]+)\) registered for path '([^']+)'`)
	cloning    = pattern.MustCompile(`Cloning into '([^']+)'`)
)

// submoduleURL is the URL of the submodule that could not be cloned; empty where git does not say it.
func submoduleURL(f *message.Failure) string {
	if m := submodule.FindStringSubmatch(f.Flat()); m != nil {
		return m[1]
	}
	into := cloning.FindAllStringSubmatch(f.Flat(), -1)
	if len(into) == 0 {
		return ""
	}
	last := into[len(into)-1][1]
	for _, m := range registered.FindAllStringSubmatch(f.Flat(), -1) {
		if strings.HasSuffix(last, "/"+m[2]) {
			return m[1]
		}
	}
	return ""
}

// transport is how git reads a URL.
func transport(url string) string {
	if repourl.IsSSH(url) {
		return "SSH"
	}
	return "HTTPS"
}

// reasonBefore is what git says in front of its conclusion; empty where it says nothing.
func reasonBefore(said, conclusion string) string {
	head, _, ok := strings.Cut(said, conclusion)
	if !ok {
		return ""
	}
	return message.LastClause(strings.TrimSuffix(strings.TrimSpace(head), "fatal:"))
}

// submoduleFaults are how git fails to check a submodule out, other than that it cannot read its repository.
var submoduleFaults = []fault{
	{pattern.MustCompile(`[Nn]o url found for submodule path '([^']+)' in \.gitmodules`), strayGitlink},
	{pattern.MustCompile(`local changes to the following files would be overwritten by checkout: (\S+).*?(?:in submodule path '([^']+)'|$)`), changedCheckout},
	{pattern.MustCompile(`[Ff]etched in submodule path '([^']+)', but it did not contain ([0-9a-f]{7,40})`), submoduleCommitMissing},
}

// strayGitlink is about an entry of the tree that is a submodule and has no URL.
func strayGitlink(r rendered, m []string) diagnose.Finding {
	return diagnose.Finding{
		Title: fmt.Sprintf("Submodule %s has no URL in .gitmodules", m[1]),
		Short: "A Git submodule has no URL in .gitmodules",
		Why:   fmt.Sprintf("%s has a commit of another repository at %s and says nowhere which one. Git stops at the first such entry.", r.src.RepoURL, m[1]),
		Fix: []diagnose.Fix{
			{Text: "If the repository is yours, remove the entry (or add it to .gitmodules), commit and push", Command: diagnose.Shell("git rm --cached %s", m[1])},
			{Text: "If it is somebody else's, use a commit without that entry, or the Helm repository of its publisher where there is one"},
		},
	}
}

// changedCheckout is about a file of a submodule that Argo CD itself changed, with kustomize edit, before the next checkout.
func changedCheckout(r rendered, m []string) diagnose.Finding {
	out := diagnose.Finding{
		OutsideGit: true,
		Title:      "A changed file blocks the checkout of a submodule",
		Why:        fmt.Sprintf("%s in the repo-server's clone differs from Git, and git does not overwrite it.", strings.TrimPrefix(m[2]+"/"+m[1], "/")),
		Fix:        []diagnose.Fix{restartRepoServer(r.in, "Restart the repo-server, which empties its clones")},
	}
	if strings.HasPrefix(m[1], "kustomization") {
		out.Why += " Argo CD changes that file itself (kustomize edit) for what the Application sets in " + r.field("kustomize") + ", and does not undo it in submodules."
		out.Fix = append([]diagnose.Fix{{Text: "Remove " + r.field("kustomize") + overrides(r) + " from the Application, and set it in the overlay in Git"}}, out.Fix...)
	}
	return out
}

// overrides names what the Application changes in its overlay, where that is known.
func overrides(r rendered) string {
	switch k := r.src.Kustomize; {
	case k == nil:
	case k.Namespace != "":
		return " (namespace: " + k.Namespace + ")"
	case len(k.Images) > 0:
		return " (images)"
	}
	return ""
}

func submoduleCommitMissing(_ rendered, m []string) diagnose.Finding {
	return diagnose.Finding{
		Title: fmt.Sprintf("Submodule %s has no commit %s", m[1], text.Revision(m[2])),
		Short: "A Git submodule points to a commit that does not exist",
		Why:   "The repository refers to this commit, and the submodule's repository does not have it: it was not pushed, or was removed by a force push.",
		Fix:   []diagnose.Fix{{Text: "Push that commit to the submodule's repository, or set the submodule to one that exists, commit and push", Command: diagnose.Shell("git submodule update --remote %s", m[1])}},
	}
}
