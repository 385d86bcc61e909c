package text_test

import (
	"testing"

	"github.com/argo-why/argo-why/internal/text"
)

func TestRevision(t *testing.T) {
	const commit, digest = "bb498fd0f0aa52bd4d4d5fb7d0a4a3b1a7e0c9f1", "sha256:0123456789abcdef0123456789abcdef0123"
	for in, want := range map[string]string{
		commit: "bb498fd", "": "", "main": "main", "1.4.2": "1.4.2", commit[:12]: commit[:12],
		"release-of-forty-characters-but-no-digest": "release-of-forty-characters-but-no-digest", digest: digest,
	} {
		if got := text.Revision(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	if got, want := text.Revisions(commit+", 1.4.2"), "bb498fd, 1.4.2"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
