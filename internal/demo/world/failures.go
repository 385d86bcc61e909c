package world

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/program"
	"github.com/argo-why/argo-why/internal/simulator"
)

// Failure is one that can be caused.
type Failure struct {
	// Group and Title are for people: "A hook fails or hangs", "A migration job cannot reach the database".
	Group, Title string
	// Rule is the cause that the diagnosis finds; "" of a visitor's own case.
	Rule string
	// Editable: the application, when it is well, has an object that somebody could change by hand.
	Editable bool
	// App is the application that it happens to.
	App simulator.Name
	// Repair is what makes the cause go away: "Start the database again"; "" where a sync is enough.
	Repair string
	// Outside: the cause is not in Git, and its repair no commit.
	Outside bool
	// Recorded is the case that it is, in internal/diagnose/rules/testdata/cases; "" of a visitor's own.
	Recorded string

	text []byte
}

// own is the group of a visitor's own cases.
const own = "Your own cases"

// failures are those that there are, and which of them each application has.
type failures struct {
	mu  sync.Mutex
	all []*Failure
	of  map[simulator.Name]*Failure
	was map[simulator.Name]*Failure // those that were fixed last
}

// read takes in the recorded examples.
func (f *failures) read() error {
	f.of, f.was = map[simulator.Name]*Failure{}, map[simulator.Name]*Failure{}
	for _, e := range rules.Examples() {
		text, err := e.Case()
		if err != nil {
			return err
		}
		app, err := subject(text)
		if err != nil {
			return fmt.Errorf("example %s: %w", e.App, err)
		}
		f.all = append(f.all, &Failure{Group: e.Group(), Title: e.Title, Rule: e.Rule, Editable: e.Editable, App: app, Repair: e.Repair, Outside: e.Outside, Recorded: e.Recorded(), text: text})
	}
	for _, needed := range []string{rules.Migration, rules.Outage} {
		if f.named(needed) == nil {
			return fmt.Errorf("the demo needs the example %s", needed)
		}
	}
	return nil
}

// subject is the application that a case file is about.
func subject(text []byte) (simulator.Name, error) {
	var c struct {
		Application *struct {
			Metadata struct{ Name, Namespace string }
		}
	}
	if json.Unmarshal(text, &c) != nil {
		return simulator.Name{}, errors.New("not a case file; save one with " + program.Name() + " why APP --save FILE")
	}
	if c.Application == nil || c.Application.Metadata.Name == "" {
		return simulator.Name{}, errors.New("it contains no application; save a case with " + program.Name() + " why APP --save FILE")
	}
	return simulator.Name{Namespace: c.Application.Metadata.Namespace, Name: c.Application.Metadata.Name}, nil
}

// Failures are all that can be caused, by group.
func (w *World) Failures() []*Failure {
	w.failures.mu.Lock()
	defer w.failures.mu.Unlock()
	return slices.Clone(w.failures.all)
}

// Add takes in a visitor's own case file (`bot why --save`).
func (w *World) Add(text []byte) (*Failure, error) {
	app, err := subject(text)
	if err != nil {
		return nil, err
	}
	f := &Failure{
		Group: own, Title: app.Name + " (your case)", App: app, Repair: "Fix it", text: text,
	}
	w.failures.mu.Lock()
	defer w.failures.mu.Unlock()
	w.failures.all = append(w.failures.all, f)
	return f, nil
}

// Populate makes the applications of all failures, healthy, and the fleet.
func (w *World) Populate() error {
	for _, f := range w.Failures() {
		if err := w.well(f, f.App); err != nil {
			return err
		}
	}
	return w.well(w.Shared(), Fleet()...)
}

// well makes applications as they were before a failure.
func (w *World) well(f *Failure, names ...simulator.Name) error {
	if err := w.ArgoCD.Put(f.text, names...); err != nil {
		return err
	}
	for _, name := range names {
		if err := w.ArgoCD.Settle(name); err != nil {
			return err
		}
	}
	return nil
}

// Break makes an application fail; the one that the failure is recorded of, or those that are named.
func (w *World) Break(f *Failure, names ...simulator.Name) error {
	if len(names) == 0 {
		names = []simulator.Name{f.App}
	}
	w.failures.mu.Lock()
	for _, name := range names {
		w.failures.of[name] = f
	}
	w.failures.mu.Unlock()
	return w.ArgoCD.Put(f.text, names...)
}

// FailureOf is what makes an application fail; nil if it was not broken, or was fixed.
func (w *World) FailureOf(name simulator.Name) *Failure {
	w.failures.mu.Lock()
	defer w.failures.mu.Unlock()
	return w.failures.of[name]
}

// Repaired is what made an application fail before Repair; nil if it was never fixed.
func (w *World) Repaired(name simulator.Name) *Failure {
	w.failures.mu.Lock()
	defer w.failures.mu.Unlock()
	return w.failures.was[name]
}

// Repair makes the cause of a failure go away: with a commit in Git, or outside of it. Argo CD sees that with the next refresh or
// sync, as a commit that no webhook reported.
func (w *World) Repair(name simulator.Name) error {
	f := w.FailureOf(name)
	if f == nil {
		return fmt.Errorf("%s has no failure to fix", name)
	}
	var err error
	if f.Outside || f.Rule == "" { // of a visitor's own case nobody knows where its cause is
		err = w.ArgoCD.Repair(name)
	} else {
		err = w.ArgoCD.Push(name, simulator.Commit{Revision: newRevision()})
	}
	if err != nil {
		return err
	}
	w.failures.mu.Lock()
	defer w.failures.mu.Unlock()
	delete(w.failures.of, name)
	w.failures.was[name] = f
	return nil
}

// newRevision looks like one of Git.
func newRevision() string {
	var hash [20]byte
	_, _ = rand.Read(hash[:]) // it never fails
	return hex.EncodeToString(hash[:])
}

// Migration is the failure that a visitor finds: a migration whose database did not answer.
func (w *World) Migration() *Failure { return w.failures.named(rules.Migration) }

// Shared is the failure that the whole fleet can have at once: what they share is the Git host.
func (w *World) Shared() *Failure { return w.failures.named(rules.Outage) }

// named is the failure of an application; nil without one.
func (f *failures) named(app string) *Failure {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, each := range f.all {
		if each.App.Name == app {
			return each
		}
	}
	return nil
}
