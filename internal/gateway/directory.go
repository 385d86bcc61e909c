package gateway

import (
	"maps"
	"sync"

	"github.com/argo-why/argo-why/internal/diagnose"
)

// Directory is the names of all applications of one Argo CD, with their projects, as the watch tells them. It answers which
// application is meant by a name without asking Argo CD, which over gRPC sends 20 KB for each. It is safe for parallel use.
type Directory struct {
	mu       sync.RWMutex
	projects map[diagnose.AppName]string
	// left are the projects of those that are no longer listed: whoever names the project learns whether they are gone.
	left map[diagnose.AppName]string
}

func newDirectory() *Directory {
	return &Directory{projects: map[diagnose.AppName]string{}, left: map[diagnose.AppName]string{}}
}

func (d *Directory) put(app diagnose.AppName, project string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.projects[app] = project
	delete(d.left, app)
}

func (d *Directory) remove(app diagnose.AppName) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if project, ok := d.projects[app]; ok {
		delete(d.projects, app)
		d.left[app] = project
	}
}

// Project is that of an application, the last one if it is no longer listed; "" for one that never was.
func (d *Directory) Project(app diagnose.AppName) (project string, listed bool) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if project, listed = d.projects[app]; listed {
		return project, true
	}
	return d.left[app], false
}

// Len is how many applications are listed.
func (d *Directory) Len() int {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return len(d.projects)
}

// All are the applications that are listed, with their projects.
func (d *Directory) All() map[diagnose.AppName]string {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return maps.Clone(d.projects)
}
