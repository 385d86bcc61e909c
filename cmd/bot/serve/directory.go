package serve

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/agext/levenshtein"

	"github.com/argo-why/argo-why/internal/incident"
)

// directory is the names of all applications of one Argo CD, with their projects, as the watch tells them. It answers who
// is meant by a name without asking Argo CD, which over gRPC sends 20 KB for each.
type directory struct {
	mu       sync.RWMutex
	projects map[incident.App]string
}

func newDirectory() *directory { return &directory{projects: map[incident.App]string{}} }

func (d *directory) put(app incident.App, project string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.projects[app] = project
}

func (d *directory) remove(app incident.App) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.projects, app)
}

func (d *directory) project(app incident.App) (project string, ok bool) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	project, ok = d.projects[app]
	return project, ok
}

func (d *directory) size() int {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return len(d.projects)
}

// called are the applications of that name, in that namespace unless it is empty.
func (d *directory) called(name, namespace string) []incident.App {
	d.mu.RLock()
	defer d.mu.RUnlock()
	var out []incident.App
	for app := range d.projects {
		if app.Name == name && (namespace == "" || app.Namespace == namespace) {
			out = append(out, app)
		}
	}
	return out
}

// candidate is an application that may have been meant.
type candidate struct {
	app   incident.App
	score float64
}

// nearEnough is the least likeness of a name that may have been meant: one slip in four letters.
const nearEnough = 0.7

// near are the applications whose name contains the given one, is contained in it, or is a slip away.
func (d *directory) near(name string) []candidate {
	d.mu.RLock()
	defer d.mu.RUnlock()
	var out []candidate
	for app := range d.projects {
		score := levenshtein.Match(name, app.Name, nil)
		if len(name) > 2 && strings.Contains(app.Name, name) || len(app.Name) > 2 && strings.Contains(name, app.Name) {
			score = max(score, nearEnough)
		}
		if score >= nearEnough {
			out = append(out, candidate{app, score})
		}
	}
	return out
}

// nearest puts candidates in order, the likeliest first, and leaves the first few.
func nearest(all []candidate) []incident.App {
	const most = 5
	slices.SortFunc(all, func(a, b candidate) int { return cmp.Or(cmp.Compare(b.score, a.score), incident.Compare(a.app, b.app)) })
	var out []incident.App
	for _, c := range all[:min(len(all), most)] {
		out = append(out, c.app)
	}
	return out
}
