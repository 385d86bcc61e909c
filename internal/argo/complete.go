package argo

import (
	"context"
	"errors"
	"time"

	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"
	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	"k8s.io/apimachinery/pkg/watch"
)

const (
	// pause is how long Argo CD may take between two applications that it sends one after the other. It does not say which is the last.
	pauseWithin = 2 * time.Second
	// pauseBefore is how long it may take for the first.
	pauseBefore = 10 * time.Second
)

var errAllSent = errors.New("all applications were sent")

// complete calls each with the complete state of every application, one at a time: it opens a stream that begins with all of them, and
// ends it with the last one expected. Those that are expected and do not come were deleted meanwhile; where nobody can say what
// to expect (nil), all were sent when the stream pauses.
//
// This goes over gRPC, although whole applications are sent: no message is larger than one of them, and leaving fields out of a stream
// costs argocd-server about 15 times as much as sending it all (docs/adr/0022).
func (c *Client) complete(ctx context.Context, expected map[appKey]bool, each func(AppState)) error {
	return c.stream(ctx, expected, func(app *v1alpha1.Application) error {
		state, err := stateOf(app)
		if err == nil {
			each(state)
		}
		return err
	})
}

// stream is complete for whole applications. An error of each ends it.
func (c *Client) stream(ctx context.Context, expected map[appKey]bool, each func(*v1alpha1.Application) error) error {
	if expected != nil && len(expected) == 0 {
		return nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stream, err := c.applications.Watch(ctx, &applicationpkg.ApplicationQuery{})
	if err != nil {
		return c.fail(ctx, listing, err)
	}
	pause := time.AfterFunc(pauseBefore, func() { cancel(errAllSent) })
	defer pause.Stop()
	for {
		event, err := stream.Recv()
		switch {
		case errors.Is(context.Cause(ctx), errAllSent):
			return nil
		case err != nil:
			return c.fail(ctx, listing, err)
		}
		pause.Reset(pauseWithin)
		if event.Type == watch.Deleted { // meanwhile
			continue
		}
		if err := each(&event.Application); err != nil {
			return err
		}
		if delete(expected, appKey{event.Application.Namespace, event.Application.Name}); expected != nil && len(expected) == 0 {
			return nil
		}
	}
}

// exists asks for one application by its name. Unlike reading it, this tells one that is gone from one that cannot be read now.
func (c *Client) exists(ctx context.Context, key appKey) (bool, error) {
	list, err := c.applications.List(ctx, &applicationpkg.ApplicationQuery{Name: &key.name, AppNamespace: given(key.namespace)})
	if err != nil {
		return false, c.fail(ctx, listing, err)
	}
	for i := range list.Items {
		if app := &list.Items[i]; app.Name == key.name && app.Namespace == key.namespace {
			return true, nil
		}
	}
	return false, nil
}
