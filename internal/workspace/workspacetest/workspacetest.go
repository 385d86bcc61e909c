// Package workspacetest starts a workspace that ends with the test.
package workspacetest

import (
	"testing"

	"github.com/argo-why/argo-why/internal/workspace"
)

// New makes a workspace to be reached in memory. In a bubble of testing/synctest call it within.
func New(t testing.TB, options ...workspace.Options) *workspace.Workspace {
	t.Helper()
	var opt workspace.Options
	if len(options) > 0 {
		opt = options[0]
	}
	w := workspace.New(opt)
	t.Cleanup(w.Close)
	return w
}

// Start makes a workspace on a port of this machine and returns its URL; the API is below /api/.
func Start(t testing.TB, options ...workspace.Options) (w *workspace.Workspace, url string) {
	t.Helper()
	w = New(t, options...)
	server, err := workspace.Start(t.Context(), "127.0.0.1:0", w)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	return w, server.URL
}
