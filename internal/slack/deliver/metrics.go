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
			Name: "argo_why_slack_calls_total", Help: "Calls to Slack's Web API, by method and outcome: ok, ratelimited, refused, broken.",
		}, []string{"method", "outcome"}),
		limited: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "argo_why_slack_ratelimited_seconds_total", Help: "Seconds that Slack asked the bot to wait.",
		}, []string{"method"}),
		permanent: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "argo_why_slack_permanent_errors_total", Help: "Errors that stay until a person fixes something, by Slack's code.",
		}, []string{"code"}),
		plain: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "argo_why_slack_plain_messages_total", Help: "Messages posted as plain text because Slack rejected their blocks: a bug in the bot.",
		}),
		found: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "argo_why_slack_found_messages_total", Help: "Messages that were already in Slack after a crash or a failed call.",
		}),
		waiting: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "argo_why_slack_waiting_calls", Help: "Calls waiting for their turn or for Slack's answer.",
		}),
	}
	if r != nil {
		r.MustRegister(m.calls, m.limited, m.permanent, m.plain, m.found, m.waiting)
	}
	return m
}
