package kube

import (
	"context"
	"errors"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/sanitize"
)

// ActionJournal is a [action.Journal] of ActionLog custom resources, one for each application, beside the incidents: see
// [Journal.Actions]. Errors of the cluster are *Error.
//
// An object is the whole log and has no status apart, so it is created and replaced in one request: bound to the
// resourceVersion, which is the version of the log. Who is second changes nothing.
type ActionJournal struct{ store }

var _ action.Journal = (*ActionJournal)(nil)

const actionLogKind = "ActionLog"

func newActionJournal(conn *connection, namespace string) *ActionJournal {
	return &ActionJournal{newStore(conn, namespace, actionLogKind, "actionlogs", actionLogRights()...)}
}

// actionLogRights are those of deploy/rbac/journal.yaml.
func actionLogRights() []right {
	return []right{{verb: "list"}, {verb: "watch"}, {verb: "get"}, {verb: "create"}, {verb: "update"}, {verb: "delete"}}
}

// Get implements [action.Journal].
func (j *ActionJournal) Get(ctx context.Context, app action.App) (*action.Log, error) {
	operation := "get the actions of " + app.Name
	object, err := j.get(ctx, actionLogName(app))
	if j.gone(err) {
		return &action.Log{App: app}, nil
	}
	if err != nil {
		return nil, j.fail(ctx, operation, err)
	}
	l, err := decodeActionLog(object)
	if err == nil && l.App != app {
		err = &Error{Problem: Failed, what: sanitize.Sprintf("%s belongs to %s in namespace %s", object.GetName(), l.App.Name, l.App.Namespace)}
	}
	if err != nil {
		return nil, j.fail(ctx, operation, err)
	}
	return l, nil
}

// List implements [action.Journal].
func (j *ActionJournal) List(ctx context.Context) ([]*action.Log, error) {
	const operation = "list actions"
	all := []*action.Log{}
	var unread []error
	err := j.each(ctx, func(object *unstructured.Unstructured) error {
		l, err := decodeActionLog(object)
		if err != nil {
			unread = append(unread, j.fail(ctx, operation, err))
			return nil
		}
		all = append(all, l)
		return nil
	})
	if err != nil {
		return nil, j.fail(ctx, operation, err)
	}
	slices.SortFunc(all, func(a, b *action.Log) int { return incident.Compare(a.App, b.App) })
	return all, errors.Join(unread...)
}

// Put implements [action.Journal]. What is too large for a custom resource is stored without the oldest records that are over
// and told.
func (j *ActionJournal) Put(ctx context.Context, l *action.Log) error {
	operation := "put the actions of " + l.App.Name
	object, size, err := encodeActionLog(l)
	if err != nil {
		return j.fail(ctx, operation, err)
	}
	stored, err := j.write(ctx, object)
	switch {
	case apierrors.IsAlreadyExists(err), apierrors.IsConflict(err), j.gone(err):
		return fmt.Errorf("%s: %w", operation, action.ErrConflict)
	case err != nil:
		return j.fail(ctx, operation, err)
	}
	l.Version, l.Size = stored.GetResourceVersion(), size
	return nil
}

// Delete implements [action.Journal].
func (j *ActionJournal) Delete(ctx context.Context, l *action.Log) error {
	operation, name := "delete the actions of "+l.App.Name, actionLogName(l.App)
	version := l.Version
	if version == "" { // the API server would take that for "whichever it is"
		_, err := j.get(ctx, name)
		switch {
		case j.gone(err):
			return nil
		case err != nil:
			return j.fail(ctx, operation, err)
		}
		return fmt.Errorf("%s: %w", operation, action.ErrConflict)
	}
	err := j.objects.Delete(ctx, name, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{ResourceVersion: &version}})
	switch {
	case err == nil, j.gone(err):
		return nil
	case apierrors.IsConflict(err):
		return fmt.Errorf("%s: %w", operation, action.ErrConflict)
	}
	return j.fail(ctx, operation, err)
}

// write is strict: a definition that does not know a field would make the API server drop it without a word.
func (j *ActionJournal) write(ctx context.Context, o *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	if o.GetResourceVersion() == "" { // an update would take that for "whichever it is"
		return j.objects.Create(ctx, o, metav1.CreateOptions{FieldManager: fieldManager, FieldValidation: metav1.FieldValidationStrict})
	}
	return j.objects.Update(ctx, o, metav1.UpdateOptions{FieldManager: fieldManager, FieldValidation: metav1.FieldValidationStrict})
}
