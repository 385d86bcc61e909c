package remedy

import (
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/argo-why/argo-why/internal/action"
)

// metrics count what becomes of actions.
type metrics struct {
	actions  *prometheus.CounterVec
	refusals *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	// Of the journal, when all of it was read last.
	damaged, entries, bytes prometheus.Gauge
}

func newMetrics(r prometheus.Registerer) metrics {
	logs := prometheus.Labels{"kind": "action-log"}
	m := metrics{
		actions:  prometheus.NewCounterVec(prometheus.CounterOpts{Name: "argo_why_actions_total", Help: "Finished actions, by action and outcome."}, []string{"action", "state"}),
		refusals: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "argo_why_action_refusals_total", Help: "Actions and approvals that were refused, by action and reason."}, []string{"action", "code"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "argo_why_action_seconds", Help: "Duration of actions from start to end, by action.",
			Buckets: []float64{.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 1800}}, []string{"action"}),
		damaged: prometheus.NewGauge(prometheus.GaugeOpts{Name: "argo_why_journal_damaged", Help: "Journal entries that could not be read, by kind.", ConstLabels: logs}),
		entries: prometheus.NewGauge(prometheus.GaugeOpts{Name: "argo_why_journal_entries", Help: "Entries of the journal, by kind.", ConstLabels: logs}),
		bytes:   prometheus.NewGauge(prometheus.GaugeOpts{Name: "argo_why_journal_bytes", Help: "Size of the entries of the journal, by kind.", ConstLabels: logs}),
	}
	if r != nil {
		r.MustRegister(m.actions, m.refusals, m.seconds, m.damaged, m.entries, m.bytes)
	}
	return m
}

// kept says what the journal holds, along with what could not be read of it.
func (m metrics) kept(logs []*action.Log, unread error) {
	n, known := damaged(logs, unread)
	if !known {
		return
	}
	size := 0
	for _, l := range logs {
		size += l.Size
	}
	m.damaged.Set(float64(n))
	m.entries.Set(float64(len(logs)))
	m.bytes.Set(float64(size))
}

func (m metrics) ended(r *action.Record) {
	m.actions.WithLabelValues(string(r.Kind), string(r.State)).Inc()
	if !r.Started.IsZero() {
		m.seconds.WithLabelValues(string(r.Kind)).Observe(r.Ended.Sub(r.Started).Seconds())
	}
}

// refused counts and logs an error that is a refusal, and hands it on. A kind that is none of ours comes from outside and
// must not become a label.
func (s *Service) refused(kind action.Kind, app action.App, by action.Person, err error) error {
	var refusal *action.Refusal
	if !errors.As(err, &refusal) {
		return err
	}
	label := kind
	if !kind.Known() {
		label = "unknown"
	}
	s.metrics.refusals.WithLabelValues(string(label), string(refusal.Code)).Inc()
	s.log.Info("action refused", "kind", kind, "app", app, "by", by.ID, "code", refusal.Code, "what", refusal.What, "error", refusal.Err)
	return err
}

// ended is what every end of a record has in common. It is called by whoever wrote the end, and so once.
func (s *Service) ended(r *action.Record) {
	s.metrics.ended(r)
	approvedBy := ""
	if r.Approval != nil {
		approvedBy = r.Approval.By.ID
	}
	s.log.Info("action", "id", r.ID, "kind", r.Kind, "app", r.App, "by", r.By.ID, "by_name", r.By.Name, "approved_by", approvedBy,
		"state", r.State, "result", r.Result, "took", r.Ended.Sub(r.At).Round(time.Millisecond))
	s.notifier.Show(r)
	s.look(r.App)
	s.Hint(r.App)
}
