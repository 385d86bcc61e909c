package argo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"
	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	"github.com/argoproj/gitops-engine/pkg/health"

	"github.com/argo-why/argo-why/internal/foreign"
)

// listedFields are those of a list; Argo CD has a fixed set of them (appFields in its forwarder_overwrite.go). Not in it are the
// conditions and the state of the hydrator, and resources and results are left out because they are nearly all of an application.
var listedFields = []string{
	"metadata.name", "metadata.namespace", "metadata.labels", "metadata.deletionTimestamp", "spec", "operation.sync",
	"status.sync.status", "status.health",
	"status.operationState.phase", "status.operationState.startedAt", "status.operationState.finishedAt",
}

const listing = "list applications"

// List reads the state of all applications that the account may see, sorted by namespace and name, in one request and one application
// at a time. The states are [AppState.Partial]: Argo CD's list leaves the conditions out. Where its HTTP API cannot be reached they
// are complete, because gRPC sends whole applications, about 20 KB each, in one answer.
func (c *Client) List(ctx context.Context) ([]AppState, error) {
	states, err := c.listShort(ctx)
	switch {
	case err == nil, ctx.Err() != nil:
		return states, c.fail(ctx, listing, err)
	case isTooLarge(err): // then it is for gRPC, too
		err = c.complete(ctx, nil, func(state AppState) { states = append(states, state) })
		sortStates(states)
		return states, err
	}
	return c.listWhole(ctx)
}

// listShort reads the list over HTTP. The errors are those of [webAPI.get].
func (c *Client) listShort(ctx context.Context) ([]AppState, error) {
	web, err := c.web()
	if err != nil {
		return nil, err
	}
	body, err := web.get(ctx, "/api/v1/applications", url.Values{"fields": {prefixed("items.", listedFields)}}, "application/json")
	if err != nil {
		return nil, err
	}
	var states []AppState
	err = decodeItems(body, func(app *v1alpha1.Application) error {
		state, err := stateOf(app)
		state.Partial, state.Digest = true, 0
		states = append(states, state)
		return err
	})
	if err := errors.Join(err, body.Close()); err != nil {
		return nil, fmt.Errorf("read the list: %w", err)
	}
	sortStates(states)
	return states, nil
}

// decodeItems calls each with the applications of a list, one at a time: only one is in memory.
func decodeItems(r io.Reader, each func(*v1alpha1.Application) error) error {
	return foreign.Answer.Items(r, func(item []byte) error {
		app, err := decodeApplication(item)
		if err != nil {
			return err
		}
		return each(app)
	})
}

// decodeApplication reads an application. Of one that is too large it is what a list shows: whoever asks for it then hears why it cannot
// be read, and all others are read.
func decodeApplication(raw []byte) (*v1alpha1.Application, error) {
	app := &v1alpha1.Application{}
	err := foreign.Application.JSON(raw, app)
	if !foreign.IsTooLarge(err) {
		return app, err
	}
	type named struct{ Name, Namespace, Server string }
	var listed struct {
		Metadata named
		Spec     struct {
			Project     string
			Destination named
		}
		Status struct {
			Sync, Health struct{ Status string }
		}
	}
	if err := foreign.Skim(raw, &listed); err != nil {
		return nil, err
	}
	app = &v1alpha1.Application{}
	app.Name, app.Namespace, app.Spec.Project = listed.Metadata.Name, listed.Metadata.Namespace, listed.Spec.Project
	app.Spec.Destination.Name, app.Spec.Destination.Server = listed.Spec.Destination.Name, listed.Spec.Destination.Server
	app.Status.Sync.Status, app.Status.Health.Status = v1alpha1.SyncStatusCode(listed.Status.Sync.Status), health.HealthStatusCode(listed.Status.Health.Status)
	return app, nil
}

// listWhole reads the applications as a whole, over gRPC.
func (c *Client) listWhole(ctx context.Context) ([]AppState, error) {
	list, err := c.applications.List(ctx, &applicationpkg.ApplicationQuery{}, shortened())
	if err != nil {
		return nil, c.fail(ctx, listing, err)
	}
	states := make([]AppState, len(list.Items))
	for i := range list.Items {
		if states[i], err = stateOf(&list.Items[i]); err != nil {
			return nil, fmt.Errorf(listing+": %w", err)
		}
		list.Items[i] = v1alpha1.Application{} // the garbage collector need not wait for the last one
	}
	sortStates(states)
	return states, nil
}

func sortStates(states []AppState) {
	slices.SortFunc(states, func(a, b AppState) int {
		return strings.Compare(a.Namespace+"/"+a.Name, b.Namespace+"/"+b.Name)
	})
}

func prefixed(prefix string, fields []string) string {
	return prefix + strings.Join(fields, ","+prefix)
}
