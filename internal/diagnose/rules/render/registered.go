package render

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// registration is what Argo CD's list of repositories says about one. The list has no credential templates: one may give credentials to a
// repository that is not on it.
type registration int

const (
	listUnknown registration = iota
	notListed
	listedOnly // without a user name; an SSH key does not show
	listedWithUser
)

// registrationOf finds a repository on the list, as Argo CD compares URLs.
func registrationOf(in *diagnose.In, repo string) registration {
	repos, known := diagnose.Peek(in, evidence.FactRepositories)
	if !known || repo == unnamedRepository {
		return listUnknown
	}
	out, wanted := notListed, normalURL(repo)
	for _, r := range repos {
		url := normalURL(r.Repo)
		switch {
		case url == wanted && r.Username != "":
			return listedWithUser
		case url == wanted:
			out = listedOnly
		case out == notListed && strings.HasPrefix(wanted, url):
			out = listUnknown // it may be a template
		}
	}
	return out
}

// normalURL is a URL as Argo CD compares it: in lower case, without .git, and SSH in one form. The scheme and a slash at the end count.
func normalURL(repo string) string {
	repo = strings.ToLower(strings.TrimSpace(repo))
	if isSSH(repo) && !strings.HasPrefix(repo, "ssh://") {
		repo = strings.Replace(repo, ":", "/", 1)
	}
	repo = strings.TrimPrefix(strings.TrimPrefix(repo, "ssh://"), "oci://")
	return strings.TrimSuffix(repo, ".git")
}

// failedRepository is the only repository of Git among the sources to which Argo CD has no connection; empty where it is none or several.
func failedRepository(in *diagnose.In) string {
	repos, _ := diagnose.Peek(in, evidence.FactRepositories)
	failed := ""
	for _, src := range in.App().Spec.Sources {
		for _, r := range repos {
			if src.Chart != "" || r.ConnectionState.Status != evidence.ConnectionFailed || normalURL(r.Repo) != normalURL(src.RepoURL) || failed == src.RepoURL {
				continue
			}
			if failed != "" {
				return ""
			}
			failed = src.RepoURL
		}
	}
	return failed
}

// storeGitCredentials is the step that stores credentials of the kind that the transport of the URL takes.
func storeGitCredentials(repo, text string) diagnose.Fix {
	if repo == unnamedRepository {
		return diagnose.Fix{Text: text + ". See which repository fails", Command: listRepositories}
	}
	return diagnose.Fix{Text: text, Command: diagnose.Shell("argocd repo add %s%s", repo, gitCredentialFlags(repo))}
}

// listRepositories has Argo CD test the connection to all repositories, and shows the result.
const listRepositories = "argocd repo list --refresh hard"

// gitCredentialFlags are those the transport of the URL takes.
func gitCredentialFlags(repo string) diagnose.Raw {
	if isSSH(repo) {
		return " --ssh-private-key-path KEYFILE --upsert"
	}
	return " --username USER --password TOKEN --upsert"
}

// theRepository is a repository within a sentence.
func theRepository(repo string) string {
	if repo == unnamedRepository {
		return "a repository of this application"
	}
	return repo
}

// tryYourself is the step that reads a repository with other credentials than Argo CD's, which tells a wrong URL from wrong credentials.
func tryYourself(repo, text string) diagnose.Fix {
	if repo == unnamedRepository {
		return diagnose.Fix{Text: text + ". See which repository fails", Command: listRepositories}
	}
	return diagnose.Fix{Text: text, Command: diagnose.Shell("git ls-remote %s", repo)}
}

// httpsURL is the URL for HTTPS of a repository that is read by SSH, and whether the host's form of it is known.
func httpsURL(repo string) (string, bool) {
	rest := strings.TrimPrefix(repo, "ssh://")
	_, rest, ok := strings.Cut(rest, "@")
	if !ok {
		return "", false
	}
	if path, azure := strings.CutPrefix(rest, "ssh.dev.azure.com:v3/"); azure {
		if p := strings.Split(strings.Trim(path, "/"), "/"); len(p) == 3 {
			return fmt.Sprintf("https://dev.azure.com/%s/%s/_git/%s", p[0], p[1], p[2]), true
		}
		return "", false
	}
	host, path, ok := strings.Cut(rest, ":")
	if !ok || strings.HasPrefix(repo, "ssh://") || strings.Contains(host, "azure") || strings.Contains(host, "visualstudio") {
		return "", false
	}
	return "https://" + host + "/" + path, true
}
