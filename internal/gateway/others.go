package gateway

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
)

// others are the other applications that the evidence about one names, as its reader sees them: it implements conceal.Applications.
type others struct {
	in  *Instance
	who audience.Audience

	mu sync.Mutex
	// seen are those that were met and may be named.
	seen map[diagnose.AppName]bool
}

func (in *Instance) others(who audience.Audience) *others {
	return &others{in: in, who: who, seen: map[diagnose.AppName]bool{}}
}

// Hidden implements conceal.Applications. A name without its namespace is hidden if any application of that name is.
func (o *others) Hidden(namespace, name string) (hidden, listed bool) {
	if namespace != "" {
		app := diagnose.AppName{Instance: o.in.Name, Namespace: namespace, Name: name}
		project, _ := o.in.projectOf(app)
		return !o.sees(app, project), project != ""
	}
	for _, app := range o.in.Directory.Named(name) {
		project, _ := o.in.projectOf(app)
		hidden, listed = hidden || !o.sees(app, project), true
	}
	return hidden, listed
}

func (o *others) sees(app diagnose.AppName, project string) bool {
	if !o.who.Sees(app, project) {
		return false
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.seen[app] = true
	return true
}

// mentioned are those that a report has the name of, sorted: whoever reads it elsewhere has to see them, too.
func (o *others) mentioned(r *diagnose.Report) (apps []diagnose.AppName) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.seen, r.App)
	if len(o.seen) == 0 {
		return nil
	}
	all, err := json.Marshal(r)
	for app := range o.seen {
		if err != nil || strings.Contains(string(all), app.Name) {
			apps = append(apps, app)
		}
	}
	slices.SortFunc(apps, byName)
	return apps
}
