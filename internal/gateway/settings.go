package gateway

import (
	"context"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/evidence/clean"
)

// Tokens are those that Argo CD issued and that the account may see. If they can be read only in part, it returns these with the error.
func (in *Instance) Tokens(ctx context.Context) ([]evidence.Token, error) {
	return in.conn.Argo.Tokens(ctx)
}

// ProjectWindows are the sync windows of the projects that the account may see.
func (in *Instance) ProjectWindows(ctx context.Context) ([]evidence.ProjectWindow, error) {
	windows, err := in.conn.Argo.ProjectWindows(ctx)
	return clean.Fact(ctx, windows), err
}

// Hooks are the hooks of the last syncs that still exist in their cluster, at most so many; left are those that nobody looked at. What could not be
// read is missing, with an error.
func (in *Instance) Hooks(ctx context.Context, most int) (hooks []evidence.Hook, left int, err error) {
	hooks, left, err = in.conn.Argo.Hooks(ctx, most)
	return clean.Fact(ctx, hooks), left, err
}
