package gateway

import (
	"maps"
	"slices"
	"sync"

	"github.com/argo-why/argo-why/internal/diagnose"
)

// Directory is all applications of one Argo CD with what they can be found by, as the watch tells it. It answers which
// application is meant by a name without asking Argo CD. It is safe for parallel use.
type Directory struct {
	mu     sync.RWMutex
	listed map[diagnose.AppName]Entry
	// left are those that are no longer listed: whoever names the project learns whether they are gone.
	left map[diagnose.AppName]Entry
	// named are all that ever were listed, by name.
	named map[string][]diagnose.AppName
	// projects are those of all that ever were listed.
	projects map[string]bool
}

// Entry is what an application can be found by.
type Entry struct {
	Project string
	// Cluster is the name of what it is deployed to, or else the address. Labels are "app=web,team=shop".
	Cluster, Labels string
	// Repositories are those that it is made of: see [argo.AppState].
	Repositories string
	// Well and Looks are those of the [Change] that was reported last.
	Well  bool
	Looks string
	// Wanted is that of the state which was reported last: see [argo.AppState].
	Wanted uint64
}

func newDirectory() *Directory {
	return &Directory{listed: map[diagnose.AppName]Entry{}, left: map[diagnose.AppName]Entry{}, named: map[string][]diagnose.AppName{}, projects: map[string]bool{}}
}

func (d *Directory) put(app diagnose.AppName, e Entry) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.listed[app] = e
	d.projects[e.Project] = true
	delete(d.left, app)
	if !slices.Contains(d.named[app.Name], app) {
		d.named[app.Name] = append(d.named[app.Name], app)
	}
}

// Named are the applications of that name that are listed, or were.
func (d *Directory) Named(name string) []diagnose.AppName {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return slices.Clone(d.named[name])
}

// HasProject reports whether an application is in a project of that name, or was.
func (d *Directory) HasProject(name string) bool {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.projects[name]
}

// renew is put for an application that is listed, and nothing for any other. It leaves Well and Looks as they are.
func (d *Directory) renew(app diagnose.AppName, e Entry) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if old, listed := d.listed[app]; listed {
		e.Well, e.Looks, e.Wanted = old.Well, old.Looks, old.Wanted // a list does not show everything
		d.listed[app] = e
		d.projects[e.Project] = true
	}
}

func (d *Directory) remove(app diagnose.AppName) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if e, ok := d.listed[app]; ok {
		delete(d.listed, app)
		d.left[app] = e
	}
}

// Entry is that of an application, the last one if it is no longer listed; empty for one that never was.
func (d *Directory) Entry(app diagnose.AppName) (e Entry, listed bool) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if e, listed = d.listed[app]; listed {
		return e, true
	}
	return d.left[app], false
}

// Unwell are the applications that are listed and not well, with how they look.
func (d *Directory) Unwell() map[diagnose.AppName]string {
	d.mu.RLock()
	defer d.mu.RUnlock()
	apps := map[diagnose.AppName]string{}
	for app, e := range d.listed {
		if !e.Well {
			apps[app] = e.Looks
		}
	}
	return apps
}

// Len is how many applications are listed.
func (d *Directory) Len() int {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return len(d.listed)
}

// All are the applications that are listed.
func (d *Directory) All() map[diagnose.AppName]Entry {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return maps.Clone(d.listed)
}
