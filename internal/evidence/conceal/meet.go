package conceal

import (
	"cmp"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/evidence"
)

// meet gives numbers to the children that are not named, and notes what is said of them and what the application has of its own.
func (s *Source) meet(app *evidence.Application) {
	s.mu.Lock()
	s.project = app.Spec.Project
	s.mu.Unlock()
	var hidden []evidence.Ref
	var said []string
	own := ownWords(app)
	note := func(ref evidence.Ref, messages ...string) {
		if !s.hides(ref) {
			own[ref.Name] = own[ref.Name] || !ref.IsApplication()
			own[ref.Namespace] = true
			return
		}
		hidden = append(hidden, ref)
		said = append(said, messages...)
	}
	for _, r := range app.Status.Resources {
		m := ""
		if r.Health != nil {
			m = r.Health.Message
		}
		note(r.Ref(), m)
	}
	for _, r := range app.Status.OperationState.Results() {
		if r.Failed() {
			note(r.Ref(), r.Message)
		} else {
			note(r.Ref())
		}
	}
	slices.SortFunc(hidden, func(a, b evidence.Ref) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, ref := range hidden {
		standIn := s.number(ref)
		if _, met := s.names[ref.Name]; own[ref.Name] || ordinary(ref.Name) || met && ref.Namespace != s.self.Namespace {
			continue // of two in different namespaces, a text without one means that beside the application itself, else the first
		}
		s.names[ref.Name] = standIn
	}
	s.own, s.messages = own, newQuoted(said)
}

// ownWords are those that an application has for where it comes from and where it goes: they may be called like another one.
func ownWords(app *evidence.Application) map[string]bool {
	own := map[string]bool{"": true, app.Metadata.Name: true, app.Metadata.Namespace: true}
	add := func(texts ...string) {
		for _, t := range texts {
			for _, w := range strings.FieldsFunc(t, func(r rune) bool { return strings.ContainsRune("/:@?#= ", r) }) {
				own[w], own[strings.TrimSuffix(w, ".git")] = true, true
			}
		}
	}
	to := app.Spec.Destination
	add(to.Namespace, to.Name, to.Server)
	sources := app.Spec.Sources
	if app.Spec.Source != nil {
		sources = append([]evidence.ApplicationSource{*app.Spec.Source}, sources...)
	}
	for _, from := range sources {
		add(from.RepoURL, from.Path, from.TargetRevision, from.Chart)
	}
	return own
}

// key is under what an application, or a project, has its number.
func (s *Source) key(ref evidence.Ref) string {
	if ref.IsProject() {
		return projectKey(ref.Name)
	}
	return cmp.Or(ref.Namespace, s.self.Namespace) + "/" + ref.Name
}

func projectKey(name string) string { return "project " + name }

// number is what stands for an application. The caller holds the lock.
func (s *Source) number(ref evidence.Ref) string {
	n, known := s.numbers[s.key(ref)]
	if !known {
		n = len(s.numbers) + 1
		s.numbers[s.key(ref)] = n
	}
	return evidence.PrivateName(n)
}

// standIn is what stands for an application that is not named.
func (s *Source) standIn(ref evidence.Ref) string {
	if evidence.HasPrivate(ref.Name) {
		return ref.Name
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.number(ref)
}
