package incident

import (
	"fmt"
	"slices"
	"time"
)

// A digest is one message of a channel at a fixed time: what fails there, what recovered, and what failed most often. It is an entry of
// the journal like any other, without members, and over from the first: so it is posted once, whenever the bot is killed. Its ID is made of
// its channel and its time, so that nobody can make a second one.

// DailyDigest is what stands for the rule of a digest, which has none.
const DailyDigest = "digest"

// Digest is what a channel was told at a time, in figures that internal/digest makes of the incidents on record.
type Digest struct {
	// At is when its figures were made, Since when those of the one before were, From when the days begin that Causes and Often are about.
	At    time.Time `json:"at"`
	Since time.Time `json:"since"`
	From  time.Time `json:"from"`
	// Due is the time that it is posted for; zero of one that is only printed.
	Due time.Time `json:"due,omitzero"`
	// Skipped: it was not posted, because it was too late.
	Skipped bool `json:"skipped,omitempty"`
	// Failing is how many applications fail, Threads how many incidents are open.
	Failing int `json:"failing"`
	Threads int `json:"threads"`
	// Failures are what fails, the oldest first; OutOfSync what differs from Git and fails in no other way, for longer than OutOfSyncAfter.
	Failures       []DigestLine  `json:"failures"`
	OutOfSync      []DigestLine  `json:"outOfSync"`
	OutOfSyncAfter time.Duration `json:"outOfSyncAfter"`
	// Lately is how many applications are out of sync for less, and so in neither list.
	Lately int `json:"lately,omitempty"`
	// Recovered are the incidents that recovered since the digest before and have not failed again, the newest first.
	Recovered []DigestLine `json:"recovered"`
	// Causes are what made applications fail, those of the most failures first, and Often the applications that failed more than once.
	Causes []DigestCause `json:"causes"`
	Often  []DigestApp   `json:"often"`
	// Outlook is what else people should know; nil where nobody looked.
	Outlook *Outlook `json:"outlook,omitempty"`
	// Silent are the Argo CDs that did not respond: what fails there may be missing.
	Silent []string `json:"silent,omitempty"`
	// WatchedUntil is when the bot last noted that it watches; zero where that is not known.
	WatchedUntil time.Time `json:"watchedUntil,omitzero"`
	// Left is how many entries of each list are left out, of a digest in the journal.
	Left DigestLeft `json:"left,omitzero"`
}

// DigestLine is an incident in a digest.
type DigestLine struct {
	// App has only its Instance where Subject is set.
	App App `json:"app,omitzero"`
	// Subject is what is down, of a warning that no application fails of yet: "Git host git.example.com".
	Subject string `json:"subject,omitempty"`
	// For is an application that depends on that.
	For App `json:"for,omitzero"`
	// Others is how many more applications it is about.
	Others int    `json:"others,omitempty"`
	Title  string `json:"title"`
	Rule   string `json:"rule"`
	// Since is when it began, Until when it recovered, Lasted how long that took.
	Since  time.Time     `json:"since"`
	Until  time.Time     `json:"until,omitzero"`
	Lasted time.Duration `json:"lasted,omitempty"`
	// Muted is until when nobody is reminded of it.
	Muted time.Time `json:"muted,omitzero"`
	// NoAutoSync: it waits for a sync, and Argo CD will not sync it by itself.
	NoAutoSync bool   `json:"noAutoSync,omitempty"`
	Thread     string `json:"thread,omitempty"`
}

// DigestCause is how often something made applications fail.
type DigestCause struct {
	Rule     string `json:"rule"`
	Title    string `json:"title"`
	Failures int    `json:"failures"`
	// Recovered are those that recovered, half of them within Half.
	Recovered int           `json:"recovered"`
	Half      time.Duration `json:"half,omitempty"`
}

// DigestApp is how often an application failed.
type DigestApp struct {
	App      App `json:"app"`
	Failures int `json:"failures"`
}

// DigestLeft counts what the lists of a digest leave out.
type DigestLeft struct {
	// Failures are those of applications, Warnings those of connections.
	Failures  int `json:"failures,omitempty"`
	Warnings  int `json:"warnings,omitempty"`
	OutOfSync int `json:"outOfSync,omitempty"`
	Recovered int `json:"recovered,omitempty"`
	Causes    int `json:"causes,omitempty"`
	Often     int `json:"often,omitempty"`
}

// keepLines are remembered of each list of a digest: more than a message has room for.
const keepLines = 20

// short is a digest as the journal keeps it.
func (d Digest) short() Digest {
	all := d.Failures
	d.Failures, _ = firstOf(all, 0)
	for _, l := range all[len(d.Failures):] {
		if l.Subject != "" {
			d.Left.Warnings++
		} else {
			d.Left.Failures++
		}
	}
	d.OutOfSync, d.Left.OutOfSync = firstOf(d.OutOfSync, d.Left.OutOfSync)
	d.Recovered, d.Left.Recovered = firstOf(d.Recovered, d.Left.Recovered)
	d.Causes, d.Left.Causes = firstOf(d.Causes, d.Left.Causes)
	d.Often, d.Left.Often = firstOf(d.Often, d.Left.Often)
	d.Outlook = d.Outlook.short()
	return d
}

func firstOf[T any](list []T, left int) ([]T, int) {
	n := min(len(list), keepLines)
	return list[:n:n], left + len(list) - n
}

// DigestLate is how long after its time a digest may still be posted: who begins to work at nine does not look for the news of nine at noon.
const DigestLate = time.Hour

// skipped reports whether it is a digest that is not posted any more.
func (i *Incident) skipped() bool { return i.Digest != nil && i.Digest.Skipped && i.Thread.TS == "" }

// AddDigest has a digest posted, and none if there is one of that time for the channel. It returns what is to be saved and told.
func (s *Store) AddDigest(channel string, d Digest, now time.Time) (touched []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d = d.short()
	until := d.Due.Add(2 * DigestLate) // before then, it could be made a second time
	return s.addNotice(fmt.Sprintf("%s %s %d", DailyDigest, channel, d.Due.Unix()), now, until, &Incident{
		Shard: s.policy.Shard.Name, Cause: Cause{Rule: DailyDigest, Key: DailyDigest}, Channel: channel, Since: d.Due, Digest: &d,
	})
}

// Digests are those on record for a channel, the oldest first. Slack's ID of a channel also finds those that were posted when the configuration
// named it otherwise.
func (s *Store) Digests(channel string) (all []*Digest) {
	of := func(e *entry) bool { return e.Digest != nil && (e.Channel == channel || e.Thread.Channel == channel) }
	for _, i := range s.pick(of) {
		all = append(all, i.Digest)
	}
	slices.SortFunc(all, func(x, y *Digest) int { return x.Due.Compare(y.Due) })
	return all
}

// SkipLateDigests gives up those that could not be posted in time. It returns what is to be saved.
func (s *Store) SkipLateDigests(now time.Time) (touched []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, e := range s.entries {
		if e.Digest == nil || e.Digest.Skipped || e.dropped || e.Thread.TS != "" || now.Sub(e.Digest.Due) <= DigestLate {
			continue
		}
		d := *e.Digest
		d.Skipped = true
		e.Digest = &d
		e.generation++
		touched = append(touched, id)
	}
	slices.Sort(touched)
	return touched
}

// giveUpDigests gives up those that are too late.
func (s *Syncer) giveUpDigests(now time.Time) {
	late := s.Store.SkipLateDigests(now)
	for _, id := range late {
		s.Log.Warn("digest skipped, it could not be posted within an hour", "digest", id)
		s.Metrics.digest("skipped")
	}
	s.Touch(late...)
}

// PostDigest has a digest recorded, and then posted; of one that is skipped, it is only recorded that it was. It reports whether there was none of
// that time yet.
func (s *Syncer) PostDigest(channel string, d Digest, now time.Time) bool {
	added := s.Store.AddDigest(channel, d, now)
	if len(added) == 0 {
		return false
	}
	if d.Skipped {
		s.Log.Warn("digest skipped, it would be more than an hour late", "channel", channel, "due", d.Due)
		s.Metrics.digest("skipped")
	} else {
		s.Log.Info("digest due", "channel", channel, "due", d.Due, "digest", added[0], "failing", d.Failing)
	}
	s.Touch(added...)
	return true
}
