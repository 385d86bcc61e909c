package posted

import (
	"slices"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/sanitize"
)

// Record is what is on record of an action, for an audience. Only [RecordTo] makes one.
type Record struct{ seen *action.Record }

// View is what the audience sees of it. It must not be changed.
func (p Record) View() *action.Record { return p.seen }

// RecordTo is a record for an audience. Whether they may see the application itself is asked before. What was asked for is in our own words, and a
// plan that names another application is not shown where not all may see that.
func RecordTo(who audience.Audience, r *action.Record) Record {
	c := *r
	words := func(t string) string { return who.Text(r.App, t) }
	c.Result = words(r.Result)
	if r.Approval != nil {
		approval := *r.Approval
		approval.Reason = words(approval.Reason)
		c.Approval = &approval
	}
	c.Notes = slices.Clone(r.Notes)
	for i, n := range c.Notes {
		c.Notes[i] = noteTo(who, r, n)
	}
	if r.Shown != nil {
		shown := *r.Shown
		shown.Reason = words(shown.Reason)
		shown.Changes = slices.DeleteFunc(slices.Clone(shown.Changes), func(c action.Change) bool {
			return !seesObject(who, r.App, c.Ref)
		})
		shown.More += len(r.Shown.Changes) - len(shown.Changes)
		c.Shown = &shown
	}
	return Record{&c}
}

// Note is a line of the history of an action, for an audience. Only [NoteTo] makes one.
type Note struct {
	Record
	seen action.Note
}

// Line is what the audience sees of it.
func (p Note) Line() action.Note { return p.seen }

// NoteTo is a line of the history of an action for an audience.
func NoteTo(who audience.Audience, r *action.Record, n action.Note) Note {
	return Note{RecordTo(who, r), noteTo(who, r, n)}
}

func noteTo(who audience.Audience, r *action.Record, n action.Note) action.Note {
	n.Text, n.Log = who.Text(r.App, n.Text), who.Text(r.App, n.Log)
	return n
}

// Access is what a person may do about an application, for those who read it. Only [AccessTo] makes one.
type Access struct{ seen action.Access }

// View is what they see of it.
func (p Access) View() action.Access { return p.seen }

// AccessTo is what a person may do about an application, for an audience: why not now may be said in words of Argo CD.
func AccessTo(who audience.Audience, app audience.App, a action.Access) Access {
	a.NotNow = sanitize.Line(who.Text(app, string(a.NotNow)))
	return Access{a}
}
