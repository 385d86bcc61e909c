package redact_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/redact"
)

func brackets(levels int) string { return strings.Repeat("[", levels) + strings.Repeat("]", levels) }

// TestDeepDocumentsAreRefused: what is saved is indented, so its size grows with the square of the depth.
func TestDeepDocumentsAreRefused(t *testing.T) {
	if _, err := redact.JSON([]byte(brackets(1000))); err != nil {
		t.Errorf("1000 levels: %v", err)
	}
	for _, levels := range []int{1001, 9000, 20_000, 1_000_000} {
		if _, err := redact.JSON([]byte(brackets(levels))); err == nil || err.Error() != "redact JSON: too large to read: nested more than 1,000 levels deep" {
			t.Errorf("%d levels: %v", levels, err)
		}
	}
}

// TestASecretBesideADeepFieldIsHidden: a state that is too deep to look at is not shown at all.
func TestASecretBesideADeepFieldIsHidden(t *testing.T) {
	value := strings.Repeat("plain", 4)
	for _, levels := range []int{5, 1000, 9000, 20_000} {
		state := `{"kind":"Secret","apiVersion":"v1","stringData":{"greeting":"` + value + `"},"x":` + brackets(levels) + `}`
		document, err := json.Marshal(map[string]any{"items": []any{map[string]any{"liveState": state, "name": "db"}}})
		if err != nil {
			t.Fatal(err)
		}
		clean, err := redact.JSON(document)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(clean), value) || !strings.Contains(string(clean), `"name":"db"`) {
			t.Errorf("%d levels: %.200s", levels, clean)
		}
	}
}

// TestTextsInTextsAreBounded: each level doubles the backslashes, so the work is a sum of halves.
func TestTextsInTextsAreBounded(t *testing.T) {
	value := strings.Repeat("plain", 4)
	inner := `{"kind":"Secret","stringData":{"a":"` + value + `"}}`
	for range 14 {
		text, err := json.Marshal(map[string]string{"state": inner})
		if err != nil {
			t.Fatal(err)
		}
		inner = string(text)
	}
	clean, err := redact.JSON([]byte(inner))
	if err != nil || strings.Contains(string(clean), value) {
		t.Errorf("%d bytes: %v", len(inner), err)
	}
}
