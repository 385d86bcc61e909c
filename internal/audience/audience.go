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
	text    func(app App, text string) string
}

// All is somebody who sees everything: who runs the command with an account of their own sees what that account does.
func All() Audience {
	return Audience{
		sees: func(App, string) bool { return true }, project: func(App) string { return "" }, text: func(_ App, text string) string { return text },
	}
}

// New is an audience that sees applications by their instance and project alone, as project says which that is. It is shown no text: nobody
// says which applications one names.
func New(sees func(app App, project string) bool, project func(App) string) Audience {
	return Audience{sees: sees, project: project}
}

// Sees reports whether an application may be named. project is the one that it is in, "" where that is not known.
func (a Audience) Sees(app App, project string) bool { return a.sees != nil && a.sees(app, project) }

// SeesApp is Sees for one whose project is to be looked up.
func (a Audience) SeesApp(app App) bool { return a.sees != nil && a.sees(app, a.project(app)) }

// Text is a text about an application without the others that may not be named; "" where nobody says which those are.
func (a Audience) Text(about App, text string) string {
	if a.text == nil || text == "" {
		return ""
	}
	return a.text(about, text)
}

// SeesAll reports whether all of them may be named.
func (a Audience) SeesAll(apps []App) bool {
	_, hidden := a.Show(apps)
	return hidden == 0
}

// Show are those of the applications that may be named, in their order, and how many others there are.
func (a Audience) Show(apps []App) (shown []App, hidden int) {
	for _, app := range apps {
		if a.SeesApp(app) {
			shown = append(shown, app)
		} else {
			hidden++
		}
	}
	return shown, hidden
}

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
