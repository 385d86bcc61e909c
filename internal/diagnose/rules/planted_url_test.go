package rules_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/evidence"
)

// address begins an address in a text, not one of a field that is compared with another.
var address = regexp.MustCompile(`(https?)://([a-z0-9-]+\.[a-z0-9.-]+/)`)

// TestRulesReadAnAddressWithoutItsPassword: a rule sees https://deploy:[redacted]@host/, and has to find the same cause.
func TestRulesReadAnAddressWithoutItsPassword(t *testing.T) {
	e := engine(t)
	changed := 0
	for i, r := range recordedCases(t) {
		p := newPlanter(uint64(i), false, false)
		text := address.ReplaceAllString(string(r.c.Document), "$1://deploy:"+p.secret+"@$2")
		if text == string(r.c.Document) || r.expect.Rule == "" || r.expect.Score != nil && !*r.expect.Score {
			continue
		}
		cases, err := evidence.DecodeCases([]byte(text), r.c.Now.Time)
		if err != nil {
			t.Fatal(err)
		}
		changed++
		before, after := diagnosed(t, e, r.c), diagnosed(t, e, cases[0])
		if was, is := before.Root(), after.Root(); was != nil && (is == nil || is.Rule != was.Rule || is.Resource != was.Resource) {
			t.Errorf("%s: %s without a password, with one %+v", r.name, was.Rule, is)
		}
		for _, leak := range p.leaks(after) {
			t.Errorf("%s: %s", r.name, leak)
		}
		if strings.Contains(before.Headline, "://") != strings.Contains(after.Headline, "://") {
			t.Errorf("%s: %q became %q", r.name, before.Headline, after.Headline)
		}
	}
	if changed < 50 {
		t.Errorf("%d cases have an address", changed)
	}
}
