package render

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var GitRepositoryNotFound = &diagnose.Rule{
	ID: "render/git-repository-not-found",
	Doc: diagnose.Doc{
		Title:    "The git repository does not exist, or is hidden",
		What:     "The git host says that there is no such repository: renamed, moved, deleted, or a typo. Hosts say the same to a caller who may not see it, so missing credentials look alike.",
		Decisive: "The git host answers \"repository not found\" or 404.",
		Example:  "failed to list refs: repository not found",
		Fix:      "Correct repoURL; if it is right, check the credentials for it.",
	},
	Sync: nothingRenders,
	Check: rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !repositoryMissing(f.Lower()) {
			return diagnose.Finding{}, false
		}
		repo := repository(in, s)
		out := diagnose.Finding{
			Confidence: diagnose.Likely,
			Title:      "the git repository is not found",
			Why:        fmt.Sprintf("The host has no repository %s%s, or hides it from Argo CD: hosts answer \"not found\" to callers without access, too. %s", repo, sourceOf(s), text.Sentence(f.Line(message.MaxClause))),
			Fix: []diagnose.Fix{
				{Text: "See whether it exists and where it moved", Command: diagnose.Shell("git ls-remote %s", repo)},
				{Text: "See whether Argo CD has credentials for it", Command: diagnose.Shell("argocd repo get %s", repo)},
			},
		}
		repos, known := diagnose.Peek(in, evidence.FactRepositories)
		switch {
		case !known || isRegistered(repos, repo) && !hasCredentials(repos, repo): // an SSH key does not show
		case hasCredentials(repos, repo):
			out.Confidence = diagnose.Certain
			out.Why = fmt.Sprintf("The host has no repository %s%s, though Argo CD has credentials for it: %s", repo, sourceOf(s), text.Sentence(f.Line(message.MaxClause)))
		default:
			out = out.ReportedAs(GitAuth)
			out.Title = "the git repository is not visible without credentials"
			out.Why = fmt.Sprintf("Argo CD has no credentials for %s, and hosts answer \"not found\" to strangers. %s", repo, text.Sentence(f.Line(message.MaxClause)))
		}
		return out, true
	}),
}

func repositoryMissing(lower string) bool {
	for _, words := range []string{"repository not found", "project not found", "repository does not exist", "does not appear to be a git repository", "could not be found or you don't have permission", "repository is empty", "remote repository is empty", "is this a git repository"} {
		if strings.Contains(lower, words) {
			return true
		}
	}
	return strings.Contains(lower, "the project you were looking for could not be found") ||
		strings.Contains(lower, "repository '") && strings.Contains(lower, "not found") ||
		strings.Contains(lower, "info/refs") && (strings.Contains(lower, "404") || strings.Contains(lower, "not found"))
}

// isRegistered reports whether Argo CD has an entry for the repository or a prefix of it.
func isRegistered(repos []evidence.Repository, repo string) bool {
	for _, r := range repos {
		if strings.HasPrefix(repo, strings.TrimSuffix(r.Repo, ".git")) {
			return true
		}
	}
	return false
}

// hasCredentials reports whether Argo CD has a credential whose URL is a prefix of the repository's.
func hasCredentials(repos []evidence.Repository, repo string) bool {
	for _, r := range repos {
		if r.Username != "" && strings.HasPrefix(repo, strings.TrimSuffix(r.Repo, ".git")) {
			return true
		}
	}
	return false
}
