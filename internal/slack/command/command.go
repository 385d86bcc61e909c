package command

import "strings"

// Verb is what the person wants.
type Verb string

// The verbs.
const (
	Why     Verb = "why"
	List    Verb = "list"
	Diff    Verb = "diff"
	History Verb = "history"
	Access  Verb = "access"
	Audit   Verb = "audit"
	Help    Verb = "help"
)

// Target is the application as the person named it: what was left out is empty. All of it empty: none was named.
type Target struct {
	// Instance is the name of an Argo CD, Host that of its address in the browser, from a pasted link.
	Instance, Host  string
	Namespace, Name string
}

// String is the target as a person would write it: "prod/argocd/my-app".
func (t Target) String() string {
	parts := []string{t.Instance, t.Namespace, t.Name}
	for len(parts) > 1 && parts[0] == "" {
		parts = parts[1:]
	}
	for len(parts) > 1 && parts[len(parts)-1] == "" {
		parts = parts[:len(parts)-1]
	}
	return strings.Join(parts, "/")
}

// Filter is what a list is limited to, beside the instance and the namespace of its Target; what is empty fits any.
type Filter struct {
	Project string `json:"project,omitempty"`
	// Rule is the ID of a rule, "hook/job-failed", or of a group of them, "hook".
	Rule string `json:"rule,omitempty"`
	// Cluster is the name or the address of what an application is deployed to.
	Cluster string `json:"cluster,omitempty"`
	// Labels are "KEY=VALUE", or "KEY" for any value. All of them have to fit.
	Labels []string `json:"labels,omitempty"`
}

// Command is what to do. Of list, Target is a filter and has no Name; of audit it is one that may have.
type Command struct {
	Verb   Verb
	Target Target
	// Filter, Page (from 1; 0 where none was named) and Public (everyone in the channel is to see it) are of a list.
	Filter Filter
	Page   int
	Public bool
	// Instead is the verb that may have been meant where the only word was taken for an application: "/argo lsit".
	Instead Verb
	// Maybe is the only word in a thread where no application has to be named: one of those that mostly name nothing, and may name one.
	Maybe string
}

// Way is how the person speaks to the bot.
type Way string

// The ways.
const (
	Slash   Way = "slash"
	Mention Way = "mention"
	Direct  Way = "direct"
)

// Message is what the person wrote.
type Message struct {
	Way Way
	// Text is as Slack delivers it: escaped, with <…> around links and mentions.
	Text string
	// Bot is the bot's own user ID, U…; its mention is cut out.
	Bot string
	// Call is how the bot is called: "/argo", "@argo"; nothing in a direct message.
	Call string
	// Thread: it was written in a thread, where the application may be left out.
	Thread bool
}

// Parsed is a command, or else a reply to the person, or neither: then there is nothing to answer.
type Parsed struct {
	Command *Command
	// Reply is plain text with `code`; it is not escaped for Slack.
	Reply string
}

// Ignored reports whether it was no question.
func (p Parsed) Ignored() bool { return p.Command == nil && p.Reply == "" }
