package incident

import (
	"slices"
	"sync"
	"time"
)

// Store holds the incidents of all applications, as the journal remembers them and as they are now. It decides and does no
// I/O; the Syncer saves and tells what it says has changed. It is safe for parallel use.
type Store struct {
	policy Policy

	mu      sync.Mutex
	entries map[string]*entry
	// own is the last incident of its own of an application, over those that recovered, the last one last, outages the live outage
	// it is a member of, shared the last outage of a group of causes in a channel.
	own     map[App]string
	over    map[App][]string
	outages map[App]string
	shared  map[string]string
	// parents are the live incidents of the children that applications fail because of.
	parents map[App]string
	// listed is the backlog that an application is listed in, backlogs the last one of a channel, watches what is known of how
	// each Argo CD is watched.
	listed   map[App]string
	backlogs map[string]string
	watches  map[string]*watch
	// remainders are the last ones of each channel.
	remainders map[string]string
	// warned are the incidents that are, or were, about connections.
	warned map[string]bool
	// disconnected is since when connections fail, as long as they do.
	disconnected map[connectionKey]down
	// renewed are the incidents that go on in the threads of damaged entries, by the ID of these.
	renewed map[string]string
	// taken are the IDs of damaged entries.
	taken map[string]bool
	// relist are the applications that a list of another shard has, from the time when there was one leader.
	relist map[App]bool
	// news is closed, and replaced, when replies were told.
	news chan struct{}
}

// entry is an incident and how far it was saved and told. Generations count its changes. The incident is the Store's own:
// what leaves the Store is a copy.
type entry struct {
	*Incident
	// Of the generations, saved is the one that the journal holds, tried and told are the last that was, or was tried to be,
	// brought to Slack.
	generation, saved, tried, told int
	// claimed is what the root message should say by the journal, shown what it says now; edited is the last generation that the
	// messages which stand were brought up to.
	claimed, shown claim
	edited         int
	// onRecord is the incident as the journal holds it; it is never changed.
	onRecord *Incident
	// attempted: somebody may know of it. uncertain: an attempt to tell may have come through although we do not know.
	attempted, uncertain bool
	// dropped: nobody was told and nobody will be.
	dropped bool
	// linkedAs is what it was when it was last linked with threads in other channels.
	linkedAs string
	// written: the journal may hold it. unseen: it is pending from before the start, and the application was not looked at since.
	written, unseen bool
}

// Outcome is what an observation changed.
type Outcome struct {
	Reason Reason
	// ID of the incident that the application is in now; "" for none.
	ID string
	// Touched are the incidents that must be saved and told.
	Touched []string
	// Again is when to look again at the latest; 0 is not at all.
	Again time.Duration
	// Rest is another application to be looked at after RestAgain: one of an outage that the application has left.
	Rest      App
	RestAgain time.Duration
}

// NewStore makes a Store of what the journal holds. Whether the last messages before the restart came through, nobody knows.
func NewStore(p Policy, held []*Incident) *Store {
	s := &Store{policy: p, news: make(chan struct{})}
	s.Restore(held, nil, time.Time{})
	return s
}

// Restore forgets everything, and begins again with what the journal holds now: another replica may have written it. Of damaged entries, what can
// go on does.
func (s *Store) Restore(held []*Incident, damaged Damaged, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.entries, s.own, s.over, s.outages, s.shared, s.parents = map[string]*entry{}, map[App]string{}, map[App][]string{}, map[App]string{}, map[string]string{}, map[App]string{}
	s.remainders, s.disconnected, s.warned = map[string]string{}, map[connectionKey]down{}, map[string]bool{}
	s.listed, s.backlogs, s.watches, s.renewed, s.taken = map[App]string{}, map[string]string{}, map[string]*watch{}, map[string]string{}, map[string]bool{}
	for _, d := range damaged {
		s.taken[d.ID] = true
	}
	held, s.relist = s.policy.Shard.Of(held, now)
	damaged = s.policy.Shard.ofDamaged(damaged)
	held = slices.Concat(held, damaged.Renewed(s.policy, held, now))
	// The newest last, so that it is the one that its application is known by.
	slices.SortStableFunc(held, func(x, y *Incident) int { return x.Seen.Compare(y.Seen) })
	for _, i := range held {
		if len(i.Members)+len(i.Connections) == 0 && i.Phase != Watching && !i.Remainder() && !i.notice() { // an entry that was never finished
			continue
		}
		s.restore(i)
	}
	for _, e := range s.entries {
		if len(e.Members) > 0 {
			s.mend(e)
		}
	}
	for _, e := range s.entries {
		s.endAbandoned(e)
	}
	s.mendBacklogs()
	s.mendLinks()
	s.leaveToOthers(now)
	s.endLostRemainders(now)
	s.wake()
}

func (s *Store) restore(i *Incident) {
	waits := i.Phase == Pending // what waits on record was never told: it would have been on record as open first
	e := &entry{
		Incident: i.Clone(), onRecord: i.Clone(), claimed: i.claim(), generation: 1, saved: 1, attempted: !waits, uncertain: !waits,
		written: true, unseen: waits,
	}
	if i.PostedAs != "" {
		s.renewed[i.PostedAs] = i.ID
		if i.Version == "" { // goes on in the thread of a damaged entry, and is not on record yet
			e.onRecord, e.saved, e.written = nil, 0, false
		}
	}
	if i.Thread.RootDigest != "" { // what stands in the thread is on record only while it is true
		e.shown = e.claimed
	}
	s.entries[i.ID] = e
	if len(i.Connections) > 0 {
		s.warned[i.ID] = true
	}
	s.index(i)
}

// byID is an incident, or the one that goes on where it was; nil if there is none.
func (s *Store) byID(id string) *entry {
	if e := s.entries[id]; e != nil {
		return e
	}
	return s.entries[s.renewed[id]]
}

// entryOf is the ID of the entry whose messages carry that ID.
func (s *Store) entryOf(posted string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.byID(posted); e != nil {
		return e.ID
	}
	return posted
}

func (s *Store) index(i *Incident) {
	if i.Phase == Open {
		for _, p := range i.Parents {
			s.parents[p] = i.ID
		}
	}
	switch {
	case i.Phase == Watching:
		s.watches[i.Cause.Subject] = &watch{entry: i.ID}
		return
	case i.notice():
		return
	case i.Backlog():
		s.indexBacklog(i)
		return
	case i.Remainder():
		s.remainders[i.Channel] = i.ID
		return
	case !i.Outage():
		s.indexOwn(i)
		return
	}
	s.shared[place(i.Channel, i.Cause.Group)] = i.ID
	if i.Phase != Open {
		return
	}
	for _, m := range i.Members {
		if !m.left() {
			s.indexMember(m.App, i.ID)
		}
	}
}

// indexOwn notes that an incident is about one application. One that is live goes before one that is over, an open one before one that waits.
func (s *Store) indexOwn(i *Incident) {
	app := i.Members[0].App
	switch known := s.entries[s.own[app]]; {
	case known != nil && known.Phase == Open && i.Phase == Pending:
	case known == nil || !known.Live() || i.Live(): // an older one that was reopened goes on
		s.own[app] = i.ID
	}
	if i.Phase == Recovered {
		s.isOver(i)
	}
}

// Observe takes in what a reading of an application showed.
func (s *Store) Observe(seen Seen, now time.Time) Outcome {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := &observation{Store: s, policy: s.policy, seen: seen, now: now}
	o.observe()
	o.linkTouched()
	return o.Outcome
}

func (o *observation) observe() {
	alreadyFailed := o.alreadyFailed()
	if id, ok := o.outages[o.seen.App]; ok && o.inOutage(o.entries[id]) {
		return
	}
	backlog := o.entries[o.listed[o.seen.App]]
	switch {
	case backlog != nil:
		o.inBacklog(backlog)
	case o.withChild():
	case alreadyFailed:
		o.list()
	default:
		o.alone()
	}
}

// observation is one call of Observe.
type observation struct {
	*Store
	Outcome
	// policy is the Store's, unless somebody asked for more.
	policy Policy
	seen   Seen
	now    time.Time
}

// touch notes that an incident has changed.
func (o *observation) touch(e *entry) {
	e.generation++
	if !slices.Contains(o.Touched, e.ID) {
		o.Touched = append(o.Touched, e.ID)
	}
}

// alone decides about the application's own incident, and whether it is part of an outage.
func (o *observation) alone() {
	was := o.record()
	d := Decide(was, o.seen, o.policy, o.now)
	o.Reason, o.Again = d.Reason, d.Again
	if d.Next == nil {
		if was != nil {
			o.drop(o.entries[was.ID])
			o.alone() // one that is over may have begun to fail again before
			o.Reason, o.Again = d.Reason, d.Again
		}
		return
	}
	o.ID = d.Next.ID
	e := o.entries[d.Next.ID]
	if e == nil {
		e = o.enter(d.Next)
	}
	if d.Reason == RecoveredNow || d.Reason == Deleted {
		o.isOver(d.Next)
	}
	was, e.Incident, e.unseen = e.Incident, d.Next, false
	switch {
	case e.Phase == Pending && (was == nil || !sameKey(was.Cause.Key, e.Cause.Key)):
		e.generation++ // which is saved when it has waited for long: see Syncer.saveLater
	case was == nil, worthSaving(was, e.Incident):
		o.touch(e)
	}
	switch outage := o.posted(e); {
	case e.Phase == Open:
		o.adopt(e)
		o.gather(e)
	case e.Phase == Pending && outage != nil: // nobody is woken by one more, and it need not be read a second time
		o.join(outage, []*entry{e})
		o.Reason, o.Again = Grouped, 0
	}
}

// worthSaving reports whether a restart must not forget the difference: what people see, and the clocks that run.
func worthSaving(was, is *Incident) bool {
	return !is.Changed.Equal(was.Changed) || is.Progress != was.Progress || is.Muted != was.Muted || !is.FailingAgain.Equal(was.FailingAgain) ||
		is.Phase == Open && (is.Report != was.Report || !is.Members[0].Well.Equal(was.Members[0].Well))
}

// drop forgets an incident that nobody was told of.
func (o *observation) drop(e *entry) {
	o.unindex(e)
	if !e.written {
		delete(o.entries, e.ID)
		return
	}
	e.dropped = true
	o.touch(e)
}
