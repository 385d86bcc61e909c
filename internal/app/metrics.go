package app

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/argo-why/argo-why/internal/schedule"
)

// measure registers whether this replica leads the shard.
func (s *shard) measure() {
	s.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "argo_why_leading", Help: "1 on the replica that posts and does what people ask for, else 0.",
	}, func() float64 {
		if s.leads() {
			return 1
		}
		return 0
	}))
}

// countRuns registers how the runs of scheduled jobs ended, and takes them in.
func (b *bot) countRuns() func(schedule.Result) {
	runs := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "argo_why_job_runs_total", Help: "Runs of scheduled jobs, by job and outcome: ok, failed, or skipped because the one before was still under way.",
	}, []string{"job", "outcome"})
	b.registry.MustRegister(runs)
	return func(r schedule.Result) {
		outcome := "ok"
		switch {
		case errors.Is(r.Err, schedule.ErrSkipped):
			outcome = "skipped"
		case r.Err != nil:
			outcome = "failed"
		}
		runs.WithLabelValues(r.Job, outcome).Inc()
	}
}
