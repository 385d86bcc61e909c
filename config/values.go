package config

import (
	"fmt"
	"net/netip"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/near"
	"github.com/argo-why/argo-why/internal/program"
	"github.com/argo-why/argo-why/internal/text"
)

// The checks of single values.

func (f *findings) missing(at, value, what string) bool {
	if value != "" {
		return false
	}
	f.add(at, "missing: give %s", what)
	return true
}

func (f *findings) secret(at string, s Secret, required bool) {
	switch {
	case s.Env != "" && s.File != "":
		f.add(at, "env and file are both given: remove one of the two")
	case s.Env != "" && !variableName.MatchString(s.Env):
		// The value is not quoted: it may be the secret itself.
		f.add(at+".env", "is not the name of an environment variable: give the name, never the secret itself")
	case !s.Given() && (required || f.lines[at] > 0):
		f.add(at, "missing: say where the secret is, {env: NAME} or {file: PATH}")
	}
}

func (f *findings) channel(at, value string) {
	bare, hash := strings.CutPrefix(value, "#")
	switch {
	case f.missing(at, value, "a channel, its ID (C…) or its name"):
	case !isChannel(bare):
		f.add(at, "%q is neither the ID of a channel (C0123456789) nor a name: names have up to 80 lower-case letters, digits, - and _", value)
	case hash:
		f.add(at, "leave out the #: write %s", bare)
	}
}

// isChannel reports whether a value can be the ID of a channel, or its name.
func isChannel(value string) bool {
	const longest = 80
	return channelID.MatchString(value) ||
		value != "" && !strings.ContainsAny(value, "# .,\t\n") && strings.ToLower(value) == value && len([]rune(value)) <= longest
}

func (f *findings) address(at, value, example string) {
	u, err := url.Parse(value)
	if value != "" && (err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http") {
		f.add(at, "%s not an address: expected one such as %s", quoted(value), example)
	}
}

// apiURL checks an address that gets a token with every request: only TLS keeps it from everybody on the way, except on this machine.
func (f *findings) apiURL(at, value string) {
	const example = "https://slack.com/api/"
	u, err := url.Parse(value)
	switch {
	case value == "": // the default is right
	case err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Scheme != "https" && u.Scheme != "http":
		f.add(at, "%s not an address: expected one such as %s", quoted(value), example)
	case u.Scheme == "http" && !loopback(u.Hostname()):
		f.add(at, "would send the tokens unencrypted to %s: use https, such as %s (http only for this machine, such as http://127.0.0.1:8081/api/)", u.Hostname(), example)
	}
}

// loopback reports whether a host is this machine. The resolver never asks another one for localhost (RFC 6761).
func loopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}

// inside reports whether a host is one that only a cluster or a private network knows: a Service, a name without a dot, a private
// address. RFC 6762 and 8375, and ICANN's resolution 2024.07.29.06, keep the last names out of the public DNS.
func inside(host string) bool {
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.IsLoopback() || addr.IsPrivate() || addr.IsLinkLocalUnicast()
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if !strings.Contains(host, ".") || strings.Contains(host, ".svc.") {
		return true
	}
	return slices.ContainsFunc([]string{".svc", ".local", ".internal", ".home.arpa", ".localhost"}, func(end string) bool { return strings.HasSuffix(host, end) })
}

// hostOf is the host of host, host:port or an address.
func hostOf(server string) string {
	if !strings.Contains(server, "://") {
		server = "//" + server
	}
	u, err := url.Parse(server)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

func (f *findings) glob(at, pattern string) {
	if _, err := path.Match(pattern, ""); err != nil {
		f.add(at, "%q is not a valid glob: a [ is not closed, or nothing follows a backslash", pattern)
	}
}

// instances checks a glob that has to match an Argo CD.
func (f *findings) instances(at, pattern string, names []string) {
	f.glob(at, pattern)
	if len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool { return fits(pattern, name) }) {
		f.add(at, "%q matches no instance in argocd: %s", pattern, meant(pattern, names))
	}
}

// where checks the globs that choose applications.
func (f *findings) where(at string, projects, instances, known []string) {
	for i, project := range projects {
		f.missing(fmt.Sprintf("%s.projects[%d]", at, i), project, "a project or a glob")
		f.glob(fmt.Sprintf("%s.projects[%d]", at, i), project)
	}
	for i, instance := range instances {
		f.missing(fmt.Sprintf("%s.instances[%d]", at, i), instance, "the name of an Argo CD or a glob")
		f.instances(fmt.Sprintf("%s.instances[%d]", at, i), instance, known)
	}
}

// who checks the IDs of people.
func (f *findings) who(at string, users, groups []string) {
	f.ids(at+".users", users, userID, `the ID of a person, such as U0123456789, from "Copy member ID" in the profile`)
	f.ids(at+".userGroups", groups, groupID, "the ID of a user group, such as S0123456789, from the address of the group")
}

func (f *findings) ids(at string, ids []string, form *regexp.Regexp, expected string) {
	for i, id := range ids {
		if !form.MatchString(id) {
			f.add(fmt.Sprintf("%s[%d]", at, i), "%q is not an ID: expected %s", id, expected)
		}
	}
}

func (f *findings) atLeast(at string, value, least time.Duration) {
	switch {
	case value >= least:
	case least == 0:
		f.add(at, "is %s, and must not be negative", text.Setting(value))
	default:
		f.add(at, "is %s, and must be %s or more", text.Setting(value), text.Setting(least))
	}
}

func (f *findings) oneOf(at, value string, known ...string) {
	if !slices.Contains(known, value) {
		known = slices.DeleteFunc(known, func(k string) bool { return k == "" })
		if k := near.Nearest(value, known); k != "" {
			f.add(at, "unknown value %q: did you mean %s?", value, k)
			return
		}
		f.add(at, "unknown value %q: use %s", value, text.Or(known))
	}
}

// quoted begins a sentence about an address. One with a password in it is not repeated.
func quoted(address string) string {
	if strings.Contains(address, "@") {
		return "this is"
	}
	return strconv.Quote(address) + " is"
}

// server checks the address of an Argo CD. A path would have to go to gRPC-web, which is a key of its own: taken from here, a page
// that was copied from a browser would change how the bot connects.
func (f *findings) server(at string, a Instance) {
	at += ".server"
	if f.missing(at, a.Server, "host or host:port of argocd-server") {
		return
	}
	address := a.Server
	if !strings.Contains(address, "://") {
		address = "//" + address
	}
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "" || u.User != nil || !slices.Contains([]string{"", "https", "http"}, u.Scheme) || strings.ContainsAny(a.Server, " \t\n"):
		f.add(at, "%s not an address: expected host or host:port, such as argocd.example.com", quoted(a.Server))
	case strings.Trim(u.Path, "/") != "":
		f.add(at, "%q has a path: write server: %s, and grpcWebRootPath: %s if Argo CD is served under that path", a.Server, u.Host, strings.TrimRight(u.Path, "/"))
	}
}

// checkRules checks the patterns that the file has for rules. The defaults are right.
func (c *Config) checkRules(f *findings, known []string) {
	look := func(at, pattern string) {
		// A finding may name a finer rule below one of these.
		fitting := func(id string) bool { return FitsRule(pattern, id) || strings.HasPrefix(pattern, id+"/") }
		if !f.full() && f.lines[at] > 0 && pattern != "" && !fitting(UnknownCause) && !slices.ContainsFunc(known, fitting) {
			f.add(at, "%q matches no rule: %s", pattern, meantRule(pattern, known))
		}
	}
	for _, pattern := range sortedKeys(c.Incidents.OpenAfterByRule) {
		look(join("incidents.openAfterByRule", pattern), pattern)
	}
	for i, pattern := range c.Incidents.Ignore {
		look(fmt.Sprintf("incidents.ignore[%d]", i), pattern)
	}
}

// UnknownCause is the rule of a failure that no rule explains.
const UnknownCause = "unknown"

// meantRule suggests the rule, or all of a group, that a pattern was probably meant for.
func meantRule(pattern string, known []string) string {
	candidates := slices.Clone(known)
	for _, id := range known {
		candidates = append(candidates, path.Dir(id)+"/*")
	}
	if k := near.Nearest(pattern, candidates); k != "" {
		return "did you mean " + k + "?"
	}
	return "'" + program.Name() + " rules' lists them"
}
