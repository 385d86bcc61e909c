package slack

import (
	"github.com/prometheus/client_golang/prometheus"
)

// The outcomes of an envelope.
const (
	outcomeTaken     = "taken"
	outcomeReplied   = "replied" // answered with the acknowledgement
	outcomeIgnored   = "ignored"
	outcomeDuplicate = "duplicate"
	outcomeForeign   = "foreign"    // of another workspace
	outcomeBusy      = "busy"       // the queue is full
	outcomeMalformed = "malformed"  // Slack sent what the client cannot read
	outcomeAckFailed = "ack-failed" // the socket broke
)

// The outcomes of an answer.
const (
	answered      = "answered"
	answerRefused = "refused" // the person may not see it
	answerAsked   = "asked"   // which application?
	answerTrouble = "trouble"
	answerFailed  = "failed" // the person could not be reached
	answerPanic   = "panic"
	// answerDuplicate: it was answered before, perhaps by another replica.
	answerDuplicate = "duplicate"
)

type metrics struct {
	envelopes  *prometheus.CounterVec
	answers    *prometheus.CounterVec
	presses    *prometheus.CounterVec
	ack        prometheus.Histogram
	took       *prometheus.HistogramVec
	waiting    prometheus.Gauge
	connected  prometheus.Gauge
	reconnects *prometheus.CounterVec
}

func newMetrics(r prometheus.Registerer) *metrics {
	m := &metrics{
		envelopes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "argo_why_slack_envelopes_total", Help: "Envelopes from Slack, by type and what became of them.",
		}, []string{"type", "outcome"}),
		answers: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "argo_why_slack_answers_total", Help: "Questions of people, by command and how they ended.",
		}, []string{"command", "outcome"}),
		presses: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "argo_why_slack_presses_total", Help: "Buttons of actions that people pressed and modals that they submitted, by action and what became of it.",
		}, []string{"action", "outcome"}),
		ack: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "argo_why_slack_ack_seconds", Help: "From receiving an envelope to handing over its acknowledgement. Slack waits three seconds.",
			Buckets: []float64{.0001, .001, .01, .05, .1, .5, 1, 3},
		}),
		took: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "argo_why_slack_answer_seconds", Help: "From receiving a question to its answer, by command.",
			Buckets: []float64{.1, .25, .5, 1, 2.5, 5, 10, 30, 60},
		}, []string{"command"}),
		waiting: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "argo_why_slack_questions_waiting", Help: "Questions that no worker has taken up yet.",
		}),
		connected: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "argo_why_slack_connected", Help: "1 while Slack's socket is connected and has greeted.",
		}),
		reconnects: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "argo_why_slack_reconnects_total", Help: "Connections of the socket after the first, by reason.",
		}, []string{"reason"}),
	}
	if r != nil {
		r.MustRegister(m.envelopes, m.answers, m.presses, m.ack, m.took, m.waiting, m.connected, m.reconnects)
	}
	return m
}
