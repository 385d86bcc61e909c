package gateway

import (
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// silentAfter is how long the state of a cluster may stand still: the application controller renews it every 20 seconds, and every two minutes with
// the longest ARGO_CD_UPDATE_CLUSTER_INFO_TIMEOUT (controller/clusterinfoupdater.go).
const silentAfter = 4 * time.Minute

// heard is the state of a cluster, by when Argo CD found it out, and since when it has been the latest one, on the clock of this process. renewed: it
// was not the first one that this process saw.
type heard struct {
	tested, since time.Time
	renewed       bool
}

// ForgetReports forgets what the application controller reported: another process has watched since.
func (in *Instance) ForgetReports() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.heard = nil
}

// controllerReports says of each cluster whether the application controller still reports on it: the time of its state advances. Ten minutes after the
// last one Argo CD has no state of a cluster at all. What is known of a cluster that is not reported on is set to unknown. Until a state is renewed, or
// has stood still for long enough, nobody knows: after a restart of this process nothing turns green for want of evidence. One clock is compared with itself
// only: those of Argo CD and of this process may differ. Clusters that the controller is told to skip are left out.
func (in *Instance) controllerReports(clusters []evidence.Connection, now time.Time) (all []evidence.Connection) {
	in.mu.Lock()
	defer in.mu.Unlock()
	last := map[string]heard{}
	for n := range clusters {
		c := &clusters[n]
		if c.Skipped {
			continue
		}
		key := c.Project + "\n" + c.Address
		h, known := in.heard[key]
		switch {
		case !known:
			h = heard{tested: c.Tested.Time, since: now}
		case !c.Tested.IsZero() && !h.tested.Equal(c.Tested.Time):
			h = heard{tested: c.Tested.Time, since: now, renewed: true}
		}
		last[key] = h
		report := evidence.Connection{
			Kind: evidence.ConnectionOfController, Address: c.Address, Name: c.Name, Project: c.Project, Tested: c.Tested,
			Version: c.Version, Resources: c.Resources,
		}
		switch {
		case now.Sub(h.since) < silentAfter && h.renewed:
			report.Status = evidence.ConnectionSuccessful
		case now.Sub(h.since) >= silentAfter:
			at := h.tested
			if at.IsZero() {
				at = h.since
			}
			report.Status, report.Tested = evidence.ConnectionFailed, evidence.Time{Time: at}
			report.Message = evidence.ControllerSilent + " cluster " + c.Address + " since " + text.Timestamp(at)
			c.Status, c.Message = "", ""
		}
		all = append(all, report)
	}
	in.heard = last
	return all
}
