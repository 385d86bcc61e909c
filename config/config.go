package config

import (
	"time"
)

// Config is the whole file. What it leaves out has the value of [Default].
type Config struct {
	// Slack is the workspace that the bot works in.
	Slack Slack `yaml:"slack" jsonschema:"required"`
	// ArgoCD are the Argo CD instances that are watched, at least one.
	ArgoCD []Instance `yaml:"argocd" jsonschema:"required,minItems=1"`
	// Routes choose the channel of an incident. The first match wins; without one it is slack.channel. When more failures begin than Slack
	// takes, those of an earlier route are posted first.
	Routes []Route `yaml:"routes"`
	// Incidents is when a failure opens a thread, and when the thread reports the recovery.
	Incidents Incidents `yaml:"incidents"`
	// Access is who can look at which applications by command. Empty: everybody in the workspace can look at everything.
	Access []Access `yaml:"access"`
	// Actions is who can do what to which applications, from a thread. The first entry that covers the action, the application
	// and the person decides. What no entry allows is forbidden, except hard-refresh and mute: if no entry covers them,
	// everybody can use them.
	Actions []ActionRule `yaml:"actions"`
	// Journal is where the bot records its incidents, so that nothing is posted twice.
	Journal Journal `yaml:"journal"`
	// HTTP is where the bot listens: for webhooks, and for probes and Prometheus.
	HTTP HTTP `yaml:"http"`
	// Sweep is how often all applications are checked, for failures that webhook and watch missed: a cron schedule
	// (minute hour day month weekday) or "@every 5m". https://pkg.go.dev/github.com/robfig/cron/v3
	Sweep string `yaml:"sweep"`
	// Connections is the watch on Argo CD's own connections, which warns before applications fail because of one.
	Connections Connections `yaml:"connections"`
	// Digest is one message for each channel at fixed times: what is failing there, what recovered, and what failed most often.
	Digest Digest `yaml:"digest"`
	// Log is what the bot writes to standard error.
	Log Log `yaml:"log"`
}

// Slack is one workspace and the app installed there.
type Slack struct {
	// Team is the ID of the only workspace that is served, T… (or E… for an organisation); requests from others are refused.
	// It is in the address of Slack in the browser: https://app.slack.com/client/T…
	Team string `yaml:"team" jsonschema:"required,pattern=^[TE][A-Z0-9]{2\\,}$"`
	// BotToken is the bot user's token, xoxb-…
	BotToken Secret `yaml:"botToken" jsonschema:"required"`
	// AppToken is the app-level token with the scope connections:write, xapp-…, for Socket Mode.
	AppToken Secret `yaml:"appToken" jsonschema:"required"`
	// Channel is for incidents that no route sends elsewhere: its ID (C…), which does not change with the name, or its name.
	Channel string `yaml:"channel" jsonschema:"required,minLength=1,maxLength=80"`
	// Guests is what guests of the workspace (single-channel and multi-channel) can look at by command: named, what an entry of
	// access gives to them by users or to the channel; members, the same as members. They can act only where users names them.
	Guests string `yaml:"guests" jsonschema:"enum=named,enum=members"`
	// Command is the slash command, as in the app's settings.
	Command string `yaml:"command" jsonschema:"pattern=^/[a-z0-9_-]{1\\,31}$"`
	// APIURL is the address of Slack's Web API. Only tests and proxies need another one: https, or http on this machine, because
	// it gets the tokens.
	APIURL string `yaml:"apiURL"`
}

// What guests can look at.
const (
	GuestsNamed       = "named"
	GuestsLikeMembers = "members"
)

// Instance is one Argo CD.
type Instance struct {
	// Name is its short name, such as "prod": in messages, in commands, in the address of the webhook. It is part of the key
	// of every incident, so a renamed instance starts with no incidents.
	Name string `yaml:"name" jsonschema:"required,pattern=^[a-z0-9]([-a-z0-9]{0\\,61}[a-z0-9])?$"`
	// Server is host or host:port of argocd-server, without a path: see GRPCWebRootPath.
	Server string `yaml:"server" jsonschema:"required,minLength=1"`
	// URL is the address in the browser, for links. Empty: https://, the server and GRPCWebRootPath.
	URL string `yaml:"url"`
	// Token is that of an Argo CD account that can get applications, logs, projects, repositories and clusters.
	Token Secret `yaml:"token" jsonschema:"required"`
	// WebhookToken is the token that Argo CD's notifications must send. Without it this instance has no webhook, and watch and
	// sweep find its failures.
	WebhookToken Secret `yaml:"webhookToken"`
	// Insecure: TLS without verification of the certificate. Whoever is between the bot and Argo CD can read the token.
	Insecure bool `yaml:"insecure"`
	// PlainText: no TLS at all, for argocd-server --insecure inside a cluster. The token is not sent like this to a public address.
	PlainText bool `yaml:"plainText"`
	// GRPCWeb is for proxies in front of Argo CD that do not forward HTTP/2.
	GRPCWeb bool `yaml:"grpcWeb"`
	// GRPCWebRootPath is the path that Argo CD is served under behind such a proxy.
	GRPCWebRootPath string `yaml:"grpcWebRootPath"`
	// ServerCrt is a PEM file with the CA of the server's certificate, or with that certificate itself, such as the one that Argo CD made.
	ServerCrt string `yaml:"serverCrt"`
	// Kubernetes is how to reach the cluster of the applications, for what Argo CD does not know.
	Kubernetes Kubernetes `yaml:"kubernetes"`
}

// Kubernetes is how to reach a cluster. Empty: the pod's own service account, else kubectl's configuration.
type Kubernetes struct {
	// Kubeconfig is a file.
	Kubeconfig string `yaml:"kubeconfig"`
	// Context is a name in it. Empty: its current one.
	Context string `yaml:"context"`
}

// Route sends the incidents of some applications to a channel.
type Route struct {
	// Match says which. Empty: all.
	Match Match `yaml:"match"`
	// Channel is the ID (C…) or the name.
	Channel string `yaml:"channel" jsonschema:"required,minLength=1,maxLength=80"`
}

// Match selects applications. Each field is a glob (*, ?, [a-z]); an empty one matches everything, and all must match.
type Match struct {
	// Instance is the name of the Argo CD.
	Instance string `yaml:"instance"`
	// Project is the Argo CD project.
	Project string `yaml:"project"`
	// Namespace is that of the Application object, not the one it deploys to.
	Namespace string `yaml:"namespace"`
	// Application is the name.
	Application string `yaml:"application"`
}

// Incidents is the life of an incident. Durations are written as 90s, 15m, 4h or 1h30m.
type Incidents struct {
	// OpenAfter is how long a failure must last before a thread is opened.
	OpenAfter time.Duration `yaml:"openAfter"`
	// OpenAfterByRule are other times for some rules: an ID that `argo-why rules` lists, or a glob. The most specific pattern
	// decides. These are added to the defaults.
	OpenAfterByRule map[string]time.Duration `yaml:"openAfterByRule"`
	// HoldFor is how long an application must be healthy before the thread reports the recovery.
	HoldFor time.Duration `yaml:"holdFor"`
	// ReopenWithin is for how long a failure with the same cause continues the old thread.
	ReopenWithin time.Duration `yaml:"reopenWithin"`
	// RemindAfter is how often the thread of an open incident gets a reminder. 0: never.
	RemindAfter time.Duration `yaml:"remindAfter"`
	// GroupFrom is the number of applications with one shared cause from which they share one thread.
	GroupFrom int `yaml:"groupFrom" jsonschema:"minimum=2"`
	// QuietAfter is how long the bot must not have run for the failures that it finds at its start to be listed in one message.
	// After a shorter stop, each gets its thread. 0: always a thread each, also at the first start.
	QuietAfter time.Duration `yaml:"quietAfter"`
	// ExpireAfter is when a closed incident is deleted from the journal.
	ExpireAfter time.Duration `yaml:"expireAfter"`
	// Ignore are rules, or globs, that never open a thread. Commands still show their failures.
	Ignore []string `yaml:"ignore"`
}

// Access lets some people look at some applications. One matching entry is enough.
type Access struct {
	// Projects are globs. Empty: all.
	Projects []string `yaml:"projects"`
	// Instances are globs. Empty: all.
	Instances []string `yaml:"instances"`
	// Users are IDs, U…: "Copy member ID" in a person's profile.
	Users []string `yaml:"users"`
	// UserGroups are IDs, S…: from the address of the group in the browser. They need the scope usergroups:read.
	UserGroups []string `yaml:"userGroups"`
	// Channels are IDs, C…: anyone who asks there sees the answer. Without users, groups and channels: everybody.
	Channels []string `yaml:"channels"`
	// Answers is where users and userGroups get their answers when they ask in a channel that no entry lists: private, only they
	// see them, as the others there may have no access; public, everyone in the channel does. Empty: private. In a channel that is
	// shared with another organization everyone sees an answer only if an entry with public lists the channel.
	Answers string `yaml:"answers" jsonschema:"enum=,enum=private,enum=public"`
}

// Where answers appear.
const (
	AnswersPrivate = "private"
	AnswersPublic  = "public"
)

// The actions.
const (
	ActionHardRefresh   = "hard-refresh"
	ActionDeleteHookJob = "delete-hook-job"
	ActionTerminate     = "terminate"
	ActionSync          = "sync"
	ActionMute          = "mute"
)

// ActionRule lets some people do some actions to some applications.
type ActionRule struct {
	// Actions are hard-refresh, delete-hook-job, terminate, sync and mute. Deleting a Job that a running operation is waiting for
	// also needs terminate.
	Actions []string `yaml:"actions" jsonschema:"required,minItems=1,enum=hard-refresh,enum=delete-hook-job,enum=terminate,enum=sync,enum=mute"`
	// Instances are globs. Empty: all.
	Instances []string `yaml:"instances"`
	// Projects are globs. Empty: all.
	Projects []string `yaml:"projects"`
	// Applications are globs: of the name, or with a slash of namespace/name. Empty: all.
	Applications []string `yaml:"applications"`
	// Users are IDs, U…: "Copy member ID" in a person's profile.
	Users []string `yaml:"users"`
	// UserGroups are IDs, S…: from the address of the group in the browser. They need the scope usergroups:read.
	UserGroups []string `yaml:"userGroups"`
	// Everybody: every member of the workspace can. An entry has users or userGroups, or says this: a forgotten list must not
	// let everybody in.
	Everybody bool `yaml:"everybody"`
	// Approval requires somebody else to approve. Left out: no approval is needed.
	Approval Approval `yaml:"approval"`
}

// Approval is by somebody other than the requester. It needs users or groups.
type Approval struct {
	// Users are IDs, U…
	Users []string `yaml:"users"`
	// UserGroups are IDs, S…
	UserGroups []string `yaml:"userGroups"`
	// ExpireAfter is for how long the request can be approved. Left out: 15m.
	ExpireAfter time.Duration `yaml:"expireAfter"`
}

// Needed reports whether anybody has to approve.
func (a Approval) Needed() bool { return len(a.Users)+len(a.UserGroups) > 0 }

// The kinds of journal.
const (
	JournalFile       = "file"
	JournalKubernetes = "kubernetes"
)

// Who leads.
const (
	LeadersOne  = "one"
	LeadersEach = "per-argocd"
)

// Journal is where incidents are kept.
type Journal struct {
	// Kind is kubernetes (Incident objects), which several replicas can share, or file (outside a cluster), for one process.
	// Empty: kubernetes in a pod, else file.
	Kind string `yaml:"kind" jsonschema:"enum=,enum=file,enum=kubernetes"`
	// Path is the file, for kind file.
	Path string `yaml:"path"`
	// Namespace is that of the Incident objects. Empty: the pod's own, else the one in kubectl's configuration.
	Namespace string `yaml:"namespace"`
	// Leaders says how the replicas share the work, for kind kubernetes: one of them leads all Argo CDs (one), or each Argo CD has a leader of its
	// own among them (per-argocd).
	Leaders string `yaml:"leaders" jsonschema:"enum=one,enum=per-argocd"`
}

// HTTP is the only server of the bot.
type HTTP struct {
	// Listen is for webhooks and nothing else, as host:port; without a host all addresses of the machine.
	Listen string `yaml:"listen"`
	// Metrics is for /metrics, /healthz and /readyz, which say more than strangers should learn: not the address of Listen.
	Metrics string `yaml:"metrics"`
	// TLS is the certificate of both addresses. Without it they speak plain HTTP, for a cluster whose network encrypts, or an Ingress that does.
	TLS TLS `yaml:"tls"`
}

// TLS is a certificate and its key.
type TLS struct {
	// CertFile is a PEM file with the certificate and those that lead to its authority. The files are read again when they change.
	CertFile string `yaml:"certFile"`
	// KeyFile is a PEM file with its key.
	KeyFile string `yaml:"keyFile"`
}

// Given reports whether there is one.
func (t TLS) Given() bool { return t.CertFile != "" }

// Connections is the watch on the repositories and clusters that Argo CD is connected to, and on the tokens that it issued.
type Connections struct {
	// Schedule is how often Argo CD is asked for the state of its connections, which it knows: a cron schedule (minute hour day month weekday)
	// or "@every 1m". Argo CD tests none of them because of that before its own result has expired. Empty: never.
	Schedule string `yaml:"schedule"`
	// Channel is for the warnings: its ID (C…) or its name. Empty: slack.channel.
	Channel string `yaml:"channel" jsonschema:"maxLength=80"`
}

// Enabled reports whether they are watched.
func (n Connections) Enabled() bool { return n.Schedule != "" }

// The formats of the log.
const (
	LogAuto = "auto"
	LogJSON = "json"
	LogText = "text"
)

// Log is how the bot logs.
type Log struct {
	// Level is debug, info, warn or error.
	Level string `yaml:"level" jsonschema:"enum=debug,enum=info,enum=warn,enum=error"`
	// Format is json, text for people to read, or auto: text on a terminal, json elsewhere.
	Format string `yaml:"format" jsonschema:"enum=auto,enum=json,enum=text"`
}

// Digest is when each channel gets a summary of its incidents.
type Digest struct {
	// Schedule is when: five cron fields (minute hour day month weekday) such as "0 9 * * 1-5", at most once an hour. Empty: never.
	Schedule string `yaml:"schedule"`
	// TimeZone is that of Schedule, by its IANA name, such as Europe/Vienna. Empty: UTC. When the clocks change it is posted once.
	TimeZone string `yaml:"timeZone"`
	// Channels are those that get one, as slack.channel and routes name them. Empty: all of these.
	Channels []string `yaml:"channels"`
	// Overrides are channels that get theirs at another time.
	Overrides []DigestOverride `yaml:"overrides"`
	// OutOfSyncAfter is how long an application must be out of sync to be named.
	OutOfSyncAfter time.Duration `yaml:"outOfSyncAfter"`
}

// DigestOverride is when some channels get their digest.
type DigestOverride struct {
	// Channels are these channels. Each must be one that gets a digest.
	Channels []string `yaml:"channels" jsonschema:"required,minItems=1"`
	// Schedule is when, as in Digest.
	Schedule string `yaml:"schedule" jsonschema:"required,minLength=1"`
	// TimeZone is that of Schedule. Empty: that of Digest.
	TimeZone string `yaml:"timeZone"`
}

// Enabled reports whether there is one.
func (d Digest) Enabled() bool { return d.Schedule != "" }
