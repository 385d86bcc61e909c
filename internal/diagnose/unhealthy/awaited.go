package unhealthy

import (
	"slices"
	"strings"
	"unicode"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
)

// awaited is the workload in trouble that the words of a resource speak of where they name no host: "No known Consul servers" of
// consul-server, "waiting for zookeeper" of acme-zookeeper, an init container wait-for-kafka. Nil where there is none.
func (p *Picture) awaited(in *diagnose.In, s *Resource, lines []string) *Need {
	if line, names := message.Telling(s.Log.Text); names { // what it waited for before that is history
		lines = []string{line, s.Symptom.Text}
	}
	if s.Symptom.Init && s.Symptom.Trouble == pods.NotReady {
		lines = append(slices.Clone(lines), s.Symptom.Container)
	}
	left := maxHosts
	for _, line := range slices.Backward(lines) {
		said := message.Awaited(line)
		if said == "" {
			continue
		}
		words := wordsOf(said)
		for _, w := range p.Resources {
			if w.Pod != nil && p.inTrouble(w, s) && speaksOf(words, wordsOf(w.Ref.Name), wordsOf(s.Ref.Name), wordsOf(in.App().Metadata.Name)) {
				return &Need{Behind: w}
			}
		}
		if left--; left == 0 {
			return nil
		}
	}
	return nil
}

// wordsOf are the words of a text or name, in the singular.
func wordsOf(said string) []string {
	words := strings.FieldsFunc(strings.ToLower(said), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, w := range words {
		if len(w) > 3 && !strings.HasSuffix(w, "ss") {
			words[i] = strings.TrimSuffix(w, "s")
		}
	}
	return words
}

// roles are words in the names of workloads that say nothing by themselves.
var roles = []string{
	"server", "service", "client", "agent", "node", "worker", "master", "leader", "primary", "replica", "main", "api", "app", "web", "data", "cache", "controller", "manager",
	"operator", "job", "pod", "cluster", "proxy", "webhook", "host", "peer", "member", "backend", "frontend", "instance", "broker", "coordinator", "headless", "standalone", "replicaset", "statefulset", "ha", "default", "prod",
}

// speaksOf reports whether words are about a workload rather than about the one that says them, or the whole application: they have the last
// word of its name that is no role; and that belongs to it alone, or they have its whole name, or another word that its speaker's name lacks.
func speaksOf(said, name, speaker, app []string) bool {
	var named []string
	other, last := false, ""
	for _, part := range name {
		if !slices.Contains(roles, part) {
			last = part
		}
		if slices.Contains(said, part) {
			named = append(named, part)
			other = other || !slices.Contains(speaker, part)
		}
	}
	if last == "" || !slices.Contains(named, last) {
		return false
	}
	return !slices.Contains(speaker, last) && !slices.Contains(app, last) || len(named) == len(name) || other && len(named) > 1
}
