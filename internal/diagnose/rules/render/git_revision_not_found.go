package render

import (
	"cmp"
	"fmt"
	"regexp"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/text"
)

var GitRevisionNotFound = &diagnose.Rule{
	ID: "render/git-revision-not-found",
	Doc: diagnose.Doc{
		Title:    "The branch, tag or commit does not exist",
		What:     "The repository answers, but the targetRevision is not in it: a typo, a deleted branch, or a commit that a force push removed.",
		Decisive: "The revision cannot be resolved to a commit, or the git server says it is not a ref of its own.",
		Example:  "Unable to resolve '2023.6.22' to a commit SHA",
		Fix:      "Correct targetRevision, or push the branch or tag.",
	},
	Sync: nothingRenders,
	Check: rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !f.HasAll("unable to resolve", "commit sha") && !f.HasAll("unable to resolve", "to a commit") &&
			!f.Has("not our ref", "couldn't find remote ref", "could not find remote ref", "did not match any file(s) known to git", "unknown revision or path", "reference not found",
				"bad object", "not a valid object name", "reference is not a tree", "unable to read tree", "bad revision", "couldn't find ref", "must be sha", "must be resolved", "not a tree object", "is not a commit") {
			return diagnose.Finding{}, false
		}
		src := in.App().Source(f.Source)
		rev := cmp.Or(f.Quoted("resolve"), src.TargetRevision, "HEAD")
		if m := notOurs.FindStringSubmatch(f.Text); m != nil { // resolved once, and gone since
			return diagnose.Finding{
				Confidence: diagnose.Certain,
				Title:      fmt.Sprintf("commit %s is no longer in the repository", text.Revision(m[1])),
				Why:        fmt.Sprintf("Argo CD asks %s for commit %s, and it has none of that name (any more): a force push or a rebase removed it, or Argo CD works with an old answer.", cmp.Or(src.RepoURL, "the repository"), text.Revision(m[1])),
				Fix: []diagnose.Fix{
					{Text: "See which commit the revision is now", Command: diagnose.Shell("git ls-remote %s %s", cmp.Or(src.RepoURL, "REPO"), cmp.Or(src.TargetRevision, "HEAD"))},
				},
			}, true
		}
		return diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      fmt.Sprintf("revision %s does not exist in the repository", text.Revision(rev)),
			Why:        fmt.Sprintf("%s answers, but has no branch, tag or commit %s%s: %s", cmp.Or(src.RepoURL, "The repository"), text.Revision(rev), sourceOf(s), text.Sentence(f.Line(message.MaxClause))),
			Fix: []diagnose.Fix{
				{Text: "See what there is", Command: diagnose.Shell("git ls-remote %s", cmp.Or(src.RepoURL, "REPO"))},
				{Text: "Push the branch or tag, or point the application at one that exists", Command: diagnose.Shell("argocd app set %s%s --revision REVISION", advice.AppName(in), position(s))},
			},
		}, true
	}),
}

var notOurs = regexp.MustCompile(`not our ref ([0-9a-f]{7,64})`)
