package workspace

import (
	"slices"
)

// Attempt is something a person did with an app that is under way or has failed: Slack shows a button as busy, and beside
// it what went wrong, until it is pressed again.
type Attempt struct {
	Failure // its Reason is empty while the app has not answered
	Place
	At string // when, as a ts
}

// Place is where a person did something.
type Place struct {
	Channel, TS, Block string // of a click; a command has the channel only
	View               string // ID, of a submission or a click in a modal
}

// Attempts are those of somebody, oldest first.
func (w *Workspace) Attempts(who string) []Attempt {
	w.mu.Lock()
	defer w.mu.Unlock()
	u := w.mustUser(who)
	var found []Attempt
	for _, a := range w.attempts {
		if a.User == u.ID {
			found = append(found, a)
		}
	}
	return found
}

// attempt notes what a person does. A second press of a button takes the place of the first; commands stand side by side.
func (w *Workspace) attempt(f Failure, at Place) {
	if f.User == "" {
		return
	}
	if f.Kind != slashCommands {
		w.forget(f, at)
	}
	w.attempts = append(w.attempts, Attempt{Failure: f, Place: at, At: w.now()})
}

// forget ends an attempt that went well.
func (w *Workspace) forget(f Failure, at Place) {
	if i := w.attempted(f, at); i >= 0 {
		w.attempts = slices.Delete(w.attempts, i, i+1)
	}
}

// fail notes why the app did not take something.
func (w *Workspace) fail(f Failure, at Place, reason string) {
	f.Reason = ""
	i := w.attempted(f, at)
	f.Reason = reason
	w.failures = append(w.failures, f)
	switch {
	case f.User == "":
	case i >= 0:
		w.attempts[i].Reason = reason
	default: // it was acknowledged, with an answer that makes no sense
		w.attempt(f, at)
	}
}

// attempted finds an attempt: of commands one that is under way, of clicks the one of this element.
func (w *Workspace) attempted(f Failure, at Place) int {
	return slices.IndexFunc(w.attempts, func(a Attempt) bool {
		same := a.Kind == f.Kind && a.Name == f.Name && a.User == f.User && a.Place == at
		return same && (f.Kind != slashCommands || a.Reason == "")
	})
}

// Changed is closed at the next change of the workspace.
func (w *Workspace) Changed() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.changed
}

// Apps are all that are installed, by ID.
func (w *Workspace) Apps() []App {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []App
	for _, a := range sorted(w.apps) {
		all = append(all, a.App)
	}
	return all
}

// Team is the name of the workspace.
func (w *Workspace) Team() string { return w.opt.Team }

// Now is the moment as a ts that stands after all messages so far.
func (w *Workspace) Now() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now()
}

func (w *Workspace) now() string { return formatTS(max(w.opt.Now().UnixMicro(), w.lastTS)) }
