package page

import (
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/workspace"
)

// inviting is Slack's own command that brings people and apps into a channel.
const inviting = "/invite"

// invite brings somebody into the channel: "@argo", or "argo".
func (p *Page) invite(v *visit, who string) {
	name := strings.TrimPrefix(strings.TrimSpace(who), "@")
	users := v.w.Users()
	at := slices.IndexFunc(users, func(u workspace.User) bool { return u.Name == name && !u.Deleted })
	switch {
	case at < 0:
		p.notify(v, "", "There is no one named “"+escapeThree(name)+"”. Try `"+inviting+" @argo`.")
	case slices.Contains(v.here.Members(), users[at].ID):
		p.notify(v, "", "@"+escapeThree(name)+" is already in this channel.")
	case v.here.DirectTo() != "":
		p.notify(v, "", "You can't invite anyone to a direct message.")
	default:
		v.here.Invite(name)
	}
}

// missed says which apps do not hear a message because they are not in the channel, though it mentions them.
func (p *Page) missed(v *visit, text, thread string) {
	for _, a := range v.w.Apps() {
		if strings.Contains(text, "<@"+a.BotUserID+">") && !slices.Contains(v.here.Members(), a.BotUserID) {
			p.notify(v, thread, "You mentioned @"+escapeThree(a.Name)+", who is not in this channel. `"+inviting+" @"+escapeThree(a.Name)+"` adds it.")
		}
	}
}
