package app

import "github.com/prometheus/client_golang/prometheus"

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
