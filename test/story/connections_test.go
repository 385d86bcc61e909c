package story_test

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/simulator"
	"github.com/argo-why/argo-why/internal/story"
	"github.com/argo-why/argo-why/internal/text"
)

// connectionsEvery is how often the bot asks Argo CD for its connections.
const connectionsEvery = time.Minute

// connect changes what Argo CD says of a connection.
func (l *lab) connect(step story.Step) {
	l.mu.Lock()
	defer l.mu.Unlock()
	of := step.Connection()
	switch {
	case of.Removed:
		delete(l.connections, of.Address)
		return
	case len(of.Dependents) > 0:
		for _, app := range of.Dependents {
			l.dependents[of.Address] = append(l.dependents[of.Address], named(app))
		}
		return
	}
	l.connections[of.Address] = simulator.Tested(of.Cluster, of.Address, of.Error)
}

// watchConnections does what the scheduled job does.
func (b *bot) watchConnections() {
	if seen, ok := b.lab.seenConnections(); ok {
		who := b.places.InChannel(b.alive, "alerts")
		for n := range seen {
			seen[n] = posted.Connection(who, seen[n])
		}
		b.syncer.ObserveConnections("prod", []string{"repository", "cluster", "controller"}, seen)
	}
}

// seenConnections is what Argo CD and the diagnosis give.
func (l *lab) seenConnections() (all []incident.SeenConnection, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.argoDown || l.removed {
		return nil, false
	}
	apps := slices.SortedFunc(maps.Keys(l.reports), incident.Compare)
	apps = slices.DeleteFunc(apps, func(app incident.App) bool { return l.reports[app] == nil }) // which are gone
	var shown []evidence.Connection
	for _, address := range slices.Sorted(maps.Keys(l.connections)) {
		shown = append(shown, l.withReport(l.connections[address])...)
	}
	for _, c := range shown {
		seen := incident.SeenConnection{
			Connection: incident.Connection{Instance: "prod", Kind: string(c.Kind), Address: c.Address, Name: c.Name, Tested: c.Tested.Time},
			Works:      c.Status == evidence.ConnectionSuccessful,
		}
		seen.Dependents = apps
		if of := l.dependents[c.Address]; of != nil {
			seen.Dependents = of
		}
		if c.Fails() {
			spec := evidence.ApplicationSpec{Source: &evidence.ApplicationSource{RepoURL: c.Address, Path: "web"}}
			if c.Kind != evidence.ConnectionToRepository {
				spec.Destination = evidence.Destination{Server: c.Address, Name: c.Name}
			}
			r, err := diagnosed(c.Case(evidence.Metadata{Name: "example", Namespace: "argocd"}, spec, nil), incident.App{Instance: "prod"})
			if err != nil {
				l.t.Error(err)
				return nil, false
			}
			r.OfConnection("prod", &c)
			seen.Report = r
		}
		all = append(all, seen)
	}
	return all, true
}

// controller has the application controller stop reporting, or report again.
func (l *lab) controller(stops bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.silent = time.Time{}
	if stops {
		l.silent = time.Now()
	}
}

// silentAfter is how long the bot waits before it says that the controller has stopped reporting.
const silentAfter = 4 * time.Minute

// withReport is a connection, and of a cluster what internal/gateway adds: whether the application controller reports on it.
func (l *lab) withReport(c evidence.Connection) []evidence.Connection {
	if c.Kind != evidence.ConnectionToCluster {
		return []evidence.Connection{c}
	}
	report := c
	report.Kind, report.Status, report.Message, report.Tested = evidence.ConnectionOfController, evidence.ConnectionSuccessful, "", evidence.Time{Time: time.Now()}
	if !l.silent.IsZero() && time.Since(l.silent) >= silentAfter {
		report.Status, report.Tested = evidence.ConnectionFailed, evidence.Time{Time: l.silent}
		report.Message = fmt.Sprintf("%s cluster %s since %s", evidence.ControllerSilent, c.Address, text.Timestamp(l.silent))
		c.Status, c.Message = "", ""
	}
	return []evidence.Connection{c, report}
}
