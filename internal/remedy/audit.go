package remedy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
)

// Audit is everything that is remembered of the applications that the filter takes (nil takes all), the newest first. The
// records are the caller's. A log that is damaged is left out, and Run says so.
func (d *Desk) Audit(ctx context.Context, filter func(App) bool) ([]*Record, error) {
	logs, err := d.list(ctx)
	if err != nil && logs == nil {
		return nil, fmt.Errorf("read the action logs: %w", err)
	}
	var out []*Record
	for _, l := range logs {
		if filter == nil || filter(l.App) {
			out = append(out, l.Records...)
		}
	}
	slices.SortStableFunc(out, func(x, y *Record) int { return cmp.Or(y.At.Compare(x.At), strings.Compare(x.ID, y.ID)) })
	return out, nil
}

// Access is what a person can do about an application of a project, and why not, for every kind in the order of Kinds. An
// application that cannot be read is said in NotNow.
func (d *Desk) Access(ctx context.Context, by Person, app App, project string) ([]Access, error) {
	w, err := d.world(app)
	if err != nil {
		return nil, err
	}
	s, unread := d.look(ctx, w, Want{Kind: HardRefresh, App: app})
	var out []Access
	for _, kind := range Kinds {
		ruling := d.policy.Allowed(ctx, by, kind, app, project)
		if ruling.Unread != nil && !ruling.May {
			d.log.Warn("access not known", "app", app, "by", by.ID, "error", ruling.Unread)
		}
		a := Access{Kind: kind, May: ruling.May, Could: ruling.Could, Everybody: ruling.Everybody}
		if ruling.Approval != nil {
			from := ruling.Approval.From
			a.Approval = &from
		}
		a.NotNow = d.notNow(ctx, kind, app, project, s, unread)
		if ruling.Unread != nil && !ruling.May {
			a.NotNow = "whether you are allowed to could not be found out: " + line(ruling.Unread.Error())
		}
		out = append(out, a)
	}
	return out, nil
}

// notNow is why a kind of action is not offered.
func (d *Desk) notNow(ctx context.Context, kind Kind, app App, project string, s *Situation, unread error) string {
	if kind == Mute {
		return ""
	}
	lack, err := d.lacks(ctx, app, kind, project)
	switch {
	case err != nil:
		return "whether the bot is allowed to could not be found out: " + line(err.Error())
	case lack != "":
		return "the bot's own account is not allowed to: " + lack
	case errors.Is(unread, ErrGone):
		return "the application does not exist any more"
	case unread != nil:
		return "the application could not be read: " + line(unread.Error())
	case s.Report == nil:
		return "the application could not be diagnosed: " + line(strings.Join(s.Unread, "; "))
	}
	refused := "the diagnosis sees no reason for it"
	for _, a := range s.Report.Actions {
		switch {
		case a.ID != string(kind):
		case a.RefusedBecause == "", a.Once != "":
			return ""
		default:
			refused = a.RefusedBecause
		}
	}
	return refused
}

// Offers are the actions of a report, also those that make sense once a person has repaired the cause, that somebody may have
// done, and that the bot may do. It asks nobody: which rights the
// bot has is found out in the background, and until that is known nothing is offered. Argo CD is asked once for each instance,
// project and kind when it is first needed, and every few minutes after that.
func (d *Desk) Offers(r *diagnose.Report) []diagnose.Action {
	if r == nil {
		return nil
	}
	project := r.Context.Project
	return slices.DeleteFunc(slices.Clone(r.Actions), func(a diagnose.Action) bool {
		kind := Kind(a.ID)
		return a.RefusedBecause != "" && a.Once == "" || !d.policy.Possible(kind, r.App, project) || !d.rights.has(r.App, kind, project)
	})
}

// announce writes the end of a record as an Event on its Application, under the name of the record and so once however often
// this is called. That it cannot be is no reason not to go on: it is logged, and stands in the audit.
func (d *Desk) announce(ctx context.Context, r *Record) {
	w, ok := d.worlds[r.App.Instance]
	if !ok {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, announceTimeout)
	defer cancel()
	e := Event{Record: r.ID, Reason: "ArgoWhy" + reasons[r.Kind], At: r.Ended, Warning: r.State == Failed || r.State == Interrupted}
	e.Message = fmt.Sprintf("%s, asked for by %s", called[r.Kind], named(r.By))
	if r.Approval != nil && r.Approval.By.ID != "" && r.State != Denied {
		e.Message += ", approved by " + named(r.Approval.By)
	} else if r.State == Denied {
		e.Message += ", denied by " + named(r.Approval.By)
	}
	e.Message = strings.ToUpper(e.Message[:1]) + e.Message[1:] + ": " + string(r.State)
	if r.Result != "" {
		e.Message += ". " + r.Result
	}
	if err := w.Announce(ctx, r.App, e); err != nil {
		d.log.Warn("event not written", "id", r.ID, "app", r.App, "error", err)
	}
}

// reasons are the kinds as one word, for Events.
var reasons = map[Kind]string{HardRefresh: "HardRefresh", DeleteHookJob: "DeleteHookJob", Terminate: "Terminate", Sync: "Sync", Mute: "Mute"}

// When what is known of the bot's rights is asked again, and when it is not trusted any more.
const (
	rightsFresh = 3 * time.Minute
	rightsTrust = 10 * time.Minute
	// rightsUsed is when nobody wants to know any more.
	rightsUsed = time.Hour
)
