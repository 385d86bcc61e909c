package socket

import (
	"github.com/prometheus/client_golang/prometheus"
)

// Outcome is what becomes of an envelope.
type Outcome string

// The outcomes of an envelope.
const (
	Taken     Outcome = "taken"
	Replied   Outcome = "replied" // answered with the acknowledgement
	Ignored   Outcome = "ignored"
	Duplicate Outcome = "duplicate"
	Foreign   Outcome = "foreign" // of another workspace
	Busy      Outcome = "busy"    // the queue is full

	malformed Outcome = "malformed"  // Slack sent what the client cannot read
	ackFailed Outcome = "ack-failed" // the socket broke
)

type metrics struct {
	envelopes  *prometheus.CounterVec
	ack        prometheus.Histogram
	waiting    prometheus.Gauge
	connected  prometheus.Gauge
	reconnects *prometheus.CounterVec
}

func newMetrics(r prometheus.Registerer) *metrics {
	m := &metrics{
		envelopes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "argo_why_slack_envelopes_total", Help: "Envelopes from Slack, by type and outcome.",
		}, []string{"type", "outcome"}),
		ack: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "argo_why_slack_ack_seconds", Help: "Time from receiving an envelope to acknowledging it. Slack waits three seconds.",
			Buckets: []float64{.0001, .001, .01, .05, .1, .5, 1, 3},
		}),
		waiting: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "argo_why_slack_questions_waiting", Help: "Questions waiting for a worker.",
		}),
		connected: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "argo_why_slack_connected", Help: "1 while the socket to Slack is connected and has received its hello.",
		}),
		reconnects: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "argo_why_slack_reconnects_total", Help: "Reconnections of the socket, by reason.",
		}, []string{"reason"}),
	}
	if r != nil {
		r.MustRegister(m.envelopes, m.ack, m.waiting, m.connected, m.reconnects)
	}
	return m
}

func (m *metrics) count(kind string, o Outcome) { m.envelopes.WithLabelValues(kind, string(o)).Inc() }
