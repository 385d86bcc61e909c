package posted

import (
	"errors"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/text"
)

// Plan is what an action would do, for those who read where it was asked for. Only [PlanTo] makes one.
type Plan struct{ seen *action.Plan }

// View is what they see of it. It must not be changed.
func (p Plan) View() *action.Plan { return p.seen }

// PlanTo is a plan for an audience. Nobody can confirm what they are not shown: one that changes an application or a project which the
// audience may not see is refused.
func PlanTo(who audience.Audience, p *action.Plan) (Plan, *Refusal) {
	hidden := 0
	for _, c := range p.Changes {
		if !seesObject(who, p.App, c.Ref) {
			hidden++
		}
	}
	for _, h := range p.Hooks {
		if !seesObject(who, p.App, h.Ref) {
			hidden++
		}
	}
	if hidden > 0 {
		return Plan{}, &Refusal{seen: &action.Refusal{
			Code: action.Unseen,
			What: sanitize.Sprintf("the sync changes %s that not everyone in this channel has access to, so it can't be shown here: sync it in Argo CD", text.Count(hidden, "application or project", "applications or projects")),
		}}
	}
	c := *p
	words := func(t string) string { return who.Text(p.App, t) }
	each := func(list []string) (out []string) {
		for _, t := range list {
			out = append(out, words(t))
		}
		return out
	}
	c.RefusedBecause, c.Why, c.Reason, c.Confirm = words(p.RefusedBecause), words(p.Why), words(p.Reason), words(p.Confirm)
	c.Steps, c.Ignored, c.Notes = each(p.Steps), each(p.Ignored), each(p.Notes)
	c.Changes = make([]action.Change, len(p.Changes))
	for i, change := range p.Changes {
		change.Fields = each(change.Fields)
		c.Changes[i] = change
	}
	return Plan{&c}, nil
}

// seesObject reports whether an object that belongs to an application may be named: other applications, and projects, not to everybody.
func seesObject(who audience.Audience, of audience.App, ref evidence.Ref) bool {
	switch {
	case ref.IsProject():
		return who.Sees(audience.App{Instance: of.Instance}, ref.Name)
	case ref.IsApplication():
		at := audience.App{Instance: of.Instance, Namespace: ref.Namespace, Name: ref.Name}
		if at.Namespace == "" {
			at.Namespace = of.Namespace
		}
		return at == of || who.SeesApp(at)
	}
	return true
}

// Refusal is why an action is not done, worded for the people who see where it was requested. It is an error; without such readers nobody is
// told. Only [RefusalTo] and [PlanTo] make one.
type Refusal struct{ seen *action.Refusal }

// View is what they see of it. It must not be changed.
func (r *Refusal) View() *action.Refusal { return r.seen }

// Plan is the new truth, if there is one.
func (r *Refusal) Plan() (p Plan, ok bool) { return Plan{r.seen.Plan}, r.seen.Plan != nil }

// Record is the record that is in the way, if there is one.
func (r *Refusal) Record() (rec Record, ok bool) { return Record{r.seen.Record}, r.seen.Record != nil }

func (r *Refusal) Error() string { return r.seen.Error() }

// Unwrap is what it came from.
func (r *Refusal) Unwrap() error { return r.seen.Err }

// RefusalTo is a refusal for an audience. With a plan that may not be shown, that is why.
func RefusalTo(who audience.Audience, app audience.App, r *action.Refusal) *Refusal {
	c := *r
	c.What = sanitize.Line(who.Text(app, string(r.What)))
	if r.Plan != nil {
		p, no := PlanTo(who, r.Plan)
		if no != nil {
			return no
		}
		c.Plan = p.seen
	}
	if r.Record != nil {
		c.Record = RecordTo(who, r.Record).seen
	}
	return &Refusal{&c}
}

// ErrorTo is an error of an action for an audience: a refusal in it is one for them.
func ErrorTo(who audience.Audience, app audience.App, err error) error {
	if r, ok := errors.AsType[*action.Refusal](err); ok {
		return RefusalTo(who, app, r)
	}
	return err
}
