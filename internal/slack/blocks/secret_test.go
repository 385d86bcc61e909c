package blocks_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/slack/blocks"
)

// TestNoBlockCutsASecretInHalf moves the password of a URL past the limits of each kind of text.
func TestNoBlockCutsASecretInHalf(t *testing.T) {
	password := strings.Repeat("Zx7q", 5) + "9KpW"
	show := func(list ...blocks.Block) string {
		text, err := json.Marshal(blocks.Fit(list, nil, ""))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	short := func(s string, limit int) string { s, _ = blocks.Shorten(s, limit); return s }
	kinds := map[string]struct {
		limit int
		show  func(string) string
	}{
		"Shorten": {90, func(s string) string { return short(s, 90) }},
		"header":  {150, func(s string) string { return show(blocks.Header(s)) }},
		"context": {300, func(s string) string { return show(blocks.Context(s, "", time.Time{})) }},
		"button":  {75, func(s string) string { return show(blocks.Buttons(blocks.Button{ID: "a", Text: s, Value: "v"})) }},
		"menu": {75, func(s string) string {
			return show(blocks.Controls("", blocks.Menu{ID: "m", Text: s, Options: []blocks.Option{{Text: s, Value: "v"}}}))
		}},
		"WithoutMiddle": {600, func(s string) string { return blocks.WithoutMiddle(s+strings.Repeat(" more", 400), 600) }},
		"text":          {3000, func(s string) string { return show(blocks.Text(blocks.Plain(s), blocks.Mono(s), blocks.Bold(s))) }},
		"code":          {3000, func(s string) string { return show(blocks.Code(s)...) }},
		"fallback":      {3000, blocks.Fallback},
	}
	for name, kind := range kinds {
		for at := kind.limit - 70; at < kind.limit+5; at++ {
			s := fmt.Sprintf("%s https://deploy:%s@git.example.com/shop.git", strings.Repeat("fetch failed ", at/13+1)[:at], password)
			got := kind.show(s)
			for i := range len(password) - 4 {
				if strings.Contains(got, password[i:i+5]) {
					t.Errorf("%s at %d shows %q", name, at, got[max(0, strings.Index(got, password[i:i+5])-60):])
					break
				}
			}
		}
	}
}
