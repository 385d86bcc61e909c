package posted

import (
	"slices"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/incident"
)

// About are the applications that a thread is about, for an audience: those that it may hear of, and how many others there are.
type About struct {
	Apps   []incident.App
	Others int

	all []incident.App
}

// AboutIncident are those of an incident. The one of its own thread is no secret there.
func AboutIncident(who audience.Audience, i *incident.Incident) About {
	a := About{all: i.Affected()}
	if len(i.Members) == 1 && !i.Outage() && !i.Backlog() {
		a.Apps = a.all
		return a
	}
	a.Apps, a.Others = who.Show(a.all)
	return a
}

// AboutAnswer are those of an answer that was given in the thread.
func AboutAnswer(apps []incident.App) About { return About{Apps: apps, all: apps} }

// None reports whether it is about no application.
func (a About) None() bool { return len(a.all) == 0 }

// Has reports whether it is about an application, which is asked by who knows it already.
func (a About) Has(app incident.App) bool { return slices.Contains(a.all, app) }

// Label names the application if it is the only one.
func (a About) Label() string {
	switch {
	case len(a.all) > 1:
		return "the applications in this thread"
	case len(a.Apps) == 1:
		return a.Apps[0].Full()
	}
	return "the application in this thread"
}
