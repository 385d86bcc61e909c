package remedy

import (
	"context"
	"errors"
	"time"
)

// freshFor is how long after the last word of a person something is begun. Later, when the bot was away for a night as an
// example, nobody reckons with it any more, and whoever asked may have helped themselves.
const freshFor = 5 * time.Minute

// perform does what the record says, from the begin, if that was said a moment ago.
func (t *turn) perform(ctx context.Context) (outcome, error) {
	r := t.record()
	said := r.At
	if r.Approval != nil && r.Approval.At.After(said) {
		said = r.Approval.At
	}
	if late := time.Since(said); late > freshFor {
		return ends(Interrupted, "The bot came to it only %s after the last word of a person, so nothing was done. Ask for it again.", span(late))
	}
	return t.effect(ctx)
}

// effect does what the record says, if that is still allowed and still what was confirmed.
func (t *turn) effect(ctx context.Context) (outcome, error) {
	r := t.record()
	e, err := t.examine(ctx, r.By, r.Want, r.Kind.confirmed())
	if err != nil {
		return notDone(ctx, err)
	}
	if why := t.unapproved(ctx, e.approvals); why != "" {
		return ends(Failed, "%s, so nothing was done. Ask for it again.", why)
	}
	if e.plan != nil {
		if what := different(r, e.plan); what != "" {
			return ends(Changed, "It changed after it was confirmed, so nothing was done. %s", what)
		}
	}
	switch r.Kind {
	case HardRefresh:
		return t.refresh(ctx)
	case Mute:
		return t.mute(ctx)
	case Terminate:
		return t.terminate(ctx, e.plan)
	case DeleteHookJob:
		return t.deleteJob(ctx, e.plan)
	case Sync:
		return t.sync(ctx, e.plan)
	}
	return ends(Failed, "This version of the bot does not know how to do that, so nothing was done.")
}

// unapproved says which of the approvals that the policy asks for now was not given, or not by somebody who may give it now; ""
// when all were.
func (t *turn) unapproved(ctx context.Context, needed []*ApprovalRule) string {
	r := t.record()
	if len(needed) > 0 && (r.Approval == nil || r.Approval.By.ID == "") {
		return "The policy asks for somebody's approval by now"
	}
	for _, rule := range needed {
		ok, err := t.policy.Approves(ctx, r.Approval.By, rule.From)
		switch {
		case err != nil:
			return "Whether who approved it still may could not be found out: " + line(err.Error())
		case !ok:
			return "The policy does not let who approved it do that any more"
		}
	}
	return ""
}

// notDone makes the end of an error before anything was done, unless it is we who end.
func notDone(ctx context.Context, err error) (outcome, error) {
	if ctx.Err() != nil {
		return outcome{}, context.Cause(ctx)
	}
	var refusal *Refusal
	if !errors.As(err, &refusal) {
		return outcome{}, err
	}
	switch refusal.Code {
	case NotAllowed:
		return ends(Failed, "The policy does not allow it any more to who asked, so nothing was done.")
	case Unreadable:
		return ends(Failed, "It could not be done: %s", sentence(refusal.What))
	case NotOffered:
		return ends(Changed, "It changed after it was confirmed, so nothing was done: %s", sentence(refusal.What))
	default:
		return ends(Failed, "Nothing was done: %s", sentence(refusal.What))
	}
}

func (t *turn) refresh(ctx context.Context) (outcome, error) {
	if err := t.step(ctx, StepRefresh); err != nil {
		return outcome{}, err
	}
	calling, cancel := context.WithTimeout(ctx, refreshTimeout)
	defer cancel()
	if err := t.world.HardRefresh(calling, t.record().App); err != nil {
		return t.failed(ctx, "The hard refresh failed", err)
	}
	return ends(Done, "Argo CD has rendered the manifests anew and compared them with the cluster.")
}

// mute silences until a moment that counts from when it was asked for, so that it can be repeated.
func (t *turn) mute(ctx context.Context) (outcome, error) {
	if err := t.step(ctx, StepMute); err != nil {
		return outcome{}, err
	}
	r := t.record()
	until := time.Time{}
	if r.MuteFor > 0 {
		until = r.At.Add(r.MuteFor)
	}
	switch {
	case !t.teller.Mute(r.App, r.By, until):
		return ends(Failed, "Nothing goes on about the application that could be muted.")
	case until.IsZero():
		return ends(Done, "Not muted any more.")
	}
	return ends(Done, "Muted until %s.", until.UTC().Format("2006-01-02 15:04 UTC"))
}

// failed makes the end of an error of an effect.
func (t *turn) failed(ctx context.Context, what string, err error) (outcome, error) {
	if ctx.Err() != nil { // we were stopped, which says nothing about the effect
		return outcome{}, context.Cause(ctx)
	}
	return ends(Failed, "%s: %s", what, sentence(line(err.Error())))
}
