// Package repourl says which host the URL of a repository names. Whoever writes an Application chooses that URL, people send tokens and keys to
// its host, and programs disagree about odd ones. So there is one reader, and it gives no host for a URL that two programs could read in two ways.
package repourl

import (
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/argo-why/argo-why/internal/diagnose/pattern"
)

// Host is the host that a repository's URL names, in lower case, without user and port: of https://HOST/…, git@HOST:… and HOST/…. It is empty
// for a URL that is not plain.
func Host(repo string) string {
	host, _ := split(repo)
	return host
}

// Authority is the host with its port, where the URL has one.
func Authority(repo string) string {
	host, port := split(repo)
	if port == "" {
		return host
	}
	return net.JoinHostPort(host, port)
}

var (
	schemes  = []string{"https", "http", "ssh", "git", "oci"}
	userName = pattern.MustCompile(`^(?:[A-Za-z0-9._~+$*-]|\[redacted\])*$`)
	hostName = pattern.MustCompile(`^[a-z0-9_](?:[a-z0-9._-]*[a-z0-9])?$`)
)

func split(repo string) (host, port string) {
	if strings.ContainsAny(repo, `#?\`) || strings.Count(repo, "@") > 1 || strings.ContainsFunc(repo, func(c rune) bool { return unicode.IsSpace(c) || !unicode.IsPrint(c) }) {
		return "", ""
	}
	scheme, rest, ok := strings.Cut(repo, "://")
	if !ok {
		return short(repo)
	}
	authority, _, _ := strings.Cut(rest, "/")
	if login, behind, ok := strings.Cut(authority, "@"); ok {
		user, password, _ := strings.Cut(login, ":")
		if !userName.MatchString(user) || !userName.MatchString(password) {
			return "", ""
		}
		authority = behind
	}
	u, err := url.Parse(scheme + "://" + authority)
	if err != nil || !slices.Contains(schemes, strings.ToLower(scheme)) {
		return "", ""
	}
	return plain(u.Hostname(), u.Port())
}

// short reads a URL without a scheme: as scp writes it, or of a registry.
func short(repo string) (host, port string) {
	authority, _, _ := strings.Cut(repo, "/")
	login, rest, scp := strings.Cut(authority, "@")
	if !scp {
		login, rest = "", authority
	}
	if !userName.MatchString(login) || strings.Contains(repo, "@") != scp {
		return "", ""
	}
	host, port, _ = strings.Cut(rest, ":")
	if strings.Trim(port, "0123456789") != "" || scp {
		port = "" // it is the path
	}
	return plain(host, port)
}

// plain is a host that is a name or an address, without the dot that may end a name; nothing for all others.
func plain(host, port string) (name, of string) {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if address, err := netip.ParseAddr(host); hostName.MatchString(host) || err == nil && address.Zone() == "" {
		return host, port
	}
	return "", ""
}

// IsSSH reports whether a URL is one that Git reaches with SSH.
func IsSSH(repo string) bool {
	return strings.HasPrefix(repo, "ssh://") || strings.Contains(repo, "@") && !strings.Contains(repo, "://")
}

// Normal is a URL as Argo CD compares it: in lower case, without .git, and SSH in one form. The scheme and a slash at the end count.
func Normal(repo string) string {
	repo = strings.ToLower(strings.TrimSpace(repo))
	if IsSSH(repo) && !strings.HasPrefix(repo, "ssh://") {
		repo = strings.Replace(repo, ":", "/", 1)
	}
	repo = strings.TrimPrefix(strings.TrimPrefix(repo, "ssh://"), "oci://")
	return strings.TrimSuffix(repo, ".git")
}
