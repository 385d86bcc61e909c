package slack_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/remedy"
)

// desk behaves as the real one does, without an Argo CD: it keeps records, lets nobody approve what they asked for, takes a
// click once, and notices when what was shown is not true any more.
type desk struct {
	mu sync.Mutex
	// revision is what Git has: another one is another plan.
	revision string
	// may are those who may do everything but refresh and mute; approvers, if any, have to agree to a sync.
	may, approvers []string
	// mutes are those who may mute an application, by its name; of all others everybody may.
	mutes map[string][]string
	// muteApproved is the application whose mute somebody else has to approve.
	muteApproved string
	// refuses is why nothing can be planned; err is a trouble.
	refuses string
	err     error
	// slow is how long a plan takes.
	slow    time.Duration
	panics  bool
	records []*remedy.Record
}

func newDesk() *desk { return &desk{revision: "3f2a91c"} }

func (d *desk) allowed(p remedy.Person, want remedy.Want) error {
	mutes, some := d.mutes[want.App.Name]
	switch {
	case want.Kind == remedy.Mute && some:
		if slices.Contains(mutes, p.ID) {
			return nil
		}
	case want.Kind == remedy.HardRefresh, want.Kind == remedy.Mute, slices.Contains(d.may, p.ID):
		return nil
	}
	return &remedy.Refusal{Code: remedy.NotAllowed, What: "you may not " + string(want.Kind) + " applications of project default", Could: remedy.Who{Users: d.may, Groups: []string{"S0ONCALL"}}}
}

func (d *desk) plan(want remedy.Want) *remedy.Plan {
	p := &remedy.Plan{Want: want, Project: "default", Print: "print of " + d.revision, RefusedBecause: d.refuses}
	switch want.Kind {
	case remedy.Sync:
		if len(d.approvers) > 0 {
			p.Approval = &remedy.Who{Users: d.approvers}
		}
		p.Revision, p.Verdict, p.Reason = d.revision, diagnose.SyncSafe, "the database answers again"
		p.Changes = []remedy.Change{
			{Ref: evidence.Ref{Group: "apps", Kind: "Deployment", Namespace: "shop", Name: "web"}, Effect: remedy.Changes},
			{Ref: evidence.Ref{Kind: "PersistentVolumeClaim", Namespace: "shop", Name: "data"}, Effect: remedy.Kept, HoldsData: true, Fields: []string{remedy.PruneOff}},
		}
	case remedy.DeleteHookJob:
		p.Job = &remedy.Job{Ref: want.Target, UID: "6f1c0a52-0000", Hook: "PreSync", Finished: "Failed"}
		p.Steps = []string{"Delete Job " + want.Target.Name}
	case remedy.Terminate:
		p.Steps = []string{"Terminate the sync that began at 02:51"}
	case remedy.HardRefresh, remedy.Mute:
	}
	return p
}

func (d *desk) Plan(ctx context.Context, by remedy.Person, want remedy.Want) (*remedy.Plan, error) {
	d.mu.Lock()
	slow, panics, err := d.slow, d.panics, d.err
	d.mu.Unlock()
	select {
	case <-time.After(slow):
	case <-ctx.Done():
		return nil, fmt.Errorf("read application: %w", ctx.Err())
	}
	if panics {
		panic("a plan fell over")
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.plan(want), errors.Join(err, d.allowed(by, want))
}

func (d *desk) Ask(_ context.Context, ask remedy.Ask) (*remedy.Record, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := errors.Join(d.err, d.allowed(ask.By, ask.Want)); err != nil {
		return nil, err
	}
	for _, r := range d.records {
		switch {
		case r.Click == ask.Click:
			return nil, &remedy.Refusal{Code: remedy.AlreadyAsked, What: "this was asked for already", Record: r}
		case r.App == ask.App && r.Kind == ask.Kind && !r.State.Over():
			return nil, &remedy.Refusal{Code: remedy.Busy, What: "sync is under way already", Record: r}
		}
	}
	if now := d.plan(ask.Want); now.RefusedBecause != "" {
		return nil, &remedy.Refusal{Code: remedy.NotOffered, What: now.RefusedBecause, Plan: now}
	} else if ask.Kind != remedy.HardRefresh && ask.Kind != remedy.Mute && ask.Print != now.Print {
		return nil, &remedy.Refusal{Code: remedy.PlanChanged, What: "the revision is now " + d.revision, Plan: now}
	}
	r := &remedy.Record{
		ID: fmt.Sprintf("r%d", len(d.records)+1), Want: ask.Want, Project: "default", By: ask.By, At: time.Now(), Place: ask.Place,
		Click: ask.Click, Print: ask.Print, State: remedy.Ready, Summary: string(ask.Kind) + " " + d.revision,
	}
	if ask.Kind == remedy.Sync && len(d.approvers) > 0 {
		r.State, r.Approval = remedy.Waiting, &remedy.Approval{From: remedy.Who{Users: d.approvers}, Expires: time.Now().Add(30 * time.Minute)}
	}
	d.records = append(d.records, r)
	return r, nil
}

func (d *desk) Decide(_ context.Context, by remedy.Decision) (*remedy.Record, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, r := range d.records {
		if r.ID != by.Record || r.App != by.App {
			continue
		}
		switch {
		case r.State == remedy.Waiting && r.By.ID == by.By.ID && !by.Approve:
			r.State = remedy.Denied
			return r, nil
		case r.State != remedy.Waiting:
			return nil, &remedy.Refusal{Code: remedy.TooLate, What: "it was decided already", Record: r}
		case r.By.ID == by.By.ID && by.Approve:
			return nil, &remedy.Refusal{Code: remedy.OwnRequest, What: "nobody approves what they asked for themselves", Could: r.Approval.From}
		case !slices.Contains(r.Approval.From.Users, by.By.ID):
			return nil, &remedy.Refusal{Code: remedy.NotApprover, What: "you are not among those who approve this", Could: r.Approval.From}
		}
		r.State, r.Approval.By, r.Approval.Reason = remedy.Denied, by.By, by.Reason
		if by.Approve {
			r.State = remedy.Ready
		}
		return r, nil
	}
	return nil, &remedy.Refusal{Code: remedy.UnknownAsk, What: "there is no such request"}
}

func (d *desk) Access(_ context.Context, p remedy.Person, app remedy.App, _ string) ([]remedy.Access, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []remedy.Access
	for _, k := range remedy.Kinds {
		a := remedy.Access{Kind: k, May: d.allowed(p, remedy.Want{Kind: k, App: app}) == nil}
		if a.Everybody = k == remedy.HardRefresh || k == remedy.Mute; !a.Everybody {
			a.Could = remedy.Who{Users: d.may, Groups: []string{"S0ONCALL"}}
		}
		if mutes, some := d.mutes[app.Name]; some && k == remedy.Mute {
			a.Everybody, a.Could = false, remedy.Who{Users: mutes}
		}
		if k == remedy.Sync && len(d.approvers) > 0 {
			a.Approval = &remedy.Who{Users: d.approvers}
		}
		if k == remedy.Mute && app.Name == d.muteApproved {
			a.Approval = &remedy.Who{Users: d.may}
		}
		if k == remedy.Terminate {
			a.NotNow = "no operation is running"
		}
		out = append(out, a)
	}
	return out, d.err
}

func (d *desk) Audit(_ context.Context, filter func(remedy.App) bool) ([]*remedy.Record, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []*remedy.Record
	for _, r := range d.records {
		if filter(r.App) {
			out = append(out, r)
		}
	}
	return out, d.err
}

// done are the records, as "kind app by whom state".
func (d *desk) done() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []string
	for _, r := range d.records {
		out = append(out, fmt.Sprintf("%s %s by %s %s", r.Kind, r.App.Name, r.By.Name, r.State))
	}
	return out
}
