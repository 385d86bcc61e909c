package redact

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

// fixedForms are the rules for tokens that are known by themselves.
var fixedForms = sync.OnceValue(func() []*compiled {
	var all []*compiled
	for i := range shared().rules {
		r := &shared().rules[i]
		if (r.token || !r.ours) && r.expression().fixed {
			all = append(all, r)
		}
	}
	return all
})

// FuzzPlanted plants a secret of any rule between any two texts. It must not come out again, and what comes out must not
// change when it is redacted again.
func FuzzPlanted(f *testing.F) {
	for i, r := range fixedForms() {
		f.Add(uint64(i), "see ", ", "+r.id)
	}
	for i, form := range []string{"Secret/x: §", "§\x1b[31m", "\x1b[§", "\\§\\", "%§%", "&#§;", "=§=", "§\n§", "eyJ§", "-----BEGIN §-----", "kind: Secret\ndata:\n  a: §", "\u200b§\u200b", "https://§@x", "://a:§@b"} {
		before, after, _ := strings.Cut(form, "§")
		f.Add(uint64(i*7), before, after)
	}
	f.Fuzz(func(t *testing.T, seed uint64, before, after string) {
		r := fixedForms()[seed%uint64(len(fixedForms()))]
		_, secret := secretFor(t, r, seed)
		if !slices.ContainsFunc(r.keywords, func(k string) bool { return strings.Contains(strings.ToLower(secret), k) }) {
			before += " " + r.keywords[0] + " " // on the same line
		}
		// A letter or a digit beside it would make it another word.
		if b, _ := utf8.DecodeLastRuneInString(before); before != "" && b < utf8.RuneSelf && isAlphanumeric(byte(b)) {
			before += " "
		}
		if a, _ := utf8.DecodeRuneInString(after); after != "" && a < utf8.RuneSelf && isAlphanumeric(byte(a)) {
			after = " " + after
		}
		once := String(before + secret + after)
		if strings.Contains(once, secret) {
			t.Errorf("%s: %q is still in %q", r.id, secret, once)
		}
		if twice := String(once); twice != once {
			t.Errorf("not idempotent: %q, then %q", once, twice)
		}
	})
}

func TestAPlaceholderStaysOnlyAsAWhole(t *testing.T) {
	pw := fake("", alnum, 9)
	for _, s := range []string{
		"Authorization: Bearer $TOKEN", "Authorization: Bearer ${TOKEN}", "Authorization: Bearer <token>", "X-Vault-Token: $VAULT_TOKEN", "https://$TOKEN@git.example.com/x",
		"https://${TOKEN}@git.example.com/x", "https://{{ .user }}@git.example.com/x", "https://{user}@git.example.com/x", "PRIVATE-TOKEN: $(cat-it)",
	} {
		if got := String(s); got != s {
			t.Errorf("\n got %s\nwant %s", got, s)
		}
	}
	for _, s := range []string{
		"Authorization: Bearer $§", "Authorization: Bearer ${X}§", "Authorization: Basic $(x)§", "X-Vault-Token: $X-§", "https://$ab(§@git.example.com/x", "https://x{y}§@git.example.com/x",
		"https://<tok>:§@git.example.com/x", "https://${X}§@git.example.com/x",
	} {
		secret := pw + "-Pa55"
		if s == "Authorization: Bearer $§" {
			secret = "ecret-" + pw
		}
		if got := String(strings.Replace(s, "§", secret, 1)); strings.Contains(got, secret) {
			t.Errorf("is still there: %s", got)
		}
	}
}
