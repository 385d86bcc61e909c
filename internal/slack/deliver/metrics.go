package deliver

import "github.com/prometheus/client_golang/prometheus"

type metrics struct {
	calls     *prometheus.CounterVec
	limited   *prometheus.CounterVec
	permanent *prometheus.CounterVec
	plain     prometheus.Counter
	found     prometheus.Counter
	waiting   prometheus.Gauge
}

func newMetrics(r prometheus.Registerer) *metrics {
	m := &metrics{
		calls: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "argo_why_slack_calls_total", Help: "Calls of Slack's Web API by method and outcome: ok, ratelimited, refused, broken.",
		}, []string{"method", "outcome"}),
		limited: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "argo_why_slack_ratelimited_seconds_total", Help: "How long Slack asked to wait.",
		}, []string{"method"}),
		permanent: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "argo_why_slack_permanent_errors_total", Help: "Refusals that stay until a person repairs something, by Slack's code.",
		}, []string{"code"}),
		plain: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "argo_why_slack_plain_messages_total", Help: "Messages told as plain text because Slack refused their blocks: a bug of ours.",
		}),
		found: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "argo_why_slack_found_messages_total", Help: "Messages found in Slack when looking for them after a crash or a broken call.",
		}),
		waiting: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "argo_why_slack_waiting_calls", Help: "Calls that wait for their turn or for Slack's answer.",
		}),
	}
	if r != nil {
		r.MustRegister(m.calls, m.limited, m.permanent, m.plain, m.found, m.waiting)
	}
	return m
}
