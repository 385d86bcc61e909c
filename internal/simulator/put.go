package simulator

import (
	"errors"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/watch"
)

// Put takes in the application of a case file, in place of the one of the same name, and tells whoever watches. Given names,
// it takes it in once under each of them instead; all of these share the case. The children of an app of apps come along, unless
// they are there already.
func (s *Server) Put(text []byte, as ...Name) error {
	d, err := s.parse(text)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	recorded := d.name()
	if len(as) == 0 {
		as = []Name{recorded}
	}
	for _, name := range as {
		s.put(d.as(name))
	}
	for _, child := range d.children() {
		if s.apps.get(child.name()) == nil {
			s.put(child.as(child.name()))
		}
	}
	return nil
}

// put takes an application in. With s.mu held.
func (s *Server) put(app *application) {
	event := watch.Added
	if s.apps.set(app) {
		event = watch.Modified
	}
	s.tell(event, app)
	s.signal()
}

// Compared has Argo CD compare these applications and find nothing new, as it does every few minutes with each: only the time of it is
// written. Those that shared a case still share it.
func (s *Server) Compared(names ...Name) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.clock()
	compared := map[*document]*document{}
	for _, name := range names {
		app := s.apps.get(name)
		if app == nil {
			return errNoApplication(name)
		}
		if compared[app.document] == nil {
			d, object := *app.document, *app.Application
			object.Status.ReconciledAt = &at
			d.Application = &object
			compared[app.document] = &d
		}
		next := *app
		next.document = compared[app.document]
		s.put(&next)
	}
	return nil
}

// Remove deletes an application, and tells whoever watches.
func (s *Server) Remove(name Name) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.apps.get(name) == nil {
		return errNoApplication(name)
	}
	s.drop(name)
	return nil
}

// drop deletes an application that there is. With s.mu held.
func (s *Server) drop(name Name) {
	s.tell(watch.Deleted, s.apps.remove(name))
	s.signal()
}

// Names are the applications that there are, in the order in which they came.
func (s *Server) Names() []Name {
	s.mu.Lock()
	defer s.mu.Unlock()
	names := make([]Name, len(s.apps.list))
	for i, app := range s.apps.list {
		names[i] = app.Name
	}
	return names
}

// Log is what a container wrote.
type Log struct {
	Namespace, Pod, Container string
	Previous                  bool
	Text                      string
}

// AddLog adds a log to an application as it is: the JSON of a case could not hold every byte of one.
func (s *Server) AddLog(name Name, log Log) error {
	return s.change(name, func(app *application) { app.Logs = append(slices.Clone(app.Logs), log) })
}

// Render makes these the manifests (JSON) of an application, whatever the revision. Without it they are the target states of
// its managed resources.
func (s *Server) Render(name Name, manifests ...string) error {
	return s.change(name, func(app *application) { app.manifests, app.rendered = manifests, true })
}

// change replaces an application by a changed one, and tells whoever watches.
func (s *Server) change(name Name, edit func(*application)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	app := s.apps.get(name)
	if app == nil {
		return errNoApplication(name)
	}
	s.put(app.changed(edit))
	return nil
}

func errNoApplication(name Name) error {
	return fmt.Errorf("simulated Argo CD: no application %s/%s", name.Namespace, name.Name)
}

var errNoSubject = errors.New("simulated Argo CD: the case contains no application")

// all is every application at this moment.
func (s *Server) all() []*application {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.apps.list)
}
