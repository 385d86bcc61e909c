package render

import (
	"cmp"
	"fmt"
	"net/netip"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/repourl"
	"github.com/argo-why/argo-why/internal/evidence"
)

// peer is what Argo CD was talking to when rendering failed.
type peer int

const (
	peerUnknown peer = iota
	peerGit
	peerCharts // a Helm or OCI chart repository
	peerRepoServer
	peerRedis
)

// chartWords appear when a chart or its index is fetched, gitWords when git or go-git speaks.
var (
	chartWords = []string{
		"index.yaml", "helm pull", "helm fetch", "helm repo", "helm registry", "registry login", "chart repository", "fetching chart", "fetch chart",
		"oci://", "/v2/", "/manifests/", "get digest", "helm index", "chart version", " registry ", "resolve oci", "oci artifact",
		"failed to pull", "unable to get chart", "charts.", "error getting tags", "/tags/list", "unable to retrieve tags", "chart not found", "constraint", "failed to get index", "not found in index", "helm index",
	}
	gitWords = []string{
		"info/refs", "git-upload-pack", "upload-pack", "`git ", "git fetch", "git checkout", "git ls-remote", "git clone", "git submodule", "ssh:", "git@", "ssh://",
		"list refs", "testing repository connectivity", "remote:", "fatal:", "ls-remote", "fetch default", "checkout git repo", "repository not accessible",
		"initialize repository resources", ".git", "publickey", "knownhosts", "host key", "ssh agent", "installation id", "private key", "fetch_head", "checkout fetch",
	}
)

// peerOf is the peer of a statement; many rules need it, so it is computed once.
func peerOf(in *diagnose.In, s *diagnose.Statement) peer {
	known, _ := diagnose.Once(in, "peers", func() (map[string]peer, bool) { return map[string]peer{}, true })
	p, ok := known[s.Failure.Text]
	if !ok {
		p = findPeer(in, s)
		known[s.Failure.Text] = p
	}
	return p
}

// findPeer finds the peer by the command that ran, the words of its protocol, and the kind of the application's source.
func findPeer(in *diagnose.In, s *diagnose.Statement) peer {
	f := &s.Failure
	src := in.App().Source(f.Source)
	switch {
	case f.Command == nil && (f.Network() != message.NetworkOK && f.Mentions(":6379", "argocd-redis", "redis-ha", "-redis on ", "-redis.", "-redis:") || f.Has("noauth authentication", "wrongpass ", "redis: ", "redis connection", "misconf redis", "readonly you can't write", "oom command not allowed", "loading redis is", "clusterdown ", "masterdown ", "max number of clients reached")):
		return peerRedis
	case f.Command == nil && f.Mentions("argocd-repo-server", "-repo-server on ", "-repo-server.", "repo-server:", ":8081"), f.Code == "Unavailable" && f.URL() == "" && !f.Plugin && !f.Has(".sock"):
		return peerRepoServer
	case f.Call == message.CallGit || f.Call == message.CallGitExtra:
		return peerGit
	case f.Call == message.CallCharts || f.Call == message.CallDependency:
		return peerCharts
	case src.Chart != "" || strings.HasPrefix(src.RepoURL, "oci://"):
		if f.Mentions("info/refs", "git-upload-pack") {
			return peerGit
		}
		return peerCharts
	case f.Mentions("info/refs", "git-upload-pack", "`git ", "ssh:", "publickey"):
		return peerGit
	case f.Mentions(chartWords...):
		return peerCharts
	case f.Mentions(gitWords...):
		return peerGit
	case f.Command == nil && !f.Plugin && !f.Has("unmarshal", "yaml:", "json") && (f.Network() != "" || f.AuthRefused()):
		return peerGit // Argo CD talks to nothing else while it fetches the manifests of a git source
	}
	return peerUnknown
}

// ownParts reports whether a statement may be about Argo CD's own parts: about rendering, or a network error that names no
// other stage. A name such as argocd-redis in what is synced or awaited is a resource like any other.
func ownParts(s *diagnose.Statement) bool {
	f := &s.Failure
	return f.Stage == message.StageRender ||
		f.Stage == message.StageNone && (s.Refusal || s.Condition != "") && (f.Network() != message.NetworkOK || f.Code == "Unavailable")
}

// repository is the URL that failed: the one in the text, else the source's.
func repository(in *diagnose.In, s *diagnose.Statement) string {
	if u, _, git := strings.Cut(s.Failure.URL(), "/info/refs"); git {
		return u
	}
	src, _ := gitSource(in, s)
	return cmp.Or(src.RepoURL, s.Failure.URL(), unnamedRepository)
}

// unnamedRepository and noHost stand for what the text does not name and several sources leave open.
const (
	unnamedRepository = "REPO"
	noHost            = "the host"
)

// gitSource is the source whose repository git could not read, and its number. While it renders a chart of a Helm repository, Argo CD
// fetches the repositories that its values files come from. Where the text does not say which source fails, the only repository counts.
func gitSource(in *diagnose.In, s *diagnose.Statement) (evidence.ApplicationSource, int) {
	f := &s.Failure
	if m := referenced.FindStringSubmatch(f.Text); m != nil {
		for i, other := range in.App().Spec.Sources {
			if other.Ref == m[1] {
				return other, i + 1
			}
		}
	}
	src := in.App().Source(f.Source)
	if src.RepoURL == "" {
		only, number := onlyRepository(in.App().Spec.Sources, f.Mentions("ssh", "publickey", "knownhosts", "host key"))
		if failed := failedRepository(in); only.RepoURL == "" && failed != "" {
			return evidence.ApplicationSource{RepoURL: failed}, 0
		}
		return only, number
	}
	if src.Chart == "" {
		return src, f.Source
	}
	for i, other := range in.App().Spec.Sources {
		if other.Ref != "" && other.Chart == "" {
			return other, i + 1
		}
	}
	return src, f.Source
}

// referenced is the source that another one takes its values files from.
var referenced = pattern.MustCompile(`referenced source \$([\w.-]+)`)

// onlyRepository is the source from Git and its number, if all that come from Git have the same repository. Of several with the same one, it
// is the repository, and the revision if they share it. What SSH says is about a repository that is read by SSH.
func onlyRepository(sources []evidence.ApplicationSource, ssh bool) (evidence.ApplicationSource, int) {
	var only evidence.ApplicationSource
	number := 0
	for i, src := range sources {
		switch {
		case src.Chart != "" || strings.HasPrefix(src.RepoURL, "oci://") || ssh && !repourl.IsSSH(src.RepoURL):
		case only.RepoURL == "":
			only, number = src, i+1
		case src.RepoURL != only.RepoURL:
			return evidence.ApplicationSource{}, 0
		default:
			number = 0
			if src.TargetRevision != only.TargetRevision {
				only.TargetRevision = ""
			}
		}
	}
	return only, number
}

// position is the flag that says which of several sources a command means; empty for a single one.
func position(s *diagnose.Statement) diagnose.Raw { return positionOf(s, s.Failure.Source) }

func positionOf(s *diagnose.Statement, source int) diagnose.Raw {
	if source > 0 && (s.Failure.Sources > 1 || s.Failure.Source == 0) {
		return diagnose.Raw(fmt.Sprintf(" --source-position %d", source))
	}
	return ""
}

// host is the peer's name for a sentence.
func host(in *diagnose.In, s *diagnose.Statement) string {
	proxy := s.Failure.Network() == message.NetworkProxy // then the text names the proxy
	if m := lookup.FindStringSubmatch(s.Failure.Flat()); m != nil && !proxy {
		return m[1]
	}
	h := s.Failure.Host()
	u := repository(in, s)
	if proxy && strings.HasPrefix(u, "http") {
		h = ""
	}
	if s.Failure.Mentions("remote: ") && remark.MatchString(s.Failure.Flat()) {
		h = "" // the host quotes a page about the error
	}
	if name, _, _ := strings.Cut(h, ":"); h != "" && (!isAddress(name) || strings.Contains(u, name) || peerOf(in, s) != peerGit) {
		return strings.TrimSuffix(h, ":22") // what SSH uses anyway
	}
	if u == unnamedRepository {
		return noHost
	}
	return cmp.Or(repourl.Authority(u), noHost)
}

// gitHost names the Git host for a sentence: "Git host github.com".
func gitHost(in *diagnose.In, s *diagnose.Statement) string {
	if h := host(in, s); h != noHost {
		return "Git host " + h
	}
	return "a Git host"
}

// isAddress reports whether a host is an IP address, which the name in the URL says better.
func isAddress(host string) bool {
	_, err := netip.ParseAddr(host)
	return err == nil
}

// remark is a link to an explanation in what a host says.
var remark = pattern.MustCompile(`(?i)(?:see|visit|details|more information|read|docs?)[^.:]{0,24}:? <?https?://`)

// lookup is a name that could not be resolved.
var lookup = pattern.MustCompile(`dial tcp: lookup ([A-Za-z0-9.-]+\.[A-Za-z0-9-]+)[: ]`)
