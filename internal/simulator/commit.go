package simulator

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	synccommon "github.com/argoproj/gitops-engine/pkg/sync/common"

	"github.com/argo-why/argo-why/internal/evidence"
)

// Commit is what Git holds for an application. Argo CD sees a pushed one with the next refresh or sync. The first commit of
// an application is the one that its case was compared with; syncing it leads to what the case recorded.
type Commit struct {
	// Revision is its hash. The revision that was compared already stands for a cause outside of Git (a chart repository that
	// answers again, for example): Argo CD keeps what it rendered, so that only a hard refresh sees the change.
	Revision string
	// Case is a case file of the application as it is after a sync of this commit, with the operation that led there. If its
	// manifests do not render, a refresh shows that already. nil: the sync succeeds, and the application is well; one that is
	// being deleted is gone at once.
	Case []byte
	// Elsewhere: it changes nothing of this application, as most commits of a repository of many. What was compared, or pushed
	// before, is what it leads to.
	Elsewhere bool
}

// commit is a Commit that was read.
type commit struct {
	revision string
	result   *document
	outside  bool // nothing changed in Git: a cause outside of it is gone
	same     bool // the manifests are those of the commit that was compared
}

// git is what an application is deployed from.
type git struct {
	compared commit
	head     *commit  // pushed, and not seen by Argo CD yet; nil: none
	ran      commit   // what the last full sync applied: the Jobs of its hooks may be there still
	alike    []string // earlier commits with the same manifests as the one that was compared
}

func (g *git) take(c commit) { g.compared, g.head, g.alike = c, nil, nil }

// Push makes a commit the newest one that an application is deployed from.
func (s *Server) Push(name Name, c Commit) error {
	if c.Revision == "" {
		return errors.New("simulated Argo CD: a commit needs a revision")
	}
	if c.Elsewhere {
		return s.pushElsewhere(name, c.Revision)
	}
	pushed := commit{revision: c.Revision}
	if c.Case != nil {
		result, err := s.parse(c.Case)
		if err != nil {
			return fmt.Errorf("commit %s: %w", c.Revision, err)
		}
		pushed.result = result
	}
	return s.push(name, pushed)
}

// pushElsewhere gives the newest commit of an application another hash.
func (s *Server) pushElsewhere(name Name, revision string) error {
	app, err := s.application(name)
	if err != nil {
		return err
	}
	next := app.git.compared
	next.same = true
	if head := app.git.head; head != nil {
		next = *head
	}
	next.revision = revision
	return s.push(name, next)
}

func (s *Server) push(name Name, pushed commit) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	app := s.apps.get(name)
	if app == nil {
		return errNoApplication(name)
	}
	if app.Application.DeletionTimestamp != nil && pushed.result == nil { // what holds the deletion up is gone
		s.drop(name)
		return nil
	}
	next := *app
	next.git.head = &pushed
	if pushed.outside { // Argo CD asks for the windows each time, and remembers none
		d := *app.document
		d.Windows, d.APIError = complete(nil), ""
		if requested := d.Application.DeepCopy(); requested.Status.OperationState == nil && requested.Operation != nil {
			requested.Operation = nil // the controller runs again, and what was requested is over
			d.Application = requested
		}
		next.document = &d
	}
	s.apps.set(&next) // no watch reports it: Argo CD has not seen it yet
	s.signal()
	return nil
}

// Repair makes a cause outside of Git go away: a Git host, a cluster or a database that answers again, a sync window that is
// over, the annotation skip-reconcile that somebody forgot. A sync is allowed at once. All else Argo CD sees with the next sync or refresh, a hard one where it keeps what it
// rendered.
func (s *Server) Repair(name Name) error {
	app, err := s.application(name)
	if err != nil {
		return err
	}
	revision := app.git.compared.revision
	if o := app.Application.Status.OperationState; revision == "" && o != nil && o.Phase == synccommon.OperationSucceeded && o.SyncResult != nil {
		revision = o.SyncResult.Revision // nothing could be compared; what lives was deployed from it
	}
	if app.skipped() {
		if err := s.change(name, func(app *application) { app.removeAnnotation(evidence.AnnotationSkip) }); err != nil {
			return err
		}
	}
	return s.push(name, commit{revision: cmp.Or(revision, app.earlier()), outside: true})
}

// target is the revision that a sync applies when none was asked for.
func (a *application) target() string {
	if a.git.head != nil {
		return a.git.head.revision
	}
	return a.Application.Status.Sync.Revision
}

// targets are those of an application of several sources. What is pushed, is pushed to the first.
func (a *application) targets() []string {
	revisions := slices.Clone(a.Application.Status.Sync.Revisions)
	if a.git.head != nil && len(revisions) > 0 {
		revisions[0] = a.git.head.revision
	}
	return revisions
}

// revisionOf is the revision that was compared: of several sources that of the first.
func revisionOf(s *v1alpha1.SyncStatus) string {
	if len(s.Revisions) > 0 {
		return s.Revisions[0]
	}
	return s.Revision
}
