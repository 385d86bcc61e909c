package main

import (
	"os"
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose/rules"
)

func TestRulesPageIsFresh(t *testing.T) {
	page, err := os.ReadFile("../../docs/rules.md")
	if err != nil {
		t.Fatalf("%v: make generate writes it", err)
	}
	if string(page) != rulesPage(rules.All()) {
		t.Error("docs/rules.md is not what the rules say now: run make generate")
	}
}

func TestEveryGroupHasWords(t *testing.T) {
	for _, r := range rules.All() {
		if groupTitle(r.Group()) == "" {
			t.Errorf("group %s of %s is not explained", r.Group(), r.ID)
		}
	}
}
