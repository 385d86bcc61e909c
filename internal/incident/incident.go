package incident

import (
	"slices"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/diagnose"
)

// App identifies an application: Argo CD instance, namespace, name.
type App = diagnose.AppName

// Phase is where in its life an incident is.
type Phase string

// The phases. A pending incident is not posted: it may pass by itself. A joined one is shown in the thread of another. An entry in
// phase Watching is not a failure: it records until when the bot watched an Argo CD, see [Store.KeepWatch]. Nor is one that is HandedOver: its
// members are applications that another replica would like the leader to look at, see [HandOver].
const (
	Pending   Phase = "Pending"
	Open      Phase = "Open"
	Recovered Phase = "Recovered"
	Joined    Phase = "Joined"
	Watching  Phase = "Watching"

	HandedOver Phase = "HandedOver"
)

// Incident is one cause that makes one application fail, or many (Outage), and what was told about it. It is an entry of the
// journal; its JSON form is what journals store, what cannot be found out again first: see [Salvage]. All texts in it are clean of
// secrets.
type Incident struct {
	// ID is a DNS label, unique for ever: "payments-api-k3v9q2mz".
	ID    string `json:"id"`
	Phase Phase  `json:"phase"`
	// PostedAs is the ID that its messages in Slack carry, where that is not its own: it goes on in the thread of a damaged entry.
	PostedAs string `json:"postedAs,omitempty"`

	// Channel is where its thread is, or will be: a Slack channel, by name or ID as the configuration gives it.
	Channel string `json:"channel"`
	Thread  Thread `json:"thread,omitzero"`
	// LastReply is the number of the last reply ever made: numbers are not used again.
	LastReply int `json:"lastReply,omitempty"`

	// Since is when the failure began, as far as Argo CD tells, else when it was seen first. Seen is when we saw it first.
	Since time.Time `json:"since"`
	Seen  time.Time `json:"seen"`

	Cause Cause `json:"cause"`
	// Members are the applications it makes fail, sorted: one, or those of an outage. Those that are well again stay listed.
	Members []Member `json:"members"`
	// Connections are those of Argo CD that are known to fail of a shared cause, sorted. They are part of it before applications are, and it is
	// over when both are well.
	Connections []Connection `json:"connections,omitempty"`
	// Dependents is how many applications depend on those of them that fail, Examples are the first.
	Dependents int   `json:"dependents,omitempty"`
	Examples   []App `json:"examples,omitempty"`
	// Report is the newest of a member that fails; of a recovered incident the last of these.
	Report *diagnose.Report `json:"report,omitempty"`

	// OpenedAt is when it was told first, ReopenedAt when it came back last, RecoveredAt when it ended last.
	OpenedAt    time.Time `json:"openedAt,omitzero"`
	ReopenedAt  time.Time `json:"reopenedAt,omitzero"`
	RecoveredAt time.Time `json:"recoveredAt,omitzero"`
	// LastFailing is when this process last saw it fail.
	LastFailing time.Time `json:"-"`
	// Expires is when the journal may forget it: zero until it is over.
	Expires time.Time `json:"expires,omitzero"`
	// FailingAgain is since when a recovered one fails again, before that is told.
	FailingAgain time.Time `json:"failingAgain,omitzero"`
	// NudgedAt is when people last heard of it in a new message: what a reminder counts from.
	NudgedAt time.Time `json:"nudgedAt,omitzero"`
	// Announced is what the last message that pinged people said it fails of. It stays the Cause until another one has lasted; Interim
	// is one that has not.
	Announced Announced `json:"announced,omitzero"`
	// Told are the keys of all causes that its thread was about, the last few: it goes on there when one of them comes back.
	Told    []string `json:"told,omitempty"`
	Interim *Interim `json:"interim,omitempty"`
	// CauseSince is since when a pending one fails of Cause, where it began with another: as Argo CD dates it, else as it was seen first. Settling: the application had recovered
	// shortly before it began, so that somebody may still be at it.
	CauseSince time.Time `json:"causeSince,omitzero"`
	Settling   bool      `json:"settling,omitempty"`
	// Changed is when anything that the root message shows has last changed.
	Changed time.Time `json:"changed,omitzero"`
	// JoinedTo is the incident in whose thread a joined one is told.
	JoinedTo string `json:"joinedTo,omitempty"`
	// Parents are the applications that fail only because this one does, sorted: they have no thread of their own.
	Parents []App `json:"parents,omitempty"`
	// JoinedLink is the permalink of that thread, once there is one.
	JoinedLink string `json:"joinedLink,omitempty"`
	// Linked are the incidents of the same cause in other channels that its thread has named, the last few.
	Linked []string `json:"linked,omitempty"`
	// Watched is until when the Argo CD was watched, of an entry that is Watching.
	Watched time.Time `json:"watched,omitzero"`
	// Resolution is how a recovered one ended, a sentence each: the revision that runs now, who synced.
	Resolution []string `json:"resolution,omitempty"`

	// Progress is what the operation that runs has done so far, in a line; empty while none runs.
	Progress string `json:"progress,omitempty"`
	// Actions are those that were asked for in its thread, as [Snapshot] shows them: the newest last, the last few that are
	// over and all that are not.
	Actions []*action.Record `json:"actions,omitempty"`
	// Noted are how far the notes of actions were put into the thread, so that none is told twice.
	Noted []Noted `json:"noted,omitempty"`
	// Muted is nil while nobody wants to be left alone.
	Muted *Mute `json:"muted,omitempty"`

	// Outbox are the replies that are due, in order.
	Outbox []Reply `json:"outbox,omitempty"`
	// Posting is the message that is being posted, or of which nobody knows what became of it: written before it is posted. nil for none.
	Posting *Posting `json:"posting,omitempty"`
	// Waiting is how many failures are still to be posted in the channel, of a remainder.
	Waiting int `json:"waiting,omitempty"`
	// Shard is the part whose leader writes it, of what is about no single Argo CD: see [Shard].
	Shard string `json:"shard,omitempty"`
	// Past are the times that it failed for and that are over, the last few.
	Past []Spell `json:"past,omitempty"`
	// Digest is what a digest says; nil for everything else.
	Digest *Digest `json:"digest,omitempty"`
	// Expiry is which tokens an announcement is about; nil for everything else.
	Expiry *Expiry `json:"expiry,omitempty"`
	// Leads is how many parts a replica leads, of an entry that is HandedOver.
	Leads int `json:"leads,omitempty"`
	// Trouble is why the thread could not be brought up to date, in Slack's words; empty when it could.
	Trouble string `json:"trouble,omitempty"`

	// Version is the journal's own mark of this state of the entry, for optimistic concurrency; "" for one that the journal
	// does not hold. It is not part of the stored document.
	Version string `json:"-"`
	// Size is how many bytes the journal has of it, as it was read or put last; it is not part of the stored document, either.
	Size int `json:"-"`
}

// Announced is a cause as people were told of it.
type Announced struct {
	Key      string `json:"key,omitempty"`
	Headline string `json:"headline,omitempty"`
	// Revision is the one that failed at that moment: a newer one that Argo CD has only compared since is not it.
	Revision string `json:"revision,omitempty"`
	// Since is since when it fails of another error of the same resource, which people were told of before; zero for what a message announced.
	Since time.Time `json:"since,omitzero"`
}

// Member is an application of an incident.
type Member struct {
	App   App       `json:"app"`
	Since time.Time `json:"since"`
	// Well is since when it does not fail of this cause any more: healthy, gone, or failing of something else. Zero while it
	// does.
	Well time.Time `json:"well,omitzero"`
	// Note says in what way it is well, where that is not plain: "deleted", "another cause".
	Note string `json:"note,omitempty"`
	// Headline is its own, where it is one of many, and Mentions are the other applications that it may name: see [diagnose.Report].
	Headline string `json:"headline,omitempty"`
	Mentions []App  `json:"mentions,omitempty"`
	// Cause is its own, where they have different ones: in a backlog. Wanted: somebody asked for a thread about it.
	Cause  Cause `json:"cause,omitzero"`
	Wanted bool  `json:"wanted,omitempty"`
}

// Thread is where an incident is told, and what stands there.
type Thread struct {
	// Channel is the ID of the Slack channel, TS the root message, DetailsTS the first reply.
	Channel   string `json:"channel,omitempty"`
	TS        string `json:"ts,omitempty"`
	DetailsTS string `json:"detailsTS,omitempty"`
	Permalink string `json:"permalink,omitempty"`
	// RootDigest and DetailsDigest tell whether these messages show what they should: a digest of what was sent last.
	RootDigest    string `json:"rootDigest,omitempty"`
	DetailsDigest string `json:"detailsDigest,omitempty"`
}

// Reply is one line of history in the thread. Number is that of its message metadata: 0 is the root message, 1 the details,
// replies count from 2.
type Reply struct {
	Number int       `json:"number"`
	Reason Reason    `json:"reason"`
	At     time.Time `json:"at"`
	// Headline is that of the moment; Was the one before, where the cause changed.
	Headline string `json:"headline,omitempty"`
	Was      string `json:"was,omitempty"`
	// Rule is the rule of the cause of the moment.
	Rule string `json:"rule,omitempty"`
	// Lasted is how long it took until then, in nanoseconds: of a recovery, a reopening (how long it was well), a reminder.
	Lasted time.Duration `json:"lasted,omitempty"`
	// Notes are further sentences: what changed, how many applications.
	Notes []string `json:"notes,omitempty"`
	// Skipped are earlier replies that were left out because too many waited.
	Skipped int `json:"skipped,omitempty"`
	// Others are applications that the headline is about, where that is of another thread: whoever may not see them gets none of it.
	Others []App `json:"others,omitempty"`
	// Link is the permalink of the thread it goes on in.
	Link string `json:"link,omitempty"`
	// Action is what was asked for as it was at the moment of Note, and Note what there is to tell of it: of Acted.
	Action *action.Record `json:"action,omitempty"`
	Note   *action.Note   `json:"note,omitempty"`
}

// Posting is an attempt to post a message: its number, and when it began.
type Posting struct {
	Number int       `json:"number"`
	At     time.Time `json:"at"`
}

// The numbers of the messages that every thread has.
const (
	RootNumber    = 0
	DetailsNumber = 1
)

// Outage reports whether it is about a cause that applications share rather than about one application.
func (i *Incident) Outage() bool {
	return i.Cause.Group != "" && i.Cause.Key == i.Cause.Group
}

// Deleted reports whether it is over because all of its applications are gone.
func (i *Incident) Deleted() bool { return i.Phase == Recovered && i.howOver() == Deleted }

// Over reports whether it is over without that anything recovered: what it was about fails of other causes, or is gone.
func (i *Incident) Over() bool { return i.Phase == Recovered && i.howOver() == Over }

// Affected are the applications that it is about, for who asks who may see it: those that fail, else all of them, else examples of those
// that depend on its connections.
func (i *Incident) Affected() (apps []App) {
	members := i.Failing()
	if len(members) == 0 {
		members = i.Members
	}
	for _, m := range members {
		apps = append(apps, m.App)
	}
	if len(members) == 0 {
		apps = slices.Clone(i.Examples)
	}
	slices.SortFunc(apps, Compare)
	return slices.Compact(apps)
}

// Well are the members that are well again: neither failing, nor failing of something else, nor gone.
func (i *Incident) Well() []Member {
	return slices.DeleteFunc(slices.Clone(i.Members), func(m Member) bool { return m.Well.IsZero() || m.left() })
}

// Live reports whether somebody may still want to act: it is neither over nor told elsewhere.
func (i *Incident) Live() bool { return i.Phase == Pending || i.Phase == Open }

// Posted reports whether people are told of it, or were.
func (i *Incident) Posted() bool {
	return i.Phase != Pending && i.Phase != Watching && i.Phase != HandedOver
}

// Member finds an application among the members; nil when it is none.
func (i *Incident) Member(app App) *Member {
	at, ok := slices.BinarySearchFunc(i.Members, app, func(m Member, app App) int { return Compare(m.App, app) })
	if !ok {
		return nil
	}
	return &i.Members[at]
}

// Failing are the members that fail now.
func (i *Incident) Failing() []Member {
	return slices.DeleteFunc(slices.Clone(i.Members), func(m Member) bool { return !m.Well.IsZero() })
}

// says takes over what is said of a member.
func (m *Member) says(r *diagnose.Report) {
	if m.Headline = headline(r); r != nil {
		m.Mentions = r.Mentions
	}
}

// Named are the other applications that it may name where it speaks of one: whoever reads that elsewhere has to see them. Where it is about
// the child of the application, that is one of them.
func (i *Incident) Named(app App) (apps []App) {
	m := i.Member(app)
	if m != nil && m.Headline != "" {
		return m.Mentions
	}
	if i.Report != nil {
		apps = slices.Clone(i.Report.Mentions)
		if m == nil && i.Report.App != app {
			apps = append(apps, i.Report.App)
		}
	}
	if i.Cause.Child.Name != "" {
		apps = append(apps, i.Cause.Child)
	}
	return apps
}

// Clone is a copy that shares nothing that is ever changed: reports, records of actions, mutes, digests and announcements are replaced as a whole.
func (i *Incident) Clone() *Incident {
	c := *i
	c.Members = slices.Clone(i.Members)
	c.Connections = slices.Clone(i.Connections)
	c.Examples = slices.Clone(i.Examples)
	c.Parents = slices.Clone(i.Parents)
	c.Linked = slices.Clone(i.Linked)
	c.Outbox = slices.Clone(i.Outbox)
	c.Resolution = slices.Clone(i.Resolution)
	c.Actions = slices.Clone(i.Actions)
	c.Noted = slices.Clone(i.Noted)
	c.Told = slices.Clone(i.Told)
	c.Past = slices.Clone(i.Past)
	return &c
}
