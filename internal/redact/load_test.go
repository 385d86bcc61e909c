package redact

import (
	"slices"
	"strings"
	"testing"

	"github.com/zricethezav/gitleaks/v8/config"
)

// A new release of gitleaks is one line in go.mod: what it could break is tried here.
func TestTheRulesOfTheReleasedGitleaksAreLoaded(t *testing.T) {
	rules, global, err := load(config.DefaultConfig, ourRules)
	if err != nil {
		t.Fatal(err)
	}
	if ours := len(rules); ours < 200 || len(global) == 0 {
		t.Errorf("%d rules and %d general exceptions", ours, len(global))
	}
	st := newState(rules, global)
	for i := range st.rules {
		r := &st.rules[i]
		r.expression().regexp() // panics if gitleaks writes what Go cannot read
		for j := range r.allowed {
			r.allowed[j].expressions()
		}
		if r.ours && r.group > r.expression().regexp().NumSubexp() {
			t.Errorf("%s has no group %d", r.id, r.group)
		}
		for _, id := range r.needs {
			if !slices.ContainsFunc(rules, func(r rule) bool { return r.id == id }) {
				t.Errorf("%s needs %s, which there is not", r.id, id)
			}
		}
	}
	// Rules that see every text cost more than all others together.
	if n := len(st.keywords.always); n > 0 {
		t.Errorf("%d rules have no keyword: measure BenchmarkLogOfOneMegabyte and raise this number, or give them one in rules.toml", n)
	}
}

func TestOurExtensionFitsWhatItExtends(t *testing.T) {
	ours, err := read(ourRules)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := read(config.DefaultConfig)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, r := range theirs.Rules {
		known[r.ID] = true
	}
	for _, id := range ours.Extend.DisabledRules {
		if !known[id] {
			t.Errorf("gitleaks no longer has the rule %s, which rules.toml switches off", id)
		}
	}
	for _, r := range ours.Rules {
		known[r.ID] = true
		if r.Description == "" || len(r.Keywords) == 0 {
			t.Errorf("our rule %s has no description, or no keyword", r.ID)
		}
	}
	for _, a := range ours.Allowlists {
		for _, id := range a.TargetRules {
			if !known[id] {
				t.Errorf("rules.toml makes an exception for %s, which there is not", id)
			}
		}
	}
}

func TestRulesOfKindsThatGitleaksDoesNotReleaseYetWork(t *testing.T) {
	const theirs = `
[[rules]]
id = "replaced"
regex = '''zzz'''
[[rules]]
id = "no-keyword"
regex = '''\bnk[0-9]{6}\b'''
[[rules]]
id = "short-keyword"
regex = '''#([0-9]{6})'''
keywords = ["#"]
[[rules]]
id = "a-pair"
regex = '''first=(\d{6})'''
keywords = ["first="]
[[rules.required]]
id = "z-part"
withinLines = 2
[[rules]]
id = "z-part"
regex = '''second=(\d{6})'''
keywords = ["second="]
skipReport = true
[[rules]]
id = "old-exception"
regex = '''old=(\d{6})'''
keywords = ["old="]
[rules.allowlist]
regexes = ['''^0+$|88''']
[[rules]]
id = "a-file"
path = '''\.p12$'''
[[allowlists]]
targetRules = ["old-exception"]
stopwords = ["ABC999"]
regexes = ['''^9+$''']
`
	const ours = `
[extend]
useDefault = true
disabledRules = ["off"]
[[rules]]
id = "replaced"
regex = '''yyy[0-9]'''
keywords = ["yyy"]
`
	rules, global, err := load(theirs, ours)
	if err != nil {
		t.Fatal(err)
	}
	st := newState(rules, global)
	for _, tt := range []struct{ in, want string }{
		{"a nk123456\nb nk234567", "a [redacted]\nb [redacted]"},
		{"a #123456", "a #[redacted]"},
		{"first=123456", "first=123456"},
		{"second=123456", "second=123456"},
		{"first=123456\nx\nsecond=123456", "first=[redacted]\nx\nsecond=123456"},
		{"old=123456 old=000000 old=999999", "old=[redacted] old=000000 old=999999"},
		{"old=128845", "old=[redacted]"},
		{"yyy1 zzz", "[redacted] zzz"},
	} {
		if got := replace(tt.in, settle(tt.in, st.find(tt.in, nil))); got != tt.want {
			t.Errorf("\n got %q\nwant %q", got, tt.want)
		}
	}
	for _, bad := range []string{"[[rules]]\nid = 7", "[[rules]]\nnobody = \"knows\""} {
		if _, _, err := load(bad, ours); err == nil || !strings.HasPrefix(err.Error(), "read gitleaks' rules: ") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// BenchmarkStart measures what Prepare does while the program starts.
func BenchmarkStart(b *testing.B) {
	for b.Loop() {
		rules, global, err := load(config.DefaultConfig, ourRules)
		if err != nil {
			b.Fatal(err)
		}
		newState(rules, global)
	}
}
