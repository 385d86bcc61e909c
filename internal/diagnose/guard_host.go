package diagnose

import (
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/change"
	"github.com/argo-why/argo-why/internal/diagnose/repourl"
	"github.com/argo-why/argo-why/internal/evidence"
)

// publicHosts give what is sent to them to nobody.
var publicHosts = []string{"github.com", "gitlab.com", "bitbucket.org", "dev.azure.com", "ssh.dev.azure.com", "docker.io", "index.docker.io", "registry-1.docker.io", "ghcr.io", "quay.io", "registry.gitlab.com"}

// strangeHost is the host that a person would send a token or a key to, where nothing but the application names it; empty where its
// administrators know it: they registered a repository there, or allow it in the project by name. An application may name any host where its
// project allows all repositories.
func (g *guard) strangeHost(c *change.Change) string {
	receiver, entrusts := receives(c)
	host := repourl.Host(receiver)
	if !entrusts || host == "" || slices.Contains(placeholders, receiver) || slices.Contains(publicHosts, host) {
		return ""
	}
	repos, _ := Peek(&In{run: g.r}, evidence.FactRepositories)
	// Whoever may write a project's own repositories registers any host there.
	if slices.ContainsFunc(repos, func(r evidence.Repository) bool { return r.Project == "" && repourl.Host(r.Repo) == host }) {
		return ""
	}
	project, judges := g.readProject()
	switch {
	case !judges:
		return ""
	case project != nil && slices.ContainsFunc(project.Spec.SourceRepos, func(pattern string) bool {
		return !strings.HasPrefix(pattern, "!") && repourl.Host(pattern) == host
	}):
		return ""
	}
	return host
}

// placeholders stand in a command for a URL that is to be filled in.
var placeholders = []string{"URL", "REPO", "REGISTRY"}

// receives is the URL of what gets a token, a key or files by a change, now or when Argo CD or a node next fetches; entrusts is false where none is
// given.
func receives(c *change.Change) (url string, entrusts bool) {
	for _, w := range c.Words {
		if server, ok := strings.CutPrefix(w, "--docker-server="); ok {
			return server, true
		}
		if strings.HasPrefix(w, "--password") || strings.HasSuffix(w, "-path") { // of a key, or of the key of a GitHub App
			entrusts = true
		}
	}
	if c.Verb == "oras push" {
		return "oci://" + c.Targets[0].Name, true
	}
	if c.Verb != "repo add" || len(c.Targets) == 0 {
		return "", false
	}
	return c.Targets[0].Name, entrusts
}

// namesNoHost reports whether a change stores a repository or a login for a URL that names no host without doubt: a person would read one host
// in it, and Argo CD would send the token to another.
func namesNoHost(c change.Change) bool {
	url, entrusts := receives(&c)
	return (entrusts || c.Verb == "repo add") && repourl.Host(url) == ""
}
