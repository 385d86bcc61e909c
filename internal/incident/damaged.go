package incident

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Damaged are entries that a journal holds and cannot read. They stay as they are: nobody but a person can tell whether one was
// written by a newer version or is lost.
type Damaged []DamagedEntry

// DamagedEntry is one of them.
type DamagedEntry struct {
	ID string
	// Rest is what could be read of it; never nil, and perhaps empty.
	Rest *Incident
	// Err says what is wrong, and what to do.
	Err error
}

// Error implements error.
func (d Damaged) Error() string {
	var all []string
	for _, e := range d {
		all = append(all, e.Err.Error())
	}
	return strings.Join(all, "\n")
}

// AsError is nil where nothing is damaged.
func (d Damaged) AsError() error {
	if len(d) == 0 {
		return nil
	}
	return d
}

// Salvage is what can be read of the document of an incident: every field that is whole, up to where it is no longer JSON.
func Salvage(document []byte) *Incident {
	i := &Incident{}
	d := json.NewDecoder(bytes.NewReader(document))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return i
	}
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			break
		}
		field := fmt.Appendf(nil, "{%q:%s}", name, value)
		if json.Unmarshal(field, &Incident{}) == nil {
			_ = json.Unmarshal(field, i) // it just did
		}
	}
	return i
}

// skippedReplies are more than the unreadable part of an entry can have numbered: a number is never used again.
const skippedReplies = 1_000

// Renewed is an incident that goes on where a damaged one was, under an ID of its own, and so that nothing is posted twice: its
// messages carry the ID that those in its thread have. ok is false where too little is known of it for that, or where nobody was
// told of it.
func (d DamagedEntry) Renewed(p Policy, now time.Time) (i *Incident, ok bool) {
	was := d.Rest
	told := was.Phase == Open || was.Phase == Recovered && !was.RecoveredAt.IsZero()
	if !told || len(was.Members)+len(was.Connections) == 0 && !was.Remainder() || was.Cause.Key == "" || was.Channel == "" || was.Seen.IsZero() {
		return nil, false
	}
	i = was.Clone()
	i.ID, i.Version, i.Size = name(subject(was), "instead of "+d.ID), "", 0
	i.PostedAs = cmp.Or(was.PostedAs, d.ID)
	i.LastReply += skippedReplies
	slices.SortFunc(i.Members, func(a, b Member) int { return Compare(a.App, b.App) })
	if i.OpenedAt.IsZero() {
		i.OpenedAt = i.Seen
	}
	if i.NudgedAt.IsZero() {
		i.NudgedAt = now
	}
	if i.Phase == Recovered && i.Expires.IsZero() {
		i.Expires = i.RecoveredAt.Add(p.KeepFor)
	}
	return i, true
}

// PostedID is the ID that its messages carry in Slack.
func (i *Incident) PostedID() string {
	return cmp.Or(i.PostedAs, i.ID)
}

// Renewed are the incidents that go on where damaged entries were, but for those that did so at an earlier start: held are the entries
// that could be read.
func (d Damaged) Renewed(p Policy, held []*Incident, now time.Time) (out []*Incident) {
	for _, e := range d {
		i, ok := e.Renewed(p, now)
		if ok && !slices.ContainsFunc(held, i.outdatedBy) {
			out = append(out, i)
		}
	}
	return out
}

// outdatedBy reports whether another incident goes on where this one would: it was renewed before, or its application has begun a new
// one since.
func (i *Incident) outdatedBy(other *Incident) bool {
	if other.ID == i.ID {
		return true
	}
	single := func(i *Incident) bool { return !i.Outage() && !i.Backlog() && len(i.Members) == 1 }
	return single(i) && single(other) && other.Members[0].App == i.Members[0].App && other.Seen.After(i.Seen)
}

// subject is what an ID begins with: the application, or what kind of message it is.
func subject(i *Incident) string {
	if len(i.Members) == 0 {
		return i.Cause.Rule
	}
	return i.Members[0].App.Name
}
