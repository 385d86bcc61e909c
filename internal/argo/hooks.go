package argo

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	"golang.org/x/sync/errgroup"

	"github.com/argo-why/argo-why/internal/evidence"
)

// hooksAtOnce is how many hooks are read at once: each is a call that Argo CD passes on to the API server of a cluster.
const hooksAtOnce = 4

// Hooks reads the hooks of the last sync of each application that run something and still exist, sorted by application and name: at most so many,
// left are those that nobody looked at. All applications are sent for that once, so it is for once a day. What could not be read is missing, with
// an error.
func (c *Client) Hooks(ctx context.Context, most int) (found []evidence.Hook, left int, err error) {
	var hooks []evidence.Hook
	projects := map[appKey]string{}
	err = c.stream(ctx, nil, func(app *v1alpha1.Application) error {
		of := hooksOf(app)
		hooks = append(hooks, of...)
		if len(of) > 0 {
			projects[appKey{app.Namespace, app.Name}] = app.Spec.Project
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	slices.SortFunc(hooks, compareHooks)
	hooks = slices.Compact(hooks)
	if len(hooks) > most {
		hooks, left = hooks[:most], len(hooks)-most
	}
	var mu sync.Mutex
	var errs []error
	var reading errgroup.Group
	reading.SetLimit(hooksAtOnce)
	for _, h := range hooks {
		reading.Go(func() error {
			live, err := c.App(h.App, h.AppNamespace, projects[appKey{h.AppNamespace, h.App}]).Object(ctx, evidence.ObjectQuery{Ref: h.Ref})
			mu.Lock()
			defer mu.Unlock()
			switch {
			case errors.Is(err, evidence.ErrAbsent), err == nil && live == nil: // deleted, as its policy or its TTL says
			case err != nil:
				errs = append(errs, err)
			default:
				h.NoDeadline, h.NoDeletePolicy = !live.HasDeadline(), len(live.DeletePolicies()) == 0
				found = append(found, h)
			}
			return nil
		})
	}
	_ = reading.Wait() // the errors are in errs
	slices.SortFunc(found, compareHooks)
	return found, left, errors.Join(errs...)
}

// hooksOf are the hooks of the last sync that run something.
func hooksOf(app *v1alpha1.Application) (hooks []evidence.Hook) {
	op := app.Status.OperationState
	if op == nil || op.SyncResult == nil {
		return nil
	}
	for _, r := range op.SyncResult.Resources {
		runs := r.Kind == "Job" && r.Group == "batch" || r.Kind == "Pod" && r.Group == "" || r.Kind == "Workflow" && r.Group == "argoproj.io"
		if r.HookType != "" && runs {
			hooks = append(hooks, evidence.Hook{
				AppNamespace: app.Namespace, App: app.Name,
				Ref: evidence.Ref{Group: r.Group, Kind: r.Kind, Namespace: r.Namespace, Name: r.Name},
			})
		}
	}
	return hooks
}

func compareHooks(a, b evidence.Hook) int {
	return cmp.Or(strings.Compare(a.AppNamespace, b.AppNamespace), strings.Compare(a.App, b.App), strings.Compare(a.Kind, b.Kind),
		strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
}
