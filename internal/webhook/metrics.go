package webhook

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

type metrics struct {
	received *prometheus.CounterVec
	seconds  prometheus.Histogram
}

func newMetrics(instances []string) *metrics {
	m := &metrics{
		received: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "argo_why_hooks_received_total",
			Help: "Requests to /hooks/argocd, by Argo CD instance (empty if it is not configured) and outcome.",
		}, []string{"instance", "outcome"}),
		seconds: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "argo_why_hook_duration_seconds",
			Help:    "Time from a hook's headers to its response. Argo CD's notifications wait for it, one after the other.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .02, .05, .1, .5, 2},
		}),
	}
	for _, instance := range instances {
		m.received.WithLabelValues(instance, string(accepted)) // 0 until the first: an alert can tell "none" from "no bot"
	}
	return m
}

func (m *metrics) count(instance string, what outcome, took time.Duration) {
	m.received.WithLabelValues(instance, string(what)).Inc()
	m.seconds.Observe(took.Seconds())
}
