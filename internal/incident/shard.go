package incident

import (
	"slices"
	"time"
)

// Shard is a part of all applications: those of some Argo CDs, which have a leader of their own. The zero value has all. An incident is
// about applications of one Argo CD, so that it is of one shard; lists and remainders are of the shard that made them.
type Shard struct {
	// Name is "" for the only one, else that of its Argo CD.
	Name string
	// Only are the Argo CDs that it has. Where there are none it has all but Not: also those that the configuration no longer names.
	Only, Not []string
}

// Shards has one for each of these Argo CDs. What belongs to none of them the first has.
func Shards(instances []string) []Shard {
	all := make([]Shard, len(instances))
	for n, instance := range instances {
		all[n] = Shard{Name: instance, Only: []string{instance}}
	}
	all[0].Only, all[0].Not = nil, instances[1:]
	return all
}

// Has reports whether an Argo CD is in the shard.
func (s Shard) Has(instance string) bool {
	if len(s.Only) > 0 {
		return slices.Contains(s.Only, instance)
	}
	return !slices.Contains(s.Not, instance)
}

// relistWithin is how long after its leader has left an application to another one that one lists it: it may take over in between.
const relistWithin = 10 * time.Minute

// Of are those of the entries that belong to the shard. A list from the time when one leader had them all keeps the applications of its
// shard: listed are those of others, which their leaders put on lists of their own.
func (s Shard) Of(held []*Incident, now time.Time) (own []*Incident, listed map[App]bool) {
	listed = map[App]bool{}
	for _, i := range held {
		switch {
		case i.Phase == HandedOver:
		case s.Has(i.instance()):
			own = append(own, i)
		case i.Backlog():
			for _, m := range i.Members {
				if s.Has(m.App.Instance) && (i.Live() && !m.left() || m.Note == NoteListed && now.Sub(m.Well) < relistWithin) {
					listed[m.App] = true
				}
			}
		}
	}
	for _, i := range own {
		if i.Backlog() {
			for _, m := range i.Members {
				delete(listed, m.App)
			}
		}
	}
	return own, listed
}

// ofDamaged is Of for entries that could not be read.
func (s Shard) ofDamaged(all Damaged) (own Damaged) {
	for _, d := range all {
		if s.Has(d.Rest.instance()) {
			own = append(own, d)
		}
	}
	return own
}

// instance is the Argo CD that an entry is about, or the name of the shard that made it.
func (i *Incident) instance() string {
	switch {
	case i.Phase == Watching:
		return i.Cause.Subject
	case i.Expiry != nil:
		return i.Expiry.Instance
	case len(i.Connections) > 0:
		return i.Connections[0].Instance
	case i.Backlog(), i.Remainder(), len(i.Members) == 0:
		return i.Shard
	}
	return i.Members[0].App.Instance
}

// leaveToOthers takes the applications of other shards off the lists that one leader made for all.
func (s *Store) leaveToOthers(now time.Time) {
	o := &observation{Store: s, policy: s.policy, now: now}
	for _, e := range s.entries {
		if e.Backlog() && e.Live() {
			o.leaveToOthers(e)
		}
	}
}

func (o *observation) leaveToOthers(e *entry) {
	taken := false
	for n, m := range e.Members {
		if o.policy.Shard.Has(m.App.Instance) || m.left() {
			continue
		}
		e.Members[n].Well, e.Members[n].Note = o.now, NoteListed
		delete(o.listed, m.App)
		taken = true
	}
	if taken {
		o.relisted(e)
		o.endBacklog(e)
	}
}
