package config

import (
	"fmt"
	"net"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/argo-why/argo-why/internal/text"
)

// validate finds what a reader of single values cannot see.
func (c *Config) validate(f *findings) {
	c.Slack.validate(f)
	c.validateInstances(f)
	c.validateRoutes(f)
	c.Incidents.validate(f)
	for i, a := range c.Access {
		a.validate(f, fmt.Sprintf("access[%d]", i), c.names())
	}
	for i, a := range c.Actions {
		a.validate(f, fmt.Sprintf("actions[%d]", i), c.names())
	}
	c.Journal.validate(f)
	f.oneOf("log.level", c.Log.Level, "debug", "info", "warn", "error")
	f.oneOf("log.format", c.Log.Format, "json", "text")
	if _, _, err := net.SplitHostPort(c.HTTP.Listen); err != nil {
		f.add("http.listen", "expected host:port or :port, like :8080")
	}
	if _, err := cron.ParseStandard(c.Sweep); err != nil {
		f.add("sweep", "not a schedule (%s): write five fields like */5 * * * *, or @every 5m", text.OneLine(err.Error()))
	}
}

// actions are all there are.
var actions = []string{ActionHardRefresh, ActionDeleteHookJob, ActionTerminate, ActionSync, ActionMute}

var (
	// IDs of Slack are opaque; only the letter in front is documented. https://docs.slack.dev/changelog/2016/08/11/user-id-format-changes
	teamID    = regexp.MustCompile(`^[TE][A-Z0-9]{2,}$`)
	userID    = regexp.MustCompile(`^[UW][A-Z0-9]{2,}$`)
	groupID   = regexp.MustCompile(`^S[A-Z0-9]{2,}$`)
	channelID = regexp.MustCompile(`^[CG][A-Z0-9]{8,}$`)
	// A command has up to 32 characters. https://docs.slack.dev/interactivity/implementing-slash-commands
	commandName = regexp.MustCompile(`^/[a-z0-9_-]{1,31}$`)
	// A label of DNS, RFC 1123: it goes into addresses and into names of Kubernetes objects.
	label        = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)
	variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

func (s Slack) validate(f *findings) {
	if !f.missing("slack.team", s.Team, "the ID of the workspace, T…, as in the address https://app.slack.com/client/T…") && !teamID.MatchString(s.Team) {
		f.add("slack.team", "not the ID of a workspace: it looks like T0123456789 and stands in the address https://app.slack.com/client/T…")
	}
	f.secret("slack.botToken", s.BotToken, true)
	f.secret("slack.appToken", s.AppToken, true)
	f.channel("slack.channel", s.Channel)
	if !commandName.MatchString(s.Command) {
		f.add("slack.command", "not a slash command: a slash and up to 31 of a-z, 0-9, - and _, like /argo")
	}
	f.address("slack.apiURL", s.APIURL)
}

func (c *Config) validateInstances(f *findings) {
	if len(c.ArgoCD) == 0 {
		f.add("argocd", "missing: list at least one Argo CD with name, server and token")
	}
	first := map[string]int{}
	for i, a := range c.ArgoCD {
		at := fmt.Sprintf("argocd[%d]", i)
		a.validate(f, at)
		if other, twice := first[a.Name]; twice && a.Name != "" {
			f.add(at+".name", "argocd[%d] is called %s too: give each its own name", other, a.Name)
		} else {
			first[a.Name] = i
		}
	}
}

func (a Instance) validate(f *findings, at string) {
	if !f.missing(at+".name", a.Name, "a short one like prod") && !label.MatchString(a.Name) {
		f.add(at+".name", "not a label: up to 63 of a-z, 0-9 and -, with a letter or digit at both ends")
	}
	f.missing(at+".server", a.Server, "host or host:port of argocd-server")
	f.address(at+".url", a.URL)
	f.secret(at+".token", a.Token, true)
	f.secret(at+".webhookToken", a.WebhookToken, false)
	switch {
	case a.PlainText && a.Insecure:
		f.add(at+".insecure", "contradicts plainText: without TLS there is no certificate to leave unverified; keep one of the two")
	case a.PlainText && a.ServerCrt != "":
		f.add(at+".serverCrt", "contradicts plainText: without TLS there is no certificate; keep one of the two")
	}
}

func (c *Config) validateRoutes(f *findings) {
	for i, r := range c.Routes {
		at := fmt.Sprintf("routes[%d]", i)
		f.channel(at+".channel", r.Channel)
		f.glob(at+".match.project", r.Match.Project)
		f.glob(at+".match.namespace", r.Match.Namespace)
		f.glob(at+".match.application", r.Match.Application)
		f.instances(at+".match.instance", r.Match.Instance, c.names())
		if by := slices.IndexFunc(c.Routes[:i], func(before Route) bool { return before.Match.covers(r.Match) }); by >= 0 {
			f.add(at, "never reached: routes[%d] takes all of its applications; put it before that one", by)
		}
	}
}

// covers reports, as far as globs tell it without being tried, that the other recognises nothing that m does not.
func (m Match) covers(other Match) bool {
	all := func(mine, theirs string) bool { return mine == "" || mine == "*" || mine == theirs }
	return all(m.Instance, other.Instance) && all(m.Project, other.Project) &&
		all(m.Namespace, other.Namespace) && all(m.Application, other.Application)
}

func (c *Config) names() []string {
	names := make([]string, len(c.ArgoCD))
	for i, a := range c.ArgoCD {
		names[i] = a.Name
	}
	return names
}

func (n Incidents) validate(f *findings) {
	f.atLeast("incidents.openAfter", n.OpenAfter, 0)
	for _, rule := range sortedKeys(n.OpenAfterByRule) {
		f.glob(join("incidents.openAfterByRule", rule), rule)
		f.atLeast(join("incidents.openAfterByRule", rule), n.OpenAfterByRule[rule], 0)
	}
	f.atLeast("incidents.holdFor", n.HoldFor, 0)
	f.atLeast("incidents.reopenWithin", n.ReopenWithin, 0)
	if n.RemindAfter != 0 {
		f.atLeast("incidents.remindAfter", n.RemindAfter, time.Minute)
	}
	if n.GroupFrom < 2 {
		f.add("incidents.groupFrom", "must be 2 or more: one application alone is no group")
	}
	if n.ExpireAfter < n.ReopenWithin {
		f.add("incidents.expireAfter", "must not be shorter than reopenWithin (%s): what is forgotten cannot be reopened", n.ReopenWithin)
	}
	for i, rule := range n.Ignore {
		at := fmt.Sprintf("incidents.ignore[%d]", i)
		f.missing(at, rule, "a rule or a glob over rules, like drift/*")
		f.glob(at, rule)
	}
}

func (a Access) validate(f *findings, at string, instances []string) {
	f.where(at, a.Projects, a.Instances, instances)
	f.who(at, a.Users, a.UserGroups)
	f.ids(at+".channels", a.Channels, channelID, "the ID of a channel, like C0123456789: at the end of the channel's details; a name would lose its meaning with a renaming")
}

func (a ActionRule) validate(f *findings, at string, instances []string) {
	if len(a.Actions) == 0 {
		f.add(at+".actions", "missing: list what it allows, out of %s", strings.Join(actions, ", "))
	}
	for i, action := range a.Actions {
		f.oneOf(fmt.Sprintf("%s.actions[%d]", at, i), action, actions...)
	}
	f.where(at, a.Projects, a.Instances, instances)
	for i, application := range a.Applications {
		f.missing(fmt.Sprintf("%s.applications[%d]", at, i), application, "an application, a glob, or namespace/name")
		f.glob(fmt.Sprintf("%s.applications[%d]", at, i), application)
	}
	f.who(at, a.Users, a.UserGroups)
	a.Approval.validate(f, at+".approval")
}

func (a Approval) validate(f *findings, at string) {
	if f.lines[at] > 0 && !a.Needed() {
		f.add(at, "nobody is named who could approve: give users or userGroups, or leave approval out")
		return
	}
	f.who(at, a.Users, a.UserGroups)
	if a.Needed() {
		f.atLeast(at+".expireAfter", a.ExpireAfter, time.Minute)
	}
}

func (j Journal) validate(f *findings) {
	f.oneOf("journal.kind", j.Kind, "", JournalFile, JournalKubernetes)
	if j.Path == "" && j.Kind != JournalKubernetes {
		f.add("journal.path", "missing: the file to keep incidents in")
	}
	if j.Namespace != "" && !label.MatchString(j.Namespace) {
		f.add("journal.namespace", "not the name of a namespace: up to 63 of a-z, 0-9 and -")
	}
}

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
		f.add(at, "env and file are both given: keep one")
	case s.Env != "" && !variableName.MatchString(s.Env):
		// The text is not repeated: it may be the secret itself.
		f.add(at+".env", "not the name of an environment variable: the value itself does not belong here")
	case !s.Given() && (required || f.lines[at] > 0):
		f.add(at, "missing: say where it is, {env: NAME} or {file: PATH}")
	}
}

func (f *findings) channel(at, value string) {
	switch {
	case f.missing(at, value, "a channel, its ID (C…) or its name"):
	case strings.HasPrefix(value, "#"):
		f.add(at, "leave out the #: %s", strings.TrimPrefix(value, "#"))
	case channelID.MatchString(value):
	case strings.ContainsAny(value, " .,\t\n") || strings.ToLower(value) != value || len([]rune(value)) > 80:
		f.add(at, "neither the ID of a channel (C0123456789) nor a name: names have up to 80 small letters, digits, - and _")
	}
}

func (f *findings) address(at, value string) {
	u, err := url.Parse(value)
	if value != "" && (err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http") {
		f.add(at, "not an address: expected https://host/")
	}
}

func (f *findings) glob(at, pattern string) {
	if _, err := path.Match(pattern, ""); err != nil {
		f.add(at, "not a glob: a [ is not closed, or nothing follows a backslash")
	}
}

// instances checks a glob that has to recognise an Argo CD.
func (f *findings) instances(at, pattern string, names []string) {
	f.glob(at, pattern)
	if len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool { return fits(pattern, name) }) {
		f.add(at, "no instance of argocd is called that: %s", meant(pattern, names))
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
	f.ids(at+".users", users, userID, `the ID of a person, like U0123456789: "Copy member ID" in the profile`)
	f.ids(at+".userGroups", groups, groupID, "the ID of a user group, like S0123456789: it stands in the address of the group")
}

func (f *findings) ids(at string, ids []string, form *regexp.Regexp, expected string) {
	for i, id := range ids {
		if !form.MatchString(id) {
			f.add(fmt.Sprintf("%s[%d]", at, i), "expected %s", expected)
		}
	}
}

func (f *findings) atLeast(at string, value, least time.Duration) {
	switch {
	case value >= least:
	case least == 0:
		f.add(at, "must not be negative")
	default:
		f.add(at, "must be %s or more", least)
	}
}

func (f *findings) oneOf(at, value string, known ...string) {
	if !slices.Contains(known, value) {
		known = slices.DeleteFunc(known, func(k string) bool { return k == "" })
		f.add(at, "unknown: expected %s", strings.Join(known, ", "))
	}
}
