package unhealthy

import (
	"cmp"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/evidence"
)

// Need is a part of the application that a resource cannot reach, by the words of its log or probe.
type Need struct {
	// Host is what it asks for: a Service, or a workload whose name it uses; nil where its words name no host. Missing: it does not exist.
	Host    *evidence.ResourceStatus
	Missing bool
	// Behind is the workload behind it where that is not healthy itself, nil otherwise.
	Behind *Resource
}

// maxHint is how much of a log is searched for a host, from its end, in lines; maxHosts how many lines about hosts are looked up.
const (
	maxHint  = 30
	maxHosts = 3
)

// link finds what the examined resources cannot reach, and puts a resource that waits for another one behind it.
func (p *Picture) link(in *diagnose.In) {
	for _, s := range p.Resources {
		if need := p.needOf(in, s); need != nil && (need.Behind == nil || need.Behind.Need == nil || need.Behind.Need.Behind != s) {
			s.Need = need
		}
	}
	slices.SortStableFunc(p.Resources, func(a, b *Resource) int { return cmp.Compare(a.waits(), b.waits()) })
}

// waits is 1 for a resource that is not healthy because another one is not.
func (s *Resource) waits() int {
	if s.Need != nil && s.Need.Behind != nil {
		return 1
	}
	return 0
}

// needOf is what the log of a resource says that it cannot reach, if that is a part of the application which is missing or not healthy.
func (p *Picture) needOf(in *diagnose.In, s *Resource) *Need {
	if !s.Examined || s.Pod == nil {
		return nil
	}
	lines := strings.Split(s.Log.Text, "\n")
	lines = append(lines[max(0, len(lines)-maxHint):], s.Symptom.Text)
	if s.Symptom.Init && s.Symptom.Trouble == pods.NotReady { // a loop that waits for a host says little more than "waiting"
		if host := peerOf(in, s, commandOf(s.ContainerSpec())); host != nil {
			if need := (&Need{Host: host, Missing: p.isMissing(host), Behind: p.behind(host, s)}); need.Missing || need.Behind != nil {
				return need
			}
		}
	}
	left := maxHosts
	for _, line := range slices.Backward(lines) {
		if left == 0 || !message.CannotReach(line) {
			continue
		}
		left--
		if host := peerOf(in, s, line); host != nil {
			need := &Need{Host: host, Missing: p.isMissing(host), Behind: p.behind(host, s)}
			if need.Missing || need.Behind != nil {
				return need
			}
			return nil
		}
	}
	return p.awaited(in, s, lines)
}

// commandOf is what a container runs, as one text.
func commandOf(container evidence.Object) string {
	var out []string
	for _, field := range []string{"command", "args"} {
		list, _ := container.At(field).([]any)
		for _, v := range list {
			if word, ok := v.(string); ok {
				out = append(out, word)
			}
		}
	}
	return strings.Join(out, " ")
}

// peerOf is the resource of the application, other than its own, whose name a line uses as a host; nil where there is none. A Service
// comes before the workload behind it.
func peerOf(in *diagnose.In, s *Resource, line string) *evidence.ResourceStatus {
	for _, kind := range []string{"Service", "StatefulSet", "Deployment"} {
		for i := range in.App().Status.Resources {
			r := &in.App().Status.Resources[i]
			if r.Kind == kind && !r.Hook && r.Name != s.Ref.Name && message.NamesHost(line, r.Name) {
				return r
			}
		}
	}
	return nil
}

// isMissing reports whether a resource is known not to be in the cluster.
func (p *Picture) isMissing(r *evidence.ResourceStatus) bool {
	if r.Health != nil && r.Health.Status == "Missing" {
		return true
	}
	return r.Status == "OutOfSync" && p.Tree != nil && p.Tree.Find(r.Ref()) == nil
}

// behind is the workload behind a host that is in trouble of its own: one of its name, or whose name continues it or is continued by it.
func (p *Picture) behind(host *evidence.ResourceStatus, s *Resource) *Resource {
	for _, w := range p.Resources {
		named := strings.HasPrefix(w.Ref.Name, host.Name) || strings.HasPrefix(host.Name, w.Ref.Name+"-")
		if named && p.inTrouble(w, s) {
			return w
		}
	}
	return nil
}

// inTrouble reports whether a workload has a trouble of its own that can keep another one of its namespace waiting.
func (p *Picture) inTrouble(w, waiting *Resource) bool {
	if w == waiting || w.Ref.Namespace != waiting.Ref.Namespace {
		return false
	}
	return w.Status == "Degraded" || w.PodCounts() && w.Symptom.Trouble != pods.NoTrouble && w.Symptom.Trouble != pods.NotReady
}
