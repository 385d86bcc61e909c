package hooks

import (
	"testing"

	"github.com/argo-why/argo-why/internal/evidence"
)

// TestTitled: a title names the hook if the name fits; what it leaves out is said in a sentence.
func TestTitled(t *testing.T) {
	for _, c := range []struct {
		hookType           string
		ref                evidence.Ref
		room               int
		wantTitle, wantWhy string
	}{
		{"PreSync", evidence.Ref{Kind: "Job", Name: "migrate"}, 60, "PreSync hook migrate exited 3", ""},
		{"", evidence.Ref{Kind: "Job", Name: "migrate"}, 60, "Hook migrate exited 3", ""},
		{"Sync", evidence.Ref{Kind: "Pod", Name: "smoke"}, 60, "Sync hook smoke exited 3", "The hook is a Pod."},
		{"PreSync", evidence.Ref{Kind: "Job", Name: "migrate"}, 28, "PreSync hook exited 3", "The hook is Job/migrate."},
	} {
		h := &run{task: evidence.ResourceResult{HookType: c.hookType}, ref: c.ref, fits: func(title string) bool { return len(title) <= c.room }}
		if title, why := h.titled("exited 3"); title != c.wantTitle || why != c.wantWhy {
			t.Errorf("%q, %q, want %q, %q", title, why, c.wantTitle, c.wantWhy)
		}
	}
}
