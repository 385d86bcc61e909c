package simulator

import (
	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"

	"github.com/argo-why/argo-why/internal/evidence"
)

// Person is the user of Argo CD's own web interface, of whom the bot knows nothing.
const Person = "admin"

// Refresh is what that person does with the button of this name. The reactions apply.
func (s *Server) Refresh(name Name, hard bool) error { return s.refresh(name, hard, s.reacting()) }

// Sync is what that person does with the button of this name. It is refused as over the API: by a sync window, or while
// another operation runs. The reactions apply.
func (s *Server) Sync(name Name, prune bool) error {
	app, err := s.application(name)
	if err != nil {
		return err
	}
	if err := outsideWindow(app); err != nil {
		return err
	}
	_, err = s.sync(&applicationpkg.ApplicationSyncRequest{Name: &name.Name, AppNamespace: &name.Namespace, Prune: &prune}, app, Person, s.reacting())
	return err
}

// Terminate ends the operation that is under way, as that person does.
func (s *Server) Terminate(name Name) error {
	if _, err := s.application(name); err != nil {
		return err
	}
	return s.terminate(name, s.reacting())
}

// Delete deletes an object of the application, as that person does.
func (s *Server) Delete(name Name, object evidence.Ref) error {
	app, err := s.application(name)
	if err != nil {
		return err
	}
	return s.deleteObject(app, object, s.reacting())
}

func (s *Server) reacting() Reactions {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reactions
}

func (s *Server) application(name Name) (*application, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	app := s.apps.get(name)
	if app == nil {
		return nil, errNoApplication(name)
	}
	return app, nil
}
