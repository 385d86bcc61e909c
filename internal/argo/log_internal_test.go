package argo

import (
	"strings"
	"testing"
)

// TestTheEndOfALogHasNoHalfSecret: of a line that is too long the end is kept, and it may begin within a secret.
func TestTheEndOfALogHasNoHalfSecret(t *testing.T) {
	password := strings.Repeat("Zx7q", 5) + "9KpW"
	url := "postgres://app:" + password + "@db.prod:5432/orders "
	for at := range 60 {
		var kept tail
		kept.add(url + strings.Repeat("z", logBytes-at))
		got := kept.text()
		for i := range len(password) - 4 {
			if strings.Contains(got, password[i:i+5]) {
				t.Fatalf("the last %d bytes begin with %q", logBytes, got[:80])
			}
		}
	}
}
