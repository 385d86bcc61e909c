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
)

var GitRepositoryNotFound = &diagnose.Rule{
	ID:    "render/git-repository-not-found",
	Needs: []evidence.Kind{evidence.KindRepositories},
	Doc: diagnose.Doc{
		Title:    "Git repository not found",
		What:     "The Git host does not know the repository: it was renamed, moved or deleted, or the URL has a typo. Hosts give the same answer to callers without access, so missing credentials look the same.",
		Decisive: "The Git host answers \"repository not found\" or 404.",
		Example:  "failed to list refs: repository not found",
		Fix:      "Correct repoURL; if it is correct, check the credentials for it.",
	},
	Sync: nothingRenders,
	Check: during(message.CallGit).rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !repositoryMissing(f.Lower()) || f.Has("authentication required", "could not refresh installation") {
			return diagnose.Finding{}, false
		}
		if out, ok := webPage(renderedOf(in, s)); ok {
			return out, true
		}
		if out, ok := chartsAsGit(renderedOf(in, s)); ok {
			return out, true
		}
		repo := missingRepository(in, s)
		if f.Has("repository is empty") {
			return emptyRepository(in, s, repo), true
		}
		out := diagnose.Finding{
			Confidence: diagnose.Likely,
			Title:      fmt.Sprintf("Git repository %s not found", shortRepository(repo)),
			Why:        inSource(s) + "It was renamed, moved or deleted, or Argo CD has no access: Git hosts give the same answer to callers without access.",
			Fix: []diagnose.Fix{
				tryYourself(repo, "Check with your own credentials whether it exists, and correct repoURL if it moved"),
				{Text: "Check whether Argo CD has credentials for it", Command: "argocd repo list; argocd repocreds list"},
			},
		}
		if repo == unnamedRepository {
			out.Title = "A Git repository of this application is not found"
			out.Fix = out.Fix[:1]
		}
		switch registrationOf(in, repo) {
		case listedWithUser:
			out.Confidence = diagnose.Certain
			out.Why = inSource(s) + "Argo CD has credentials for it, so it was renamed, moved or deleted, or these credentials have no access."
			out.Fix[1] = storeGitCredentials(repo, "If it exists, give the user or token of Argo CD access to it, or store one that has access")
		case notListed:
			// Most hosts ask callers without credentials for some before they say that anything is missing.
			out.Why += " No repository with this URL is registered in Argo CD, so it has none for it, unless a credential template covers it."
		case listUnknown, listedOnly:
		}
		return out, true
	}),
}

// emptyRepository is the finding about a repository without a commit.
func emptyRepository(in *diagnose.In, s *diagnose.Statement, repo string) diagnose.Finding {
	return diagnose.Finding{
		Confidence: diagnose.Certain,
		Title:      fmt.Sprintf("Git repository %s is empty", shortRepository(repo)),
		Why:        inSource(s) + "It exists, but has no commit.",
		Fix: []diagnose.Fix{
			{Text: "Push a commit with the manifests to it"},
			inApplication(in, diagnose.Fix{Text: "Or set repoURL to the right repository, in Git if the Application is defined there", Command: diagnose.Shell("argocd app set %s%s --repo URL", advice.AppName(in), gitPosition(renderedOf(in, s)))}),
		},
	}
}

var missing = pattern.MustCompile(`repository '([^' ]+)' not found`)

// missingRepository is the URL of the repository that was not found, which may be a submodule or a remote base.
func missingRepository(in *diagnose.In, s *diagnose.Statement) string {
	if m := missing.FindStringSubmatch(s.Failure.Text); m != nil {
		return strings.TrimSuffix(m[1], "/")
	}
	return repository(in, s)
}

// shortRepository is a repository's name without its host: "ops/deploy".
func shortRepository(url string) string {
	short := url
	if _, rest, ok := strings.Cut(short, "://"); ok {
		_, short, _ = strings.Cut(rest, "/")
	} else if _, rest, ok := strings.Cut(short, ":"); ok {
		short = rest
	}
	return cmp.Or(strings.TrimSuffix(strings.Trim(short, "/"), ".git"), url)
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
