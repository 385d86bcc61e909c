package world

import (
	"crypto/rand"
	"time"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/slack/probe"
	"github.com/argo-why/argo-why/internal/workspace"
)

const (
	// Channel is the one that the bot posts incidents to.
	Channel = "deploys"
	// Command is the slash command of the bot.
	Command = "/argo"
)

// Person is somebody that a visitor can be.
type Person struct {
	Name, Role string
}

// Everybody is who is there. A developer asks, on-call approves, the lead may do both.
var Everybody = []Person{{"alice", "developer"}, {"bob", "on call"}, {"carol", "lead"}}

// People are those of the workspace, and the bot as they see it.
type People struct {
	App workspace.App
	// ID is that of a person by name, and of a user group by "@" and its handle.
	ID map[string]string
}

// populate makes the people, their groups, the channels and the bot.
func populate(w *workspace.Workspace) *People {
	p := &People{ID: map[string]string{}}
	p.App = w.AddApp(workspace.App{
		// Random ones: with tokens that can be guessed, any site that the visitor has open could post as the bot.
		BotToken: "xoxb-" + rand.Text(), AppToken: "xapp-1-" + rand.Text(),
		Name: "argo", Commands: []string{Command}, Scopes: probe.Names(), Events: []string{"app_mention", "message.im"},
	})
	var all []string
	for _, each := range Everybody {
		p.ID[each.Name] = w.AddUser(workspace.User{Name: each.Name}).ID
		all = append(all, each.Name)
	}
	p.ID["@oncall"] = w.AddGroup(workspace.Group{Handle: "oncall", Name: "On call", UserIDs: []string{p.ID["bob"]}}).ID
	p.ID["@leads"] = w.AddGroup(workspace.Group{Handle: "leads", Name: "Leads", UserIDs: []string{p.ID["carol"]}}).ID
	w.AddChannel(Channel, append(all, p.App.BotUserID)...)
	w.AddChannel("random", all...) // without the bot, which answers privately there
	for _, each := range Everybody {
		w.DirectMessage(p.App, each.Name)
	}
	return p
}

// DefaultGrants let on-call and lead do everything; a developer needs the approval of one of them.
func (p *People) DefaultGrants() []Grant {
	all := []string{config.ActionSync, config.ActionTerminate, config.ActionDeleteHookJob}
	them := []string{p.ID["@oncall"], p.ID["@leads"]}
	return []Grant{
		{Actions: all, Groups: them},
		{Actions: all, Users: []string{p.ID["alice"]}, Approval: &Approval{Groups: them, ExpireAfter: 15 * time.Minute}},
	}
}
