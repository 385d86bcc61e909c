package remedy

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/text"
)

// execution does one record, or finds out what became of it. Its steps return an error: nil where the next step may follow, a
// *result where the action is over, and any other where this process must stop, and somebody else goes on.
type execution struct {
	*claim
	gateway   Gateway
	examiner  examiner
	messenger messenger
	mute      func(app action.App, by action.Person, until time.Time) bool
	log       *slog.Logger
}

// result is how an action ended: the end of its record. It travels as an error, as it ends all that was still to be done.
type result struct {
	state action.State
	text  sanitize.Clean
}

func (r *result) Error() string { return fmt.Sprintf("%s: %s", r.state, r.text) }

// ends is the error that ends an action. Its text quotes whatever others said harmlessly, and ends as a sentence.
func ends(state action.State, format string, args ...any) error {
	return &result{state: state, text: sanitize.Sentence(sanitize.Sprintf(format, args...))}
}

// stopped reports whether an error is no result but the end of this process's work on the record.
func stopped(ctx context.Context, err error) bool {
	return err != nil && (ctx.Err() != nil || errors.Is(err, errStopping))
}

// execute does a record that is ready, or finds out what became of one that somebody has left half done.
func (s *Service) execute(ctx context.Context, stopping <-chan struct{}, r *action.Record) {
	log := s.log.With("id", r.ID, "kind", r.Kind, "app", r.App)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	c := s.newClaim(r, stopping, cancel)
	defer c.fence.Stop()
	resumed, err := c.begin(ctx)
	if err != nil {
		s.later(r, retryWorkAfter)
		if !errors.Is(err, errHeld) {
			log.Warn("action not started, will try again", "error", err)
		}
		return
	}
	s.notifier.Show(c.record())
	renewed := make(chan struct{})
	go func() { defer close(renewed); c.renew(ctx, cancel) }()
	x := &execution{claim: c, gateway: s.gateways[r.App.Instance], examiner: s.examiner, messenger: s.messenger(), mute: s.mute, log: s.log}
	err = x.run(ctx, resumed)
	if res, over := errors.AsType[*result](err); over {
		err = s.finish(ctx, c, res)
	}
	cancel(nil)
	<-renewed
	if errors.Is(err, errStopping) {
		err = c.handOver(context.WithoutCancel(ctx))
	}
	if err != nil {
		log.Warn("action left unfinished, its outcome will be checked later", "error", err)
	}
}

// finish writes the end, and reports it: on the Application first.
func (s *Service) finish(ctx context.Context, c *claim, res *result) error {
	if err := c.end(ctx, res); err != nil {
		return err
	}
	r := c.record()
	s.ended(r)
	s.announce(ctx, r)
	if err := s.messenger().send(ctx, r); err != nil {
		s.later(r, retryNotifyAfter)
		return fmt.Errorf("the action is over, but its result was not posted: %w", err)
	}
	return nil
}

// run does the record, or finds out what became of it. It never returns nil.
func (x *execution) run(ctx context.Context, resumed bool) error {
	switch removed := action.RemovedInstance(x.record().App.Instance); {
	case x.gateway == nil && resumed:
		return ends(action.Interrupted, "%s, so the outcome is unknown. Check Argo CD.", removed)
	case x.gateway == nil:
		return ends(action.Failed, "%s, so nothing was done.", removed)
	case resumed:
		return x.findOut(ctx)
	}
	// That it was asked for is told first, but nothing waits for a Slack that does not answer.
	if err := x.messenger.send(ctx, x.record()); err != nil {
		x.log.Warn("start of the action not posted, will try again", "id", x.id(), "error", err)
	}
	return x.perform(ctx)
}

// maxAge is how long after the last word of a person something is begun. Later, when the bot was away for a night as an
// example, nobody reckons with it any more, and whoever asked may have helped themselves.
const maxAge = 5 * time.Minute

// perform does what the record says, from the begin, if that was said a moment ago.
func (x *execution) perform(ctx context.Context) error {
	r := x.record()
	said := r.At
	if r.Approval != nil && r.Approval.At.After(said) {
		said = r.Approval.At
	}
	if late := time.Since(said); late > maxAge {
		return ends(action.Interrupted, "The bot only got to it %s after it was confirmed, so nothing was done. Request it again.", text.Duration(late))
	}
	return x.effect(ctx)
}

// effect does what the record says, if that is still allowed and still what was confirmed.
func (x *execution) effect(ctx context.Context) error {
	r := x.record()
	switch why, err := x.examiner.lost(ctx, r); {
	case err != nil && ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return ends(action.Failed, "Could not check whether those who requested and approved it still may, so nothing was done: %s", err)
	case why != "":
		return ends(action.Failed, "%s, so nothing was done.", why)
	}
	e, err := x.examiner.examine(ctx, r.By, r.Asked(), r.Kind.Confirmed())
	if err != nil {
		return notDone(ctx, err)
	}
	if moved := r.MovedTo(e.project); moved != "" { // what needs no confirmation has no plan to be compared
		return ends(action.Changed, "The situation changed after it was confirmed, so nothing was done. %s", moved)
	}
	if why := x.unapproved(ctx, e.approvals); why != "" {
		return ends(action.Failed, "%s, so nothing was done. Request it again.", why)
	}
	if e.plan != nil {
		if what := r.Diff(e.plan); what != "" {
			return ends(action.Changed, "The situation changed after it was confirmed, so nothing was done. %s", what)
		}
	}
	switch r.Kind {
	case action.HardRefresh:
		return x.refresh(ctx)
	case action.Mute:
		return x.silence(ctx)
	case action.Terminate:
		return x.terminate(ctx, e.plan)
	case action.DeleteHookJob:
		return x.deleteJob(ctx, e.plan)
	case action.Sync:
		return x.sync(ctx, e)
	}
	return ends(action.Failed, "This version of the bot does not know this action, so nothing was done.")
}

// unapproved says which of the approvals that the policy asks for now was not given, or not by somebody who may give it now; ""
// when all were.
func (x *execution) unapproved(ctx context.Context, needed []*action.ApprovalRule) sanitize.Clean {
	r := x.record()
	if len(needed) > 0 && (r.Approval == nil || r.Approval.By.ID == "") {
		return "The policy now requires an approval"
	}
	for _, rule := range needed {
		ok, _, err := x.examiner.policy.Approves(ctx, r.Approval.By, rule.From)
		switch {
		case err != nil:
			return sanitize.Sprintf("The approver's permission could not be checked: %s", err)
		case !ok:
			return "The policy no longer lets the approver approve this"
		}
	}
	return ""
}

// notDone makes the end of an error before anything was done, unless it is we who end.
func notDone(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	refusal, ok := errors.AsType[*action.Refusal](err)
	if !ok {
		return err
	}
	switch refusal.Code {
	case action.NotAllowed:
		return ends(action.Failed, "The policy no longer allows this for the person who requested it, so nothing was done.")
	case action.Unreadable:
		return ends(action.Failed, "It failed: %s", refusal.What)
	case action.NotOffered:
		return ends(action.Changed, "The situation changed after it was confirmed, so nothing was done: %s", refusal.What)
	default:
		return ends(action.Failed, "Nothing was done: %s", refusal.What)
	}
}

// refused is the end that an effect's error makes, unless it is we who end: that says nothing about the effect.
func refused(ctx context.Context, what string, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return ends(action.Failed, "%s: %s", what, err)
}
