package incident

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// Connection is one of an Argo CD's connections, to a repository or a cluster, that fails: applications will fail of it, or do. It is part of
// the outage of its cause, from before the first application is.
type Connection struct {
	Instance string `json:"instance"`
	// Kind is that of an [evidence.Connection], Address its URL. Project is the only one that it is for.
	Kind    string `json:"kind"`
	Address string `json:"address"`
	Name    string `json:"name,omitempty"`
	Project string `json:"project,omitempty"`
	// For is an application that depends on it: one that its channel may see, if there is one.
	For App `json:"for,omitzero"`
	// Since is when it was first seen to fail, Tested when Argo CD found that out.
	Since  time.Time `json:"since"`
	Tested time.Time `json:"tested,omitzero"`
	// Well is since when it no longer fails for this cause, and Note in what way; see [Member].
	Well time.Time `json:"well,omitzero"`
	Note string    `json:"note,omitempty"`
	// Proven is when an application that depends on it was seen to be well in spite of an older test that failed: Argo CD keeps that of a
	// repository for an hour.
	Proven time.Time `json:"proven,omitzero"`
}

// NoteRemoved is the note of a connection that is no longer in the settings of Argo CD.
const NoteRemoved = "removed"

// NoteUnneeded is the note of a connection that no application depends on now: whether it works concerns nobody.
const NoteUnneeded = "nothing depends on it"

// OfController reports whether it is what the application controller reports of a cluster, and no connection to one.
func (c *Connection) OfController() bool { return c.Kind == string(evidence.ConnectionOfController) }

// ToCluster reports whether it is one to a cluster.
func (c *Connection) ToCluster() bool { return c.Kind == string(evidence.ConnectionToCluster) }

// left reports whether a connection is no part of its incident any more; see [Member.left].
func (c *Connection) left() bool { return c.Note != "" }

// keepExamples are as many applications as a message names.
const keepExamples = 10

// SeenConnection is a connection as it is now.
type SeenConnection struct {
	Connection
	// Works: Argo CD says so. Report says why it fails. Where it is neither, nobody knows.
	Works  bool
	Report *diagnose.Report
	// Dependents are all applications that depend on it, and Seen those that its channel may see; nil is all.
	Dependents, Seen []App
}

// same reports whether two are about one connection.
func (c *Connection) same(d *Connection) bool {
	return keyOf(c) == keyOf(d)
}

// Disconnected are the connections that fail now.
func (i *Incident) Disconnected() []Connection {
	return slices.DeleteFunc(slices.Clone(i.Connections), func(c Connection) bool { return !c.Well.IsZero() })
}

// ObserveConnections takes in the connections of an Argo CD, as far as they could be read: all of these kinds. It returns what is to be saved
// and told.
func (s *Store) ObserveConnections(instance string, kinds []string, seen []SeenConnection, now time.Time) (touched []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := &observation{Store: s, policy: s.policy, now: now}
	for n := range seen {
		switch c := &seen[n]; {
		case c.Works:
			delete(s.disconnected, keyOf(&c.Connection))
			o.leaves(c, "", "")
		case len(c.Dependents) == 0:
			delete(s.disconnected, keyOf(&c.Connection))
			o.leaves(c, NoteUnneeded, "")
		case c.Report != nil:
			o.isDown(c)
		}
	}
	o.countDependents(instance, seen)
	listed := map[connectionKey]bool{}
	for n := range seen {
		listed[keyOf(&seen[n].Connection)] = true
	}
	removed := func(key connectionKey) bool {
		return key.instance == instance && slices.Contains(kinds, key.kind) && !listed[key]
	}
	maps.DeleteFunc(s.disconnected, func(key connectionKey, _ down) bool { return removed(key) })
	for _, e := range o.openConnections(instance) {
		for n := range e.Connections {
			if c := &e.Connections[n]; c.Well.IsZero() && removed(keyOf(c)) {
				o.connectionLeaves(e, c, NoteRemoved)
			}
		}
		o.after(e)
	}
	o.linkTouched()
	slices.Sort(o.Touched)
	return o.Touched
}

// UnwatchConnections ends what is in progress about connections, where they are no longer watched.
func (s *Store) UnwatchConnections(now time.Time) (touched []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := &observation{Store: s, policy: s.policy, now: now}
	for _, e := range o.openConnections("") {
		for n := range e.Connections {
			if c := &e.Connections[n]; !c.left() {
				o.connectionLeaves(e, c, NoteUnwatched)
			}
		}
		o.after(e)
	}
	slices.Sort(o.Touched)
	return o.Touched
}

// connectionKey is which connection one is.
type connectionKey struct{ instance, kind, address, project string }

func keyOf(c *Connection) connectionKey {
	return connectionKey{c.Instance, c.Kind, c.Address, c.Project}
}

// openConnections are the open incidents that are about connections of an Argo CD, or of any, in the order of their IDs.
func (o *observation) openConnections(instance string) (all []*entry) {
	for _, e := range o.connected() {
		if e.open() && (instance == "" || e.Connections[0].Instance == instance) {
			all = append(all, e)
		}
	}
	return all
}

// connected are the incidents that are about connections, in the order of their IDs.
func (s *Store) connected() (all []*entry) {
	for id := range s.warned {
		switch e := s.entries[id]; {
		case e == nil:
			delete(s.warned, id)
		case !e.dropped && len(e.Connections) > 0:
			all = append(all, e)
		}
	}
	slices.SortFunc(all, func(x, y *entry) int { return cmp.Compare(x.ID, y.ID) })
	return all
}

// leaves takes a connection out of the incidents that show it to fail, except for that of a cause.
func (o *observation) leaves(c *SeenConnection, note, except string) {
	for _, e := range o.openConnections(c.Instance) {
		for n := range e.Connections {
			if is := &e.Connections[n]; e.Cause.Group != except && is.Well.IsZero() && is.same(&c.Connection) {
				o.connectionLeaves(e, is, note)
			}
		}
	}
}

// countDependents brings up to date which applications depend on the connections that fail, each once, also where it is not known why one fails
// now. Where one of them could not be read, it stays as it was.
func (o *observation) countDependents(instance string, seen []SeenConnection) {
	dependents, visible := map[connectionKey][]App{}, map[connectionKey][]App{}
	for n := range seen {
		key := keyOf(&seen[n].Connection)
		dependents[key], visible[key] = seen[n].Dependents, seen[n].Seen
		if seen[n].Seen == nil {
			visible[key] = seen[n].Dependents
		}
	}
	for _, e := range o.openConnections(instance) {
		down := e.Disconnected()
		var apps, named []App
		for n := range down {
			those, read := dependents[keyOf(&down[n])]
			if !read {
				apps = nil
				break
			}
			apps, named = append(apps, those...), append(named, visible[keyOf(&down[n])]...)
		}
		apps, named = sorted(apps), sorted(named)
		examples := named[:min(len(named), keepExamples)]
		if len(apps) == 0 || e.Dependents == len(apps) && slices.Equal(e.Examples, examples) {
			continue
		}
		e.Dependents, e.Examples, e.Changed = len(apps), slices.Clone(examples), o.now
		o.touch(e)
	}
}

// sorted are applications in order, each once.
func sorted(apps []App) []App {
	slices.SortFunc(apps, Compare)
	return slices.Compact(apps)
}

func (o *observation) connectionLeaves(e *entry, c *Connection, note string) {
	c.Well, c.Note, e.Changed = o.now, note, o.now
	o.touch(e)
}

// connectionJoins makes a connection part of an open incident, and brings what is known of it up to date.
func (o *observation) connectionJoins(e *entry, c *SeenConnection) {
	now := c.Connection
	if now.Since.IsZero() {
		now.Since = o.now
	}
	o.warned[e.ID] = true
	at := slices.IndexFunc(e.Connections, func(d Connection) bool { return d.same(&now) })
	if at < 0 {
		e.Connections = append(e.Connections, now)
		slices.SortFunc(e.Connections, func(x, y Connection) int {
			return cmp.Or(cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.Address, y.Address), cmp.Compare(x.Project, y.Project))
		})
		o.connectionFails(e)
		return
	}
	was := &e.Connections[at]
	if len(e.Failing()) == 0 && e.showsOf(was) && !sameCause(e.Report, c.Report) {
		e.Report, e.Changed = c.Report, o.now
		o.touch(e)
	}
	now.Since = was.Since
	if now.ToCluster() || now.Tested.Sub(was.Tested) < retested {
		now.Tested = was.Tested
	}
	now.Proven = was.Proven // see disproved
	if was.Tested.Equal(now.Tested) && was.Well.IsZero() && was.For == now.For {
		return
	}
	*was = now
	o.connectionFails(e)
}

// connectionFails notes that a connection of an open incident fails, which no application's mute is about.
func (o *observation) connectionFails(e *entry) {
	if e.Muted != nil {
		o.muteOutage(e)
	}
	e.Changed = o.now
	o.touch(e)
}

// OnlyDisconnected reports whether a connection still fails of an outage in which no application does.
func (i *Incident) OnlyDisconnected() bool {
	return len(i.Members) > 0 && len(i.Failing()) == 0 && len(i.Disconnected()) > 0
}

// showsOf reports whether an incident shows what is reported of a connection: of the first that fails, because the reports of several differ in
// the address at least.
func (i *Incident) showsOf(c *Connection) bool {
	down := i.Disconnected()
	return len(down) == 0 || down[0].same(c)
}

// sameCause reports whether two reports say the same of a connection, but for what differs from one attempt to the next.
func sameCause(a, b *diagnose.Report) bool {
	return a != nil && b != nil && CauseOf(a).Fingerprint == CauseOf(b).Fingerprint && a.Title() == b.Title()
}

// retested is how much newer a test of a repository must be to be shown: each is an edit of the message. Clusters are tested every few seconds.
const retested = 30 * time.Minute

// testKept is how long Argo CD keeps the result of a test of a repository (--connection-status-cache-expiration of argocd-server).
const testKept = time.Hour

// firstFails tells people who were warned of a connection that the first application fails of it.
func (o *observation) firstFails(outage *entry, e *entry) {
	if len(outage.Connections) == 0 || len(outage.Failing()) > 0 || outage.Thread.TS == "" {
		return
	}
	outage.reply(Reply{Reason: Opened, At: o.now, Headline: headline(e.Report), Rule: outage.Cause.Rule})
	outage.NudgedAt = o.now
}
