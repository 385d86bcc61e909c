package page_test

import (
	"net/http"
	"slices"
	"testing"
)

func TestTheBotIsInvitedWhereItIsMissed(t *testing.T) {
	s := newScene(t)
	s.deploys.Kick("argo")
	s.send(t, "/say", http.StatusNoContent, "text", "@argo why shop")
	wants(t, s.get(t, "/channel/deploys?as=alice"), `You mentioned @argo, who is not in this channel. <code>/invite @argo</code> adds it.`)
	wantsNone(t, s.get(t, "/channel/deploys?as=bob"), "You mentioned")

	s.send(t, "/say", http.StatusNoContent, "text", "/invite @nobody")
	wants(t, s.get(t, "/channel/deploys?as=alice"), "There is no one named “nobody”.")
	s.send(t, "/say", http.StatusNoContent, "text", "/invite @argo")
	if !slices.Contains(s.deploys.Members(), s.app.BotUserID) {
		t.Error("the bot is not in the channel")
	}
	s.send(t, "/say", http.StatusNoContent, "text", "/invite argo")
	wants(t, s.get(t, "/channel/deploys?as=alice"), "@argo is already in this channel.")
}
