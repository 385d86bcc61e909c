package remedy

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/sanitize"
)

// Audit is everything that is remembered of the applications that the filter takes (nil takes all), the newest first. The
// records are the caller's. A log that is damaged is left out, and Run says so.
func (s *Service) Audit(ctx context.Context, filter func(action.App) bool) ([]*action.Record, error) {
	logs, err := s.store.list(ctx)
	if err != nil && logs == nil {
		return nil, fmt.Errorf("read the action logs: %w", err)
	}
	var out []*action.Record
	for _, l := range logs {
		if filter == nil || filter(l.App) {
			out = append(out, l.Records...)
		}
	}
	slices.SortStableFunc(out, func(x, y *action.Record) int { return cmp.Or(y.At.Compare(x.At), strings.Compare(x.ID, y.ID)) })
	return out, nil
}

// Access is what a person can do about an application of a project, and why not, for every kind in the order of Kinds. An
// application that cannot be read is said in NotNow.
func (s *Service) Access(ctx context.Context, by action.Person, app action.App, project string) ([]action.Access, error) {
	g, err := s.examiner.gateway(app)
	if err != nil {
		return nil, err
	}
	now, unread := s.examiner.read(ctx, g, project, action.Request{Kind: action.HardRefresh, App: app})
	var out []action.Access
	for _, kind := range action.Kinds {
		ruling := s.policy.Allowed(ctx, by, kind, app, project)
		if ruling.Unread != nil && !ruling.May {
			s.log.Warn("permission check failed", "app", app, "by", by.ID, "error", ruling.Unread)
		}
		a := action.Access{Kind: kind, May: ruling.May, Could: ruling.Could, Everybody: ruling.Everybody, Guest: ruling.Guest}
		if ruling.Approval != nil {
			from := ruling.Approval.From
			a.Approval = &from
		}
		a.NotNow = s.notNow(ctx, kind, app, project, now, unread)
		if ruling.Unread != nil && !ruling.May {
			a.NotNow = sanitize.Sprintf("your permission could not be checked: %s", ruling.Unread)
		}
		out = append(out, a)
	}
	return out, nil
}

// notNow is why a kind of action is not offered.
func (s *Service) notNow(ctx context.Context, kind action.Kind, app action.App, project string, now *action.Situation, unread error) sanitize.Clean {
	if kind == action.Mute {
		return ""
	}
	lack, err := s.examiner.lacks(ctx, app, kind, project)
	switch {
	case err != nil:
		return sanitize.Sprintf("the bot's own permission could not be checked: %s", err)
	case lack != "":
		return sanitize.Sprintf("the bot's own account lacks a permission: %s", sanitize.Line(lack))
	case errors.Is(unread, action.ErrGone):
		return "the application no longer exists"
	case unread != nil:
		return sanitize.Sprintf("the application could not be read: %s", unread)
	case now.Report == nil:
		return sanitize.Sprintf("the application could not be diagnosed: %s", strings.Join(now.Unread, "; "))
	}
	var refused sanitize.Clean = "the diagnosis does not suggest it"
	for _, a := range now.Report.Actions {
		switch {
		case a.ID != string(kind):
		case a.RefusedBecause == "", a.Once != "":
			return ""
		default:
			refused = sanitize.Line(a.RefusedBecause)
		}
	}
	return refused
}

// Offers are the actions of a report, also those that make sense once a person has repaired the cause, that somebody may have
// done, and that the bot may do. It asks nobody: which rights the
// bot has is found out in the background, and until that is known nothing is offered. Argo CD is asked once for each instance,
// project and kind when it is first needed, and every few minutes after that.
func (s *Service) Offers(r *diagnose.Report) []diagnose.Action {
	if r == nil {
		return nil
	}
	project := r.Context.Project
	return slices.DeleteFunc(slices.Clone(r.Actions), func(a diagnose.Action) bool {
		kind := action.Kind(a.ID)
		return a.RefusedBecause != "" && a.Once == "" || !s.policy.Possible(kind, r.App, project) || !s.rights.has(r.App, kind, project)
	})
}
