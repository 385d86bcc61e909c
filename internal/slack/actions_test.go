package slack_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/sanitize"
)

// fakeActions behaves as remedy.Service does, without an Argo CD: it keeps records, lets nobody approve what they asked for, takes a
// click once, and notices when this has changed since you opened it.
type fakeActions struct {
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
	records []*action.Record
}

func newFakeActions() *fakeActions { return &fakeActions{revision: "3f2a91c"} }

func (f *fakeActions) allowed(p action.Person, want action.Request) error {
	mutes, some := f.mutes[want.App.Name]
	switch {
	case want.Kind == action.Mute && some:
		if slices.Contains(mutes, p.ID) {
			return nil
		}
	case want.Kind == action.HardRefresh, want.Kind == action.Mute, slices.Contains(f.may, p.ID):
		return nil
	}
	return &action.Refusal{Code: action.NotAllowed, What: sanitize.Sprintf("you cannot %s applications of project default", want.Kind), Could: action.Who{Users: f.may, Groups: []string{"S0ONCALL"}}}
}

func (f *fakeActions) plan(want action.Request) *action.Plan {
	p := &action.Plan{Request: want, Project: "default", Fingerprint: "print of " + f.revision, RefusedBecause: f.refuses}
	switch want.Kind {
	case action.Sync:
		if len(f.approvers) > 0 {
			p.Approval = &action.Who{Users: f.approvers}
		}
		p.Revision, p.Verdict, p.Reason = f.revision, diagnose.SyncSafe, "the database is reachable again"
		p.Changes = []action.Change{
			{Ref: evidence.Ref{Group: "apps", Kind: "Deployment", Namespace: "shop", Name: "web"}, Effect: action.Changes},
			{Ref: evidence.Ref{Kind: "PersistentVolumeClaim", Namespace: "shop", Name: "data"}, Effect: action.Kept, HoldsData: true, Fields: []string{action.PruneOff}},
		}
	case action.DeleteHookJob:
		p.Job = &action.Job{Ref: want.Target, UID: "6f1c0a52-0000", Hook: "PreSync", Finished: "Failed"}
		p.Steps = []string{"Delete Job " + want.Target.Name}
	case action.Terminate:
		p.Steps = []string{"Terminate the sync that started at 02:51"}
	case action.HardRefresh, action.Mute:
	}
	return p
}

func (f *fakeActions) Plan(ctx context.Context, by action.Person, want action.Request) (*action.Plan, error) {
	f.mu.Lock()
	slow, panics, err := f.slow, f.panics, f.err
	f.mu.Unlock()
	select {
	case <-time.After(slow):
	case <-ctx.Done():
		return nil, fmt.Errorf("read application: %w", ctx.Err())
	}
	if panics {
		panic("a plan fell over")
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.plan(want), errors.Join(err, f.allowed(by, want))
}

func (f *fakeActions) Request(_ context.Context, ask action.ConfirmedRequest) (*action.Record, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := errors.Join(f.err, f.allowed(ask.By, ask.Request)); err != nil {
		return nil, err
	}
	for _, r := range f.records {
		switch {
		case r.Click == ask.Click:
			return nil, &action.Refusal{Code: action.AlreadyRequested, What: "this was asked for already", Record: r}
		case r.App == ask.App && r.Kind == ask.Kind && !r.State.Over():
			return nil, &action.Refusal{Code: action.Busy, What: "sync is already in progress", Record: r}
		}
	}
	if now := f.plan(ask.Request); now.RefusedBecause != "" {
		return nil, &action.Refusal{Code: action.NotOffered, What: sanitize.Line(now.RefusedBecause), Plan: now}
	} else if ask.Kind != action.HardRefresh && ask.Kind != action.Mute && ask.Fingerprint != now.Fingerprint {
		return nil, &action.Refusal{Code: action.PlanChanged, What: sanitize.Sprintf("the revision is now %s", f.revision), Plan: now}
	}
	r := &action.Record{
		ID: fmt.Sprintf("r%d", len(f.records)+1), Request: ask.Request, Project: "default", By: ask.By, At: time.Now(), Place: ask.Place,
		Click: ask.Click, Fingerprint: ask.Fingerprint, Revision: f.plan(ask.Request).Revision, State: action.Ready, Summary: string(ask.Kind) + " " + f.revision,
	}
	if ask.Kind == action.Sync && len(f.approvers) > 0 {
		r.State, r.Approval = action.Waiting, &action.Approval{From: action.Who{Users: f.approvers}, Expires: time.Now().Add(30 * time.Minute)}
	}
	f.records = append(f.records, r)
	return r, nil
}

func (f *fakeActions) Decide(_ context.Context, by action.Decision) (*action.Record, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, r := range f.records {
		if r.ID != by.Record || r.App != by.App {
			continue
		}
		switch {
		case r.State == action.Waiting && r.By.ID == by.By.ID && !by.Approve:
			r.State = action.Denied
			return r, nil
		case r.State != action.Waiting:
			return nil, &action.Refusal{Code: action.TooLate, What: "it was decided already", Record: r}
		case by.Approve:
			plan, err := f.approvable(r, by.By)
			if err != nil {
				return nil, err
			}
			if by.Fingerprint != plan.Fingerprint {
				return nil, &action.Refusal{Code: action.PlanChanged, What: "this has changed since you opened it", Plan: plan, Record: r}
			}
		case !slices.Contains(r.Approval.From.Users, by.By.ID):
			return nil, &action.Refusal{Code: action.NotApprover, What: "you are not among those who approve this", Could: r.Approval.From}
		}
		r.State, r.Approval.By, r.Approval.Reason = action.Denied, by.By, by.Reason
		if by.Approve {
			r.State = action.Ready
		}
		return r, nil
	}
	return nil, &action.Refusal{Code: action.UnknownRequest, What: "the request no longer exists"}
}

func (f *fakeActions) Pending(_ context.Context, by action.Person, app action.App, id string) (*action.Record, *action.Plan, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, r := range f.records {
		if r.ID == id && r.App == app {
			plan, err := f.approvable(r, by)
			return r, plan, err
		}
	}
	return nil, nil, &action.Refusal{Code: action.UnknownRequest, What: "the request no longer exists"}
}

// approvable is what a person may approve. Another revision withdraws the request.
func (f *fakeActions) approvable(r *action.Record, by action.Person) (*action.Plan, error) {
	switch {
	case r.State != action.Waiting:
		return nil, &action.Refusal{Code: action.TooLate, What: "it was decided already", Record: r}
	case r.By.ID == by.ID:
		return nil, &action.Refusal{Code: action.OwnRequest, What: "you cannot approve your own request", Could: r.Approval.From}
	case !slices.Contains(r.Approval.From.Users, by.ID):
		return nil, &action.Refusal{Code: action.NotApprover, What: "you are not among those who approve this", Could: r.Approval.From}
	}
	plan := f.plan(r.Request)
	if plan.Fingerprint != r.Fingerprint {
		r.State, r.Result = action.Withdrawn, "The plan has changed."
		return nil, &action.Refusal{Code: action.PlanChanged, What: "it has changed, so the request was withdrawn", Plan: plan, Record: r}
	}
	return plan, nil
}

// Offers are none: what has buttons is made by the tests.
func (f *fakeActions) Offers(*diagnose.Report) []diagnose.Action { return nil }

func (f *fakeActions) Access(_ context.Context, p action.Person, app action.App, _ string) ([]action.Access, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []action.Access
	for _, k := range action.Kinds {
		a := action.Access{Kind: k, May: f.allowed(p, action.Request{Kind: k, App: app}) == nil}
		if a.Everybody = k == action.HardRefresh || k == action.Mute; !a.Everybody {
			a.Could = action.Who{Users: f.may, Groups: []string{"S0ONCALL"}}
		}
		if mutes, some := f.mutes[app.Name]; some && k == action.Mute {
			a.Everybody, a.Could = false, action.Who{Users: mutes}
		}
		if k == action.Sync && len(f.approvers) > 0 {
			a.Approval = &action.Who{Users: f.approvers}
		}
		if k == action.Mute && app.Name == f.muteApproved {
			a.Approval = &action.Who{Users: f.may}
		}
		if k == action.Terminate {
			a.NotNow = "no operation is running"
		}
		out = append(out, a)
	}
	return out, f.err
}

func (f *fakeActions) Audit(_ context.Context, filter func(action.App) bool) ([]*action.Record, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []*action.Record
	for _, r := range f.records {
		if filter(r.App) {
			out = append(out, r)
		}
	}
	return out, f.err
}

// done are the records, as "kind app by whom state".
func (f *fakeActions) done() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []string
	for _, r := range f.records {
		out = append(out, fmt.Sprintf("%s %s by %s %s", r.Kind, r.App.Name, r.By.Name, r.State))
	}
	return out
}
