package remedy

import (
	"context"
	"fmt"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/text"
)

// announce writes the end of a record as an Event on its Application, under the name of the record and so once however often
// this is called. That it cannot be is no reason not to go on: it is logged, and stands in the audit.
func (s *Service) announce(ctx context.Context, r *action.Record) {
	g, ok := s.gateways[r.App.Instance]
	if !ok {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, announceTimeout)
	defer cancel()
	e := action.Event{Record: r.ID, Reason: "ArgoWhy" + reasons[r.Kind], At: r.Ended, Warning: r.State == action.Failed || r.State == action.Interrupted}
	e.Message = fmt.Sprintf("%s, requested by %s", r.Kind.Noun(), named(r.By))
	if r.Approval != nil && r.Approval.By.ID != "" && r.State != action.Denied {
		e.Message += ", approved by " + named(r.Approval.By)
	} else if r.State == action.Denied {
		e.Message += ", denied by " + named(r.Approval.By)
	}
	e.Message = text.UpperFirst(e.Message) + ": " + string(r.State)
	if r.Result != "" {
		e.Message += ". " + r.Result
	}
	if err := g.Announce(ctx, r.App, e); err != nil {
		s.log.Warn("event not written", "id", r.ID, "app", r.App, "error", err)
	}
}

// reasons are the kinds as one word, for Events.
var reasons = map[action.Kind]string{action.HardRefresh: "HardRefresh", action.DeleteHookJob: "DeleteHookJob", action.Terminate: "Terminate", action.Sync: "Sync", action.Mute: "Mute"}
