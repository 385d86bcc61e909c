package gateway

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/evidence/conceal"
	"github.com/argo-why/argo-why/internal/sanitize"
)

// Listing is what an Argo CD lists of its applications.
type Listing interface {
	// Named are those of a name, in any namespace.
	Named(name string) []diagnose.AppName
	// ProjectOf is the project of one, "" where it is not known, and whether there is one by that name.
	ProjectOf(app diagnose.AppName) (project string, listed bool)
	// HasProject reports whether an application is in a project of that name, or was.
	HasProject(name string) bool
}

// Others are the other applications that the evidence about one names, as its reader sees them: it implements conceal.Applications. They are
// for one diagnosis.
type Others struct {
	instance string
	all      Listing
	who      audience.Audience

	mu sync.Mutex
	// seen are those that were met and may be named.
	seen map[diagnose.AppName]bool
}

// NewOthers are those that an Argo CD of that name lists.
func NewOthers(instance string, all Listing, who audience.Audience) *Others {
	return &Others{instance: instance, all: all, who: who, seen: map[diagnose.AppName]bool{}}
}

// Others are the other applications of this Argo CD, as an audience sees them.
func (in *Instance) Others(who audience.Audience) *Others {
	return NewOthers(in.Name, listing{in}, who)
}

// listing implements Listing.
type listing struct{ in *Instance }

func (l listing) Named(name string) []diagnose.AppName { return l.in.Directory.Named(name) }

func (l listing) ProjectOf(app diagnose.AppName) (string, bool) { return l.in.projectOf(app) }

// HasProject implements Listing.
func (l listing) HasProject(name string) bool { return l.in.Directory.HasProject(name) }

// Conceal is the evidence about an application as the reader may see it.
func (o *Others) Conceal(s evidence.Source, app diagnose.AppName) evidence.Source {
	return conceal.New(s, app.Namespace, app.Name, o)
}

// Application is an application that was read alone, as the reader may see it.
func (o *Others) Application(ctx context.Context, app *evidence.Application) *evidence.Application {
	return conceal.Application(ctx, "", app, o)
}

// Text is a text about an application as the reader may see it.
func (o *Others) Text(ctx context.Context, app diagnose.AppName, t string) string {
	return conceal.Text(ctx, app.Namespace, app.Name, t, o)
}

// Report is a report of concealed evidence as the reader gets it.
func (o *Others) Report(r *diagnose.Report) *diagnose.Report {
	r.SetInstance(o.instance)
	r.DropPrivate()
	r.Mentions = o.mentioned(r)
	return sanitize.Report(r)
}

// Hidden implements conceal.Applications. A name without its namespace is hidden if any application of that name is.
func (o *Others) Hidden(namespace, name string) (hidden, listed bool) {
	if namespace != "" {
		app := diagnose.AppName{Instance: o.instance, Namespace: namespace, Name: name}
		project, _ := o.all.ProjectOf(app)
		return !o.sees(app, project), project != ""
	}
	for _, app := range o.all.Named(name) {
		project, _ := o.all.ProjectOf(app)
		hidden, listed = hidden || !o.sees(app, project), true
	}
	return hidden, listed
}

// HiddenProject implements conceal.Applications.
func (o *Others) HiddenProject(name string) (hidden, listed bool) {
	return !o.who.Sees(diagnose.AppName{Instance: o.instance}, name), o.all.HasProject(name)
}

func (o *Others) sees(app diagnose.AppName, project string) bool {
	if !o.who.Sees(app, project) {
		return false
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.seen[app] = true
	return true
}

// mentioned are those that a report has the name of, sorted: whoever reads it elsewhere has to see them, too.
func (o *Others) mentioned(r *diagnose.Report) (apps []diagnose.AppName) {
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
