package sanitize_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/sanitize"
)

// TestNoLimitCutsASecretInHalf moves the password of a URL past each limit, letter by letter: what tells it from a word, the host
// behind it or the scheme before it, is then cut off.
func TestNoLimitCutsASecretInHalf(t *testing.T) {
	password := strings.Repeat("Zx7q", 5) + "9KpW"
	const limit = 300
	shorten := map[string]func(string) string{
		"Excerpt": func(s string) string { return string(sanitize.Excerpt(s)) },
		"Fit":     func(s string) string { return sanitize.Fit(s, limit) },
		"Clip":    func(s string) string { return sanitize.Clip(s, limit) },
		"Start":   func(s string) string { return sanitize.Start(s, limit) },
		"End":     func(s string) string { return sanitize.End(s, limit) },
	}
	for name, short := range shorten {
		cut := 0
		for at := limit - 80; at < limit+10; at++ {
			for _, rest := range []int{0, limit - 60, limit - 30, limit} {
				lead := strings.Repeat("fetch failed ", at/13+1)[:at]
				s := fmt.Sprintf("%s https://deploy:%s@git.example.com/shop.git%s", lead, password, strings.Repeat(" again", rest/6))
				got := short(s)
				if len(got) < len(s)-len(password) {
					cut++
				}
				for i := range len(password) - 4 {
					if strings.Contains(got, password[i:i+5]) {
						t.Fatalf("%s at %d: %q", name, at, got)
					}
				}
			}
		}
		if cut == 0 {
			t.Errorf("%s cut nothing", name)
		}
	}
}

func TestAnyGoesThroughEveryKindOfValue(t *testing.T) {
	secret := "https://deploy:" + strings.Repeat("Zx7q", 5) + "@git.example.com"
	type inner struct {
		Text  string
		Map   map[string]any
		List  []any
		After *inner
	}
	in := &inner{Text: secret, Map: map[string]any{secret: []string{secret}, "n": 1, "nil": nil}, List: []any{secret}, After: &inner{Text: secret}}
	if got := fmt.Sprintf("%+v %+v", sanitize.Any(in), sanitize.Any(*in.After)); strings.Contains(got, "Zx7q") || !strings.Contains(got, "git.example.com") {
		t.Errorf("shows %s", got)
	}
	if sanitize.Any(nil) != nil {
		t.Error("nothing became something")
	}
}

func TestTwoRedactedValuesReadAsOne(t *testing.T) {
	if got := sanitize.Text("from [redacted] to [redacted][redacted][redacted]."); got != "from [redacted] to [redacted]." {
		t.Errorf("got %q", got)
	}
}

// TestALongNameKeepsWhatTellsItApart: two applications of one long name, in two namespaces, are not the same after they were shortened.
func TestALongNameKeepsWhatTellsItApart(t *testing.T) {
	long := strings.Repeat("payments-", 25) + "api"
	for _, limit := range []int{10, 30, 45, 100} {
		a := sanitize.FullApp(diagnose.AppName{Instance: "prod", Namespace: "team-a", Name: long}, limit)
		b := sanitize.FullApp(diagnose.AppName{Instance: "prod", Namespace: "team-b", Name: long}, limit)
		if !strings.HasPrefix(a, "prod/team-a/") || a == b || !strings.HasSuffix(a, "payments-api") || len(a) > max(limit, len("prod/team-a/")+20)+len("…") {
			t.Errorf("%d: %s and %s", limit, a, b)
		}
	}
}
