package probe_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/argo-why/argo-why/internal/slack/probe"
)

// TestManifestAsksForWhatIsNeeded: an app made from the manifest passes the probe, and has no right too many.
func TestManifestAsksForWhatIsNeeded(t *testing.T) {
	raw, err := os.ReadFile("../../../deploy/slack/manifest.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		OAuth struct {
			Scopes struct{ Bot yaml.Node }
		} `yaml:"oauth_config"`
	}
	if err := yaml.Unmarshal(raw, &manifest); err != nil {
		t.Fatal(err)
	}
	var asked, needed []string
	for _, scope := range manifest.OAuth.Scopes.Bot.Content {
		asked = append(asked, scope.Value)
		i := slices.IndexFunc(probe.Scopes, func(s probe.Scope) bool { return s.Name == scope.Value })
		if i >= 0 && !strings.HasPrefix(scope.HeadComment, "# To "+probe.Scopes[i].Why) {
			t.Errorf("the manifest explains %s as %q, the probe as %q", scope.Value, scope.HeadComment, probe.Scopes[i].Why)
		}
	}
	for _, scope := range probe.Scopes {
		needed = append(needed, scope.Name)
	}
	if !slices.Equal(asked, needed) {
		t.Errorf("the manifest asks for\n%q, needed is\n%q", asked, needed)
	}
}
