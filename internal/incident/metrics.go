package incident

import "github.com/prometheus/client_golang/prometheus"

// Metrics count what becomes of incidents. The zero value counts nothing.
type Metrics struct {
	decisions *prometheus.CounterVec
	reads     *prometheus.HistogramVec
	saves     *prometheus.CounterVec
	tells     *prometheus.CounterVec
	forgets   *prometheus.CounterVec
	digests   *prometheus.CounterVec
	tooLarge  *prometheus.CounterVec
}

// NewMetrics registers them, with gauges of the incidents in the Store by phase.
func NewMetrics(r prometheus.Registerer, store *Store) Metrics {
	m := Metrics{
		decisions: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "argo_why_decisions_total", Help: "Decisions about applications, by reason."}, []string{"reason"}),
		reads: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "argo_why_diagnosis_seconds", Help: "Time to read and diagnose an application, by instance and outcome.",
			Buckets: []float64{.05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60}}, []string{"instance", "outcome"}),
		saves:   prometheus.NewCounterVec(prometheus.CounterOpts{Name: "argo_why_journal_writes_total", Help: "Writes to the journal, by outcome."}, []string{"outcome"}),
		tells:   prometheus.NewCounterVec(prometheus.CounterOpts{Name: "argo_why_tells_total", Help: "Attempts to update a thread, by outcome."}, []string{"outcome"}),
		forgets: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "argo_why_journal_forgotten_total", Help: "Closed incidents that were deleted from the journal, by reason."}, []string{"reason"}),
	}
	m.tooLarge = prometheus.NewCounterVec(prometheus.CounterOpts{Name: "argo_why_undiagnosed_total", Help: "Diagnoses that were given up because the application is too large, by instance."}, []string{"instance"})
	m.digests = prometheus.NewCounterVec(prometheus.CounterOpts{Name: "argo_why_digests_total", Help: "Digests, by outcome: posted, or skipped because they were late."}, []string{"outcome"})
	r.MustRegister(m.decisions, m.reads, m.saves, m.tells, m.forgets, m.digests, m.tooLarge)
	kept := prometheus.Labels{"kind": "incident"}
	r.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "argo_why_journal_entries", Help: "Entries of the journal, by kind.", ConstLabels: kept,
	}, func() float64 { return float64(store.count(func(e *entry) bool { return e.onRecord != nil })) }))
	r.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "argo_why_journal_bytes", Help: "Size of the entries of the journal, by kind.", ConstLabels: kept,
	}, func() float64 { return float64(store.size()) }))
	for _, p := range []Phase{Open, Recovered, Joined} {
		r.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "argo_why_incidents", Help: "Incidents that were posted, by phase.", ConstLabels: prometheus.Labels{"phase": string(p)},
		}, func() float64 {
			return float64(store.count(func(e *entry) bool { return e.Phase == p && e.Failure() }))
		}))
	}
	r.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "argo_why_journal_damaged", Help: "Journal entries that could not be read, by kind.", ConstLabels: prometheus.Labels{"kind": "incident"},
	}, func() float64 { return float64(store.damaged()) }))
	r.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "argo_why_incidents_muted", Help: "Open incidents that are muted.",
	}, func() float64 {
		return float64(store.count(func(e *entry) bool { return e.Phase == Open && e.Silenced() != nil }))
	}))
	r.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "argo_why_incidents_untold", Help: "Incidents whose thread is not up to date yet.",
	}, func() float64 { return float64(store.count((*entry).untold)) }))
	return m
}

func (s *Store) count(these func(*entry) bool) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, e := range s.entries {
		if these(e) && !e.dropped {
			n++
		}
	}
	return n
}

// damaged is how many entries could not be read.
func (s *Store) damaged() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.taken)
}

// size is that of all entries of the journal.
func (s *Store) size() (bytes int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.entries {
		bytes += e.Size
	}
	return bytes
}

func (m Metrics) forgot(why map[Forgotten]int) {
	if m.forgets == nil {
		return
	}
	for _, reason := range []Forgotten{Expired, TooMany} {
		m.forgets.WithLabelValues(string(reason)).Add(float64(why[reason]))
	}
}

func (m Metrics) digest(outcome string) {
	if m.digests != nil {
		m.digests.WithLabelValues(outcome).Inc()
	}
}

func (m Metrics) decided(r Reason) {
	if m.decisions != nil {
		m.decisions.WithLabelValues(string(r)).Inc()
	}
}

func (m Metrics) undiagnosed(instance string) {
	if m.tooLarge != nil {
		m.tooLarge.WithLabelValues(instance).Inc()
	}
}

func (m Metrics) read(instance string, seconds float64, err error) {
	if m.reads != nil {
		m.reads.WithLabelValues(instance, outcome(err)).Observe(seconds)
	}
}

func (m Metrics) saved(err error) {
	if m.saves != nil {
		m.saves.WithLabelValues(outcome(err)).Inc()
	}
}

func (m Metrics) told(err error) {
	if m.tells != nil {
		m.tells.WithLabelValues(outcome(err)).Inc()
	}
}

func outcome(err error) string {
	if err != nil {
		return "failed"
	}
	return "ok"
}
