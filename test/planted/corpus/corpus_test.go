package corpus_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/redact"
	"github.com/argo-why/argo-why/test/planted/corpus"
)

// share is what may come out of a group, in percent; of harmless texts, what may be changed.
var share = map[string]float64{"ordinary": 0, "odd": 5, "disguised": 16, "harmless": 1.5}

// TestSecretsOfOthersAreHidden sends a corpus through that the authors of the search did not write. CORPUSSEED=N makes the same texts with other
// values; -v shows what came out.
func TestSecretsOfOthersAreHidden(t *testing.T) {
	seed := int64(1)
	if s := os.Getenv("CORPUSSEED"); s != "" {
		var err error
		if seed, err = strconv.ParseInt(s, 10, 64); err != nil {
			t.Fatal("CORPUSSEED must be a number: ", err)
		}
	}
	all, wrong := map[string]int{}, map[string]int{}
	for _, e := range corpus.Texts(seed) {
		out := redact.String(e.Text)
		if e.Group == "harmless" {
			all[e.Group]++
			if out != e.Text {
				wrong[e.Group]++
				t.Logf("%s: changed\n%s\nto\n%s", e.Kind, e.Text, out)
			}
			continue
		}
		for _, secret := range e.Secrets {
			if !strings.Contains(e.Text, secret) {
				t.Fatalf("%s: %q is not in its text", e.Kind, secret)
			}
			all[e.Group]++
			if shows(out, secret) {
				wrong[e.Group]++
				t.Logf("%s: %q comes out of\n%s\nas\n%s", e.Kind, secret, e.Text, out)
			}
		}
	}
	for group, limit := range share {
		if all[group] < 100 {
			t.Errorf("only %d of the group %s", all[group], group)
		}
		if percent := 100 * float64(wrong[group]) / float64(all[group]); percent > limit {
			t.Errorf("%s: %d of %d, more than %v %%", group, wrong[group], all[group], limit)
		} else {
			t.Logf("%s: %d of %d", group, wrong[group], all[group])
		}
	}
}

// shows reports whether a text has a secret in it, or a part of ten bytes or more that is at least half of it.
func shows(s, secret string) bool {
	n := min(len(secret), max(10, (len(secret)+1)/2))
	for i := 0; i+n <= len(secret); i++ {
		if strings.Contains(s, secret[i:i+n]) {
			return true
		}
	}
	return false
}
