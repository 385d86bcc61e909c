package setup_test

import (
	"testing"

	"github.com/argo-why/argo-why/internal/setup"
)

// TestWhatIsWrongWithAToken, in the words for it: what is right about it is not asked for.
func TestWhatIsWrongWithAToken(t *testing.T) {
	const (
		short   = "too short to be the whole token: "
		strange = "contains a space or another character that no token has: "
		bot     = "copy the Bot User OAuth Token from OAuth & Permissions in the app's settings"
		app     = "generate it under Basic Information in the app's settings, with the scope connections:write"
		argoCD  = "copy what argocd account generate-token printed"
	)
	for _, test := range []struct{ env, token, want string }{
		{"SLACK_BOT_TOKEN", "xoxb-bad", short + bot},
		{"SLACK_BOT_TOKEN", "xoxb-123456 xoxb-123456", strange + bot},
		{"SLACK_BOT_TOKEN", "xapp-123456", "expected a token that begins with xoxb-: " + bot},
		{"SLACK_APP_TOKEN", "xapp-1", short + app},
		{"ARGOCD_TOKEN", "abc", short + argoCD},
		{"ARGOCD_TOKEN", "two words of it", strange + argoCD},
	} {
		o := begin(t, few)
		o.Env = func(name string) string {
			if name == test.env {
				return test.token
			}
			return tokens[name]
		}
		if _, err := setup.Run(t.Context(), o); err == nil || err.Error() != test.env+": "+test.want {
			t.Errorf("%s: got  %v\nwant %s", test.token, err, test.want)
		}
	}
}
