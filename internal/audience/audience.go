package audience

import (
	"sync"

	"github.com/argo-why/argo-why/internal/diagnose"
)

// App identifies an application.
type App = diagnose.AppName

// Audience is who reads a text. The zero value sees nothing. It is safe for parallel use.
type Audience struct {
	sees    func(app App, project string) bool
	project func(App) string
}

// All is somebody who sees everything: who runs the command with an account of their own sees what that account does.
func All() Audience {
	return Audience{sees: func(App, string) bool { return true }, project: func(App) string { return "" }}
}

// New is an audience that sees applications by their instance and project alone, as project says which that is.
func New(sees func(app App, project string) bool, project func(App) string) Audience {
	return Audience{sees: sees, project: project}
}

// Sees reports whether an application may be named. project is the one that it is in, "" where that is not known.
func (a Audience) Sees(app App, project string) bool { return a.sees != nil && a.sees(app, project) }

// SeesApp is Sees for one whose project is to be looked up.
func (a Audience) SeesApp(app App) bool { return a.sees != nil && a.sees(app, a.project(app)) }

// SeesAll reports whether all of them may be named.
func (a Audience) SeesAll(apps []App) bool {
	_, hidden := a.Show(apps)
	return hidden == 0
}

// Show are those of the applications that may be named, in their order, and how many others there are.
func (a Audience) Show(apps []App) (shown []Named, hidden int) {
	for _, app := range apps {
		if n, ok := a.Name(app); ok {
			shown = append(shown, n)
		} else {
			hidden++
		}
	}
	return shown, hidden
}

// Name is an application that may be named; false for one that may not.
func (a Audience) Name(app App) (Named, bool) {
	if !a.SeesApp(app) {
		return Named{}, false
	}
	return Named{app}, true
}

// Named is an application that the audience of a text may see. Only an [Audience] makes one: what has it to write is no leak.
type Named struct{ app App }

// Subject is the application that a text is about. Whoever may read the text at all was checked before: its incident is reported in the
// channel, or the person may look at it.
func Subject(app App) Named { return Named{app} }

// Name is its name.
func (n Named) Name() string { return n.app.Name }

// Instance is the Argo CD that it is in; "" for the only one.
func (n Named) Instance() string { return n.app.Instance }

// App is what it is, for a link to it.
func (n Named) App() App { return n.app }

// remembered asks once about each instance and project.
func remembered(sees func(instance, project string) bool) func(instance, project string) bool {
	type where struct{ instance, project string }
	var known sync.Map
	return func(instance, project string) bool {
		at := where{instance, project}
		if ok, asked := known.Load(at); asked {
			return ok == true
		}
		ok := sees(instance, project)
		known.Store(at, ok)
		return ok
	}
}
