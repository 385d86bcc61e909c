package render

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var GitRevisionNotFound = &diagnose.Rule{
	ID:    "render/git-revision-not-found",
	Needs: []evidence.Kind{evidence.KindRepositories},
	Doc: diagnose.Doc{
		Title:    "Git revision not found",
		What:     "The repository can be read, but it does not have the targetRevision: a typo, a deleted branch, or a commit that a force push removed.",
		Decisive: "The revision cannot be resolved to a commit, or the Git server does not have it.",
		Example:  "Unable to resolve '2023.6.22' to a commit SHA",
		Fix:      "Correct targetRevision, or push the branch or tag.",
	},
	Sync: nothingRenders,
	Check: during(message.CallGit).rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !f.HasAll("unable to resolve", "commit sha") && !f.HasAll("unable to resolve", "to a commit") &&
			!f.Has("not our ref", "couldn't find remote ref", "could not find remote ref", "did not match any file(s) known to git", "unknown revision or path", "reference not found",
				"bad object", "not a valid object name", "reference is not a tree", "unable to read tree", "bad revision", "couldn't find ref", "must be sha", "must be resolved", "not a tree object", "is not a commit") {
			return diagnose.Finding{}, false
		}
		src, number := gitSource(in, s)
		rev := cmp.Or(f.Quoted("resolve"), namedRevision(f.Flat()), src.TargetRevision, "HEAD")
		if m := notOurs.FindStringSubmatch(f.Text); m != nil { // resolved once, and gone since
			return commitMissing(in, s, m[1]), true
		}
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      fmt.Sprintf("Revision %s is not in the repository", text.Revision(rev)),
			Why:        fmt.Sprintf("%s has no branch, tag or commit with this name%s.", cmp.Or(src.RepoURL, "The repository"), sourceOf(s, number)),
			Fix: []diagnose.Fix{
				inApplication(in, diagnose.Fix{Text: "Push the missing branch or tag, or set targetRevision to one that exists", Command: diagnose.Shell("argocd app set %s%s --revision REVISION", advice.AppName(in), positionOf(s, number))}),
				listRevisions(in, src.RepoURL),
			},
		}
		switch {
		case rev == "HEAD":
			out.Title = "The repository has no default branch (HEAD)"
			out.Why = fmt.Sprintf("%s%s has no commit, or its default branch does not exist.", inSource(s), text.UpperFirst(theRepository(cmp.Or(src.RepoURL, unnamedRepository))))
			out.Fix[0] = inApplication(in, diagnose.Fix{Text: "Set targetRevision to a branch that exists, or set the default branch on the Git host", Command: diagnose.Shell("argocd app set %s%s --revision BRANCH", advice.AppName(in), positionOf(s, number))})
		case versionRange.MatchString(rev):
			out.Title = fmt.Sprintf("No tag matches %s", rev)
			out.Why = fmt.Sprintf("%s has no tag with a version in this range%s. Pre-releases match only a range that names one.", cmp.Or(src.RepoURL, "The repository"), sourceOf(s, number))
			out.Fix[0].Text = "Push a tag in this range, or set targetRevision to one that exists"
		}
		if !strings.Contains(f.Text, rev) { // it says more than that the name is unknown
			out.Says = said(s)
		}
		return out, true
	}),
}

// versionRange are revisions that Argo CD takes for a range of versions.
var versionRange = pattern.MustCompile(`^[v^~<>=! ]*\d+(?:\.(?:\d+|[xX*]))*\.?[xX*]|^[\^~<>=*]`)

// listRevisions is the step that shows what a repository has. Where several sources leave the repository open, it shows the sources.
func listRevisions(in *diagnose.In, repo string) diagnose.Fix {
	if repo == "" {
		return diagnose.Fix{Text: "Show the sources, and compare the revision of each with the branches and tags of its repository", Command: diagnose.Shell("argocd app get %s", advice.AppName(in))}
	}
	return diagnose.Fix{Text: "List the branches and tags that exist", Command: diagnose.Shell("git ls-remote %s", repo)}
}

// askedFor are the revisions that git and Argo CD name in their errors.
var askedFor = pattern.MustCompile(`(?:pathspec '|couldn't find remote ref (?:refs/(?:heads|tags)/)?|unknown revision or path not in the working tree\. ?'|Failed to checkout revision |bad revision ')([\w./@+-]+)`)

// namedRevision is the revision that an error names; empty where it names none, or only git's own FETCH_HEAD.
func namedRevision(said string) string {
	for _, m := range askedFor.FindAllStringSubmatch(said, -1) {
		if rev := strings.TrimRight(m[1], "."); rev != "FETCH_HEAD" {
			return rev
		}
	}
	return ""
}

// notOurs is a commit that the repository does not have.
var notOurs = pattern.MustCompile(`(?:not our ref|reference is not a tree:|bad object|unable to read tree) \(?([0-9a-f]{7,64})`)

// commitMissing is the finding about a commit that the repository does not have.
func commitMissing(in *diagnose.In, s *diagnose.Statement, commit string) diagnose.Finding {
	src, number := gitSource(in, s)
	out := diagnose.Finding{
		Confidence: diagnose.Certain,
		Title:      fmt.Sprintf("Commit %s is no longer in the repository", text.Revision(commit)),
		Why:        inSource(s) + "Argo CD resolved the revision to this commit earlier. Most likely a force push or a rebase has removed it since.",
		Fix: []diagnose.Fix{
			{Text: "Check which commit the revision points to now; if it is another one, the refresh below is enough", Command: diagnose.Shell("git ls-remote %s %s", src.RepoURL, cmp.Or(src.TargetRevision, "HEAD"))},
		},
	}
	if src.RepoURL == "" {
		out.Fix = []diagnose.Fix{listRevisions(in, "")}
	}
	if src.TargetRevision != "" && strings.HasPrefix(commit, src.TargetRevision) {
		out.Title = fmt.Sprintf("Commit %s is not in the repository", text.Revision(commit))
		out.Why = inSource(s) + "targetRevision names this commit. A force push may have removed it, or it was never pushed."
		out.Fix = []diagnose.Fix{
			inApplication(in, diagnose.Fix{Text: "Push the commit, or set targetRevision to one that exists", Command: diagnose.Shell("argocd app set %s%s --revision REVISION", advice.AppName(in), positionOf(s, number))}),
		}
	}
	return out
}
