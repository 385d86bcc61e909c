package kube

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/evidence"
)

var jobs = schema.GroupVersionResource{Group: "batch", Version: "v1", Resource: "jobs"}

// named reports what keeps a reference from being that of one Job.
func named(ref evidence.Ref) error {
	switch {
	case ref.Group != jobs.Group || ref.Kind != "Job" || ref.Name == "":
		return &Error{Problem: Failed, what: "it is not a Job"}
	case ref.Namespace == "":
		return errNoNamespace
	}
	return nil
}

// DeleteJob deletes the Job of that UID, and its pods with it. The error is [action.ErrChanged], and nothing was deleted, when
// there is no such Job or another one has its name: the API server compares the UID, so nobody can interfere.
func (a *App) DeleteJob(ctx context.Context, ref evidence.Ref, uid string) error {
	operation := "delete " + ref.String()
	if err := named(ref); err != nil {
		return during(operation, err)
	}
	if uid == "" { // the API server would take that for "whichever it is"
		return during(operation, &Error{Problem: Failed, what: "the UID of the Job is not known"})
	}
	conn, err := a.cluster(ctx)
	if err != nil {
		return during(operation, err)
	}
	// Left to itself this API orphans the pods of a Job: they would keep failing, or running, without anybody who counts them.
	withPods := metav1.DeletePropagationBackground
	err = conn.objects.Resource(jobs).Namespace(ref.Namespace).Delete(ctx, ref.Name, metav1.DeleteOptions{
		Preconditions: &metav1.Preconditions{UID: (*types.UID)(&uid)}, PropagationPolicy: &withPods,
	})
	switch {
	case err == nil:
		return nil
	case isGone(err, jobs.Resource), apierrors.IsConflict(err):
		return fmt.Errorf("%s: %w", operation, action.ErrChanged)
	}
	return during(operation, notTheirs(ctx, forAction(conn.fail(err))))
}

// forAction says of a right that is missing where it comes from.
func forAction(err error) error {
	var e *Error
	if errors.As(err, &e) && e.Problem == Forbidden {
		withRemedy := *e
		withRemedy.todo = applyActions
		return &withRemedy
	}
	return err
}
