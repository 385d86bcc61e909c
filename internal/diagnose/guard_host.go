package diagnose

import (
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/change"
	"github.com/argo-why/argo-why/internal/evidence"
)

// publicHosts give what is sent to them to nobody.
var publicHosts = []string{"github.com", "gitlab.com", "bitbucket.org", "dev.azure.com", "ssh.dev.azure.com", "docker.io", "index.docker.io", "registry-1.docker.io", "ghcr.io", "quay.io", "registry.gitlab.com"}

// strangeHost is the host that a person would send a token or a key to, where nothing but the application names it; empty where its
// administrators know it: they registered a repository there, or allow it in the project by name. An application may name any host where its
// project allows all repositories.
func (g *guard) strangeHost(c *change.Change) string {
	if c.Verb != "repo add" || !slices.ContainsFunc(c.Words, func(w string) bool {
		return strings.HasPrefix(w, "--password") || strings.HasSuffix(w, "-path") // of a key, or of the key of a GitHub App
	}) {
		return ""
	}
	host := hostOf(c.Targets[0].Name)
	repos, _ := Peek(&In{run: g.r}, evidence.FactRepositories)
	if host == "" || slices.Contains(publicHosts, host) || slices.ContainsFunc(repos, func(r evidence.Repository) bool { return hostOf(r.Repo) == host }) {
		return ""
	}
	project, read := g.readProject()
	switch {
	case !read:
		return ""
	case project != nil && slices.ContainsFunc(project.Spec.SourceRepos, func(pattern string) bool { return hostOf(pattern) == host }):
		return ""
	}
	return host
}

// hostOf is the host in the URL of a repository, without user and port: https://HOST/…, git@HOST:…, HOST/….
func hostOf(url string) string {
	if _, rest, ok := strings.Cut(url, "://"); ok {
		url = rest
	}
	authority, _, _ := strings.Cut(url, "/")
	authority = authority[strings.LastIndexByte(authority, '@')+1:]
	host, _, _ := strings.Cut(authority, ":")
	return strings.ToLower(host)
}
