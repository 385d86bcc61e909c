package act

import "github.com/prometheus/client_golang/prometheus"

// The outcomes of a click, beside the codes of action.Refusal and the outcomes of a request.
const (
	outcomeTaken     = "taken"
	outcomeShown     = "shown"      // what would happen, in a modal
	outcomeForged    = "forged"     // we made no such button
	outcomeForeign   = "foreign"    // of another workspace
	outcomeReplayed  = "replayed"   // too long ago
	outcomeDouble    = "double"     // the same person clicked twice at once
	outcomeNotMember = "not-member" // not in the channel
	outcomeUnchecked = "unchecked"  // Slack did not say who is in the channel
	outcomeNotSeen   = "not-seen"   // may not look at the application
	outcomeGone      = "gone"       // the application, or the incident
	outcomeNowhere   = "nowhere"    // the channel could not be told what becomes of it
	outcomeLate      = "late"       // the modal could not be opened in time
)

func newMetrics(r prometheus.Registerer) *prometheus.CounterVec {
	clicks := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "argo_why_slack_presses_total", Help: "Clicks on action buttons and submitted dialogs, by action and outcome.",
	}, []string{"action", "outcome"})
	if r != nil {
		r.MustRegister(clicks)
	}
	return clicks
}
