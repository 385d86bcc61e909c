package action

import (
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
)

// App identifies an application: Argo CD instance, namespace, name.
type App = diagnose.AppName

// Kind is what can be done.
type Kind string

// The kinds. All but Mute are actions of a report, with its IDs.
const (
	HardRefresh   Kind = diagnose.ActionHardRefresh
	DeleteHookJob Kind = diagnose.ActionDeleteHookJob
	Terminate     Kind = diagnose.ActionTerminate
	Sync          Kind = diagnose.ActionSync
	Mute          Kind = "mute"
)

// Kinds are all of them, in the order in which they are listed.
var Kinds = []Kind{HardRefresh, DeleteHookJob, Terminate, Sync, Mute}

// nouns are what a kind is called in a sentence.
var nouns = map[Kind]string{
	HardRefresh: "a hard refresh", DeleteHookJob: "the deletion of a hook Job", Terminate: "the termination of an operation",
	Sync: "a sync", Mute: "muting",
}

// Noun is what the kind is called in a sentence: "a sync". It is "" for a kind that is none of Kinds.
func (k Kind) Noun() string { return nouns[k] }

// verbs are what a person does with a kind, after "to".
var verbs = map[Kind]string{
	HardRefresh: "run a hard refresh", DeleteHookJob: "delete hook Jobs", Terminate: "terminate operations", Sync: "sync", Mute: "mute incidents",
}

// Verb is what a person does with the kind, after "to": "delete hook Jobs". It is "" for a kind that is none of Kinds.
func (k Kind) Verb() string { return verbs[k] }

// Known reports whether it is one of Kinds: a kind that comes from outside may be anything.
func (k Kind) Known() bool { return slices.Contains(Kinds, k) }

// Confirmed reports whether a kind is shown as a plan first: those that change what runs.
func (k Kind) Confirmed() bool { return k == DeleteHookJob || k == Terminate || k == Sync }
