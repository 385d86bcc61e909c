package config

import (
	"fmt"
	"net"
	"regexp"
	"slices"
	"time"

	"github.com/robfig/cron/v3"

	"github.com/argo-why/argo-why/internal/text"
)

// validate finds what the decoding of single values cannot.
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
	f.oneOf("log.format", c.Log.Format, LogAuto, LogJSON, LogText)
	c.HTTP.validate(f)
	c.Connections.validate(f)
	c.Digest.validate(f, c.Channels())
	if _, err := cron.ParseStandard(c.Sweep); err != nil {
		f.add("sweep", "%q is not a schedule: write five cron fields such as */5 * * * *, or @every 5m", text.OneLine(c.Sweep))
	}
}

func (n Connections) validate(f *findings) {
	if n.Channel != "" {
		f.channel("connections.channel", n.Channel)
	}
	if !n.Enabled() {
		return
	}
	if _, err := cron.ParseStandard(n.Schedule); err != nil {
		f.add("connections.schedule", "%q is not a schedule: write five cron fields such as */5 * * * *, @every 1m, or \"\" to turn it off", text.OneLine(n.Schedule))
	}
}

// actions are all that exist.
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
	if !f.missing("slack.team", s.Team, "the ID of the workspace, T…, from its address https://app.slack.com/client/T…") && !teamID.MatchString(s.Team) {
		f.add("slack.team", "%q is not the ID of a workspace: expected one such as T0123456789, from its address https://app.slack.com/client/T…", s.Team)
	}
	f.secret("slack.botToken", s.BotToken, true)
	f.secret("slack.appToken", s.AppToken, true)
	f.channel("slack.channel", s.Channel)
	f.oneOf("slack.guests", s.Guests, GuestsNamed, GuestsLikeMembers)
	if !commandName.MatchString(s.Command) {
		f.add("slack.command", "%q is not a slash command: expected a slash and up to 31 of a-z, 0-9, - and _, such as /argo", s.Command)
	}
	f.apiURL("slack.apiURL", s.APIURL)
}

func (c *Config) validateInstances(f *findings) {
	if len(c.ArgoCD) == 0 {
		f.add("argocd", "missing: list at least one Argo CD, with name, server and token")
	}
	first := map[string]int{}
	for i, a := range c.ArgoCD {
		at := fmt.Sprintf("argocd[%d]", i)
		a.validate(f, at)
		if other, twice := first[a.Name]; twice && a.Name != "" {
			f.add(at+".name", "argocd[%d] is also named %s: give each Argo CD a name of its own", other, a.Name)
		} else {
			first[a.Name] = i
		}
	}
	c.refuseTwice(f)
}

func (a Instance) validate(f *findings, at string) {
	if !f.missing(at+".name", a.Name, "a short name such as prod") && !label.MatchString(a.Name) {
		f.add(at+".name", "%q is not a valid name: use up to 63 of a-z, 0-9 and -, with a letter or digit at both ends", a.Name)
	}
	f.server(at, a)
	if f.lines[at+".url"] > 0 { // else it is made from the server
		f.address(at+".url", a.URL, "https://argocd.example.com")
	}
	f.secret(at+".token", a.Token, true)
	f.secret(at+".webhookToken", a.WebhookToken, false)
	switch {
	case a.PlainText && a.Insecure:
		f.add(at+".insecure", "contradicts plainText: without TLS there is no certificate to verify; remove one of the two")
	case a.PlainText && a.ServerCrt != "":
		f.add(at+".serverCrt", "contradicts plainText: without TLS there is no certificate; remove one of the two")
	case a.PlainText && a.Server != "" && !inside(hostOf(a.Server)):
		f.add(at+".plainText", "would send the token unencrypted to %s: remove plainText, or use an address inside the cluster such as argocd-server.argocd.svc", hostOf(a.Server))
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
	}
	misread := c.misread(f)
	for i, r := range c.Routes {
		for by, before := range c.Routes[:i] {
			if !misread[by] && before.Match.covers(r.Match) {
				f.add(fmt.Sprintf("routes[%d]", i), "never used: routes[%d] matches all of its applications first; move this route before it", by)
				break
			}
		}
	}
}

// misread are the routes that are not what their author meant, so that nothing follows from what they match: one whose only key is
// misspelt matches everything.
func (c *Config) misread(f *findings) []bool {
	routes := make([]bool, len(c.Routes))
	for i := range routes {
		match := fmt.Sprintf("routes[%d].match", i)
		routes[i] = slices.ContainsFunc(f.problems, func(p Problem) bool { return within(p.Path, match) || within(match, p.Path) })
	}
	return routes
}

// covers reports, as far as can be seen from the globs, that the other matches nothing that m does not.
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

// leastQuiet is twice as long as the bot takes to note that it runs.
const leastQuiet = 10 * time.Minute

func (n Incidents) validate(f *findings) {
	f.atLeast("incidents.openAfter", n.OpenAfter, 0)
	for _, rule := range sortedKeys(n.OpenAfterByRule) {
		f.glob(join("incidents.openAfterByRule", rule), rule)
		f.atLeast(join("incidents.openAfterByRule", rule), n.OpenAfterByRule[rule], 0)
	}
	f.atLeast("incidents.holdFor", n.HoldFor, 0)
	f.atLeast("incidents.reopenWithin", n.ReopenWithin, 0)
	if n.QuietAfter != 0 {
		f.atLeast("incidents.quietAfter", n.QuietAfter, leastQuiet)
	}
	if n.RemindAfter != 0 {
		f.atLeast("incidents.remindAfter", n.RemindAfter, time.Minute)
	}
	if n.GroupFrom < 2 {
		f.add("incidents.groupFrom", "is %d, and must be 2 or more: one application is not a group", n.GroupFrom)
	}
	if n.ExpireAfter < n.ReopenWithin {
		f.add("incidents.expireAfter", "is %s, and must not be shorter than reopenWithin (%s): a forgotten incident cannot be reopened", text.Setting(n.ExpireAfter), text.Setting(n.ReopenWithin))
	}
	for i, rule := range n.Ignore {
		at := fmt.Sprintf("incidents.ignore[%d]", i)
		f.missing(at, rule, "a rule such as drift/hpa, or a glob such as drift/*")
		f.glob(at, rule)
	}
}

func (a Access) validate(f *findings, at string, instances []string) {
	f.where(at, a.Projects, a.Instances, instances)
	f.who(at, a.Users, a.UserGroups)
	f.oneOf(at+".answers", a.Answers, "", AnswersPrivate, AnswersPublic)
	switch people, channels := len(a.Users)+len(a.UserGroups) > 0, len(a.Channels) > 0; {
	case a.Answers == AnswersPublic && !people && !channels:
		f.add(at+".answers", "has no effect without users, userGroups or channels: remove it")
	case a.Answers == AnswersPrivate && !people:
		f.add(at+".answers", "has no effect without users or userGroups: remove it")
	}
	f.ids(at+".channels", a.Channels, channelID, "the ID of a channel, such as C0123456789, from the end of the channel's details (a name would stop matching when the channel is renamed)")
}

func (a ActionRule) validate(f *findings, at string, instances []string) {
	if len(a.Actions) == 0 {
		f.add(at+".actions", "missing: list what the entry allows: %s", text.Or(actions))
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
	switch named := len(a.Users)+len(a.UserGroups) > 0; {
	case named && a.Everybody:
		f.add(at+".everybody", "contradicts users and userGroups: remove one of them")
	case !named && !a.Everybody:
		f.add(at, "names nobody: list users or userGroups, or write everybody: true if every member of the workspace can do this")
	}
	a.Approval.validate(f, at+".approval")
}

func (a Approval) validate(f *findings, at string) {
	if f.lines[at] > 0 && !a.Needed() {
		f.add(at, "names no approver: add users or userGroups, or leave approval out")
		return
	}
	f.who(at, a.Users, a.UserGroups)
	if a.Needed() {
		f.atLeast(at+".expireAfter", a.ExpireAfter, time.Minute)
	}
}

func (j Journal) validate(f *findings) {
	f.oneOf("journal.kind", j.Kind, "", JournalFile, JournalKubernetes)
	f.oneOf("journal.leaders", j.Leaders, LeadersOne, LeadersEach)
	if j.Kind == JournalFile && j.Leaders == LeadersEach {
		f.add("journal.leaders", "a journal in a file is for one process, which leads everything: leave leaders out, or set kind: kubernetes")
	}
	if j.Path == "" && j.Kind != JournalKubernetes {
		f.add("journal.path", "missing: give the file to keep incidents in, such as argo-why.db")
	}
	if j.Namespace != "" && !label.MatchString(j.Namespace) {
		f.add("journal.namespace", "%q is not a valid namespace: use up to 63 of a-z, 0-9 and -", j.Namespace)
	}
}

func (h HTTP) validate(f *findings) {
	if (h.TLS.CertFile == "") != (h.TLS.KeyFile == "") {
		f.add("http.tls", "has only one of certFile and keyFile: give both, or neither for plain HTTP")
	}
	if _, _, err := net.SplitHostPort(h.Listen); err != nil {
		f.add("http.listen", "%q is not an address to listen on: expected host:port or :port, such as :8080", h.Listen)
	}
	switch _, port, err := net.SplitHostPort(h.Metrics); {
	case err != nil:
		f.add("http.metrics", "%q is not an address to listen on: expected host:port or :port, such as :9090", h.Metrics)
	case h.Metrics == h.Listen && port != "0": // 0 is a free one, so another one for each
		f.add("http.metrics", "is also http.listen, so anyone who can send webhooks could read the metrics: set another port, such as :9090")
	}
}
