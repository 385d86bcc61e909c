package near_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/near"
)

func TestNearNames(t *testing.T) {
	names := []string{"payments-web", "payments-api-prod", "ledger", "web", "api"}
	for written, want := range map[string][]string{
		"payments-api": {"payments-api-prod", "api", "payments-web"},
		"legder":       {"ledger"},
		"Ledger":       {"ledger"},
		"web":          {"web", "payments-web"},
		"zzz":          nil,
	} {
		score := func(name string) float64 { return near.Application(written, name) }
		if got := near.Rank(names, near.Threshold, score, strings.Compare); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", written, got, want)
		}
	}
}

func TestEqualsKeepTheirOrderOrTheOneAskedFor(t *testing.T) {
	same := func(string) float64 { return 1 }
	if got := near.Rank([]string{"b", "a"}, 1, same, nil); !slices.Equal(got, []string{"b", "a"}) {
		t.Errorf("without an order: %q", got)
	}
	if got := near.Rank([]string{"b", "a"}, 1, same, strings.Compare); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("in the order of names: %q", got)
	}
}

func TestNearestWord(t *testing.T) {
	commands := []string{"why", "serve", "check", "rules"}
	for written, want := range map[string]string{"wyh": "why", "Why": "why", "chekc": "check", "rule": "rules", "sreve": "serve", "demo": "", "": ""} {
		if got := near.Nearest(written, commands); got != want {
			t.Errorf("%q is taken for %q, want %q", written, got, want)
		}
	}
}
