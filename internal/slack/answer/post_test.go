package answer

import (
	"strings"
	"testing"
)

func TestWhyTheBotCannotPostIsSaidInWords(t *testing.T) {
	for _, s := range []struct{ code, channel, want string }{
		{"not_in_channel", "C1", "Type `/invite @argo` and I can answer here"},
		{"channel_not_found", "G1", "`/invite @argo`"},
		{"channel_not_found", "D1", "I am not part of this conversation"},
		{"is_archived", "C1", "the channel is archived"},
		{"restricted_action_read_only_channel", "C1", "Its owner can allow it"},
	} {
		if got := shutOut(s.code, s.channel, "@argo"); !strings.Contains(got, s.want) {
			t.Errorf("%s in %s: %s", s.code, s.channel, got)
		}
	}
	if got := shutOut("invalid_auth", "C1", "@argo"); got != "" {
		t.Errorf("a bad token is not the channel's fault: %s", got)
	}
}
