package config_test

import (
	"strings"
	"testing"

	"github.com/argo-why/argo-why/config"
)

// TestPageShowsWhatIsTaken: the file that the page begins with is right, and so is what it says to add.
func TestPageShowsWhatIsTaken(t *testing.T) {
	var shortest string
	for i, block := range strings.Split(string(readFile(t, "../docs/configuration.md")), "```yaml\n") {
		text, _, _ := strings.Cut(block, "```")
		switch {
		case i == 0 || strings.HasPrefix(text, "# argocd-cm"):
		case shortest == "":
			shortest = text
			parse(t, text)
		default:
			two := strings.Replace(shortest, "argocd:\n", "argocd:\n  - {name: staging, server: b, token: {env: B}}\n", 1)
			if _, err := config.Parse([]byte(two + text)); err != nil {
				t.Errorf("%v in\n%s", err, text)
			}
		}
	}
	if shortest == "" {
		t.Error("the page shows no file")
	}
}
