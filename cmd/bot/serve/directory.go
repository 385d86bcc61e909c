package serve

import (
	"sync"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack"
)

// directory is the names of all applications of one Argo CD, with their projects, as the watch tells them. It answers who
// is meant by a name without asking Argo CD, which over gRPC sends 20 KB for each.
type directory struct {
	mu       sync.RWMutex
	projects map[incident.App]string
	// left are the projects of those that are not listed any more: who names the project learns whether they are gone.
	left map[incident.App]string
}

func newDirectory() *directory {
	return &directory{projects: map[incident.App]string{}, left: map[incident.App]string{}}
}

func (d *directory) put(app incident.App, project string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.projects[app] = project
	delete(d.left, app)
}

func (d *directory) remove(app incident.App) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if project, ok := d.projects[app]; ok {
		delete(d.projects, app)
		d.left[app] = project
	}
}

// project is that of an application, the last one if it is not listed any more; "" for one that never was.
func (d *directory) project(app incident.App) (project string, listed bool) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if project, listed = d.projects[app]; listed {
		return project, true
	}
	return d.left[app], false
}

func (d *directory) size() int {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return len(d.projects)
}

// all are the applications with their projects, in any order.
func (d *directory) all() []slack.Known {
	d.mu.RLock()
	defer d.mu.RUnlock()
	out := make([]slack.Known, 0, len(d.projects))
	for app, project := range d.projects {
		out = append(out, slack.Known{App: app, Project: project})
	}
	return out
}
