package incident

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/text"
)

// remind says of an outage that goes on that it does, when that is due.
func (o *observation) remind(e *entry) {
	if e.unmuteInTime(o.now) {
		o.touch(e)
	}
	after := o.policy.RemindAfter
	if after <= 0 {
		return
	}
	if o.now.Sub(e.NudgedAt) >= after && e.Silenced() == nil {
		o.Reason = Reminder
		failing := e.stillFailing()
		e.reply(Reply{Reason: Reminder, At: o.now, Headline: text.UpperFirst(e.Cause.Subject), Rule: e.Cause.Rule, Lasted: e.Lasted(o.now), Notes: []string{failing}})
		e.NudgedAt, e.Changed = o.now, o.now
		o.touch(e)
	}
	o.Again = after - o.now.Sub(e.NudgedAt)
}

// stillFailing is what a reminder says of an outage.
func (i *Incident) stillFailing() string {
	if len(i.Members) == 0 {
		return fmt.Sprintf("%s on it.", text.Count(i.Dependents, "application depends", "applications depend"))
	}
	if i.OnlyDisconnected() {
		return "No application is failing for this cause now, but Argo CD still cannot connect."
	}
	return fmt.Sprintf("%d of %d applications are still failing.", len(i.Failing()), len(i.Members))
}
