package workspace

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// User is a person or the face of an app. AddUser fills what is empty.
type User struct {
	ID       string
	Name     string // the handle, without @
	RealName string
	Email    string
	TZ       string // "Europe/Amsterdam"
	TeamID   string // another one's for somebody of a shared channel
	// Enterprise is the organisation of the person, Teams are their workspaces in it. Of somebody of the organisation's own
	// workspaces they are filled.
	Enterprise string
	Teams      []string
	Bot        bool
	Deleted    bool
	Admin      bool
	Guest      bool // a multi-channel guest; SingleChannel: of one channel alone
	// SingleChannel guests are restricted twice.
	SingleChannel bool
	// Stranger is in none of the shared channels that the app can see.
	Stranger bool
	AppID    string
	BotID    string
}

// Group is a user group, mentioned as <!subteam^ID>.
type Group struct {
	ID      string
	Handle  string // without @
	Name    string
	UserIDs []string
}

// AddUser adds a person and returns them with the ID they were given.
func (w *Workspace) AddUser(u User) User {
	w.do(func() { u = *w.addUser(u) })
	return u
}

func (w *Workspace) addUser(u User) *User {
	u.ID = cmp.Or(u.ID, w.newID("U"))
	u.TeamID = cmp.Or(u.TeamID, w.teamID)
	if w.opt.Enterprise != "" && u.Enterprise == "" && w.ours(u.TeamID) {
		u.Enterprise = w.opt.Enterprise
	}
	if u.Enterprise != "" && u.Teams == nil {
		u.Teams = []string{u.TeamID}
	}
	u.RealName = cmp.Or(u.RealName, strings.ToUpper(u.Name[:1])+u.Name[1:])
	u.TZ = cmp.Or(u.TZ, "Etc/UTC")
	if u.Email == "" && !u.Bot {
		u.Email = u.Name + "@" + w.opt.Domain + ".example"
	}
	w.users[u.ID] = &u
	return &u
}

// ours reports whether a workspace is this one, or one of its organisation.
func (w *Workspace) ours(team string) bool {
	return team == w.teamID || slices.Contains(w.opt.Workspaces, team)
}

// AddGroup adds a user group. Its members may be given by name or ID.
func (w *Workspace) AddGroup(g Group) Group {
	w.do(func() {
		g.ID = cmp.Or(g.ID, w.newID("S"))
		g.Name = cmp.Or(g.Name, g.Handle)
		ids := make([]string, 0, len(g.UserIDs))
		for _, who := range g.UserIDs {
			ids = append(ids, w.mustUser(who).ID)
		}
		g.UserIDs = ids
		kept := g
		w.groups[g.ID] = &kept
	})
	return g
}

// Deactivate ends the account of a person: they are in no channel and no group any more.
// https://slack.com/help/articles/204475027-Deactivate-a-members-account
func (w *Workspace) Deactivate(who string) {
	w.edit(who, func(u *User) {
		u.Deleted = true
		gone := func(id string) bool { return id == u.ID }
		for _, c := range w.channels {
			c.members = slices.DeleteFunc(slices.Clone(c.members), gone)
		}
		for _, g := range w.groups {
			g.UserIDs = slices.DeleteFunc(slices.Clone(g.UserIDs), gone)
		}
	})
}

// MakeGuest makes a member a guest, who stays in their channels and groups.
func (w *Workspace) MakeGuest(who string) {
	w.edit(who, func(u *User) { u.Guest = true })
}

// edit replaces what is known of a person.
func (w *Workspace) edit(who string, how func(*User)) {
	w.do(func() {
		u := *w.mustUser(who)
		how(&u)
		w.users[u.ID] = &u
	})
}

// Leave takes people out of a user group.
func (w *Workspace) Leave(group string, who ...string) {
	w.do(func() {
		for _, each := range who {
			id := w.mustUser(each).ID
			for _, g := range w.groups {
				if g.Handle == group {
					g.UserIDs = slices.DeleteFunc(slices.Clone(g.UserIDs), func(m string) bool { return m == id })
				}
			}
		}
	})
}

// Users are all of the workspace, by ID.
func (w *Workspace) Users() []User {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []User
	for _, u := range sorted(w.users) {
		all = append(all, *u)
	}
	return all
}

// Groups are all user groups, by ID.
func (w *Workspace) Groups() []Group {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []Group
	for _, g := range sorted(w.groups) {
		all = append(all, *g)
	}
	return all
}

// user finds somebody by ID or by name.
func (w *Workspace) user(who string) (*User, error) {
	who = strings.TrimPrefix(who, "@")
	if u, ok := w.users[who]; ok {
		return u, nil
	}
	for _, u := range sorted(w.users) {
		if u.Name == who {
			return u, nil
		}
	}
	return nil, fmt.Errorf("no user %q in the workspace", who)
}

// mustUser is for the setting of the scene: a story that names somebody must have added them.
func (w *Workspace) mustUser(who string) *User {
	u, err := w.user(who)
	if err != nil {
		panic(err)
	}
	return u
}

// json is the user object: https://docs.slack.dev/reference/objects/user-object
func (u *User) json(withEmail bool) answer {
	profile := answer{
		"real_name": u.RealName, "display_name": u.Name, "real_name_normalized": u.RealName,
		"display_name_normalized": u.Name, "team": u.TeamID,
	}
	if u.BotID != "" {
		profile["bot_id"] = u.BotID
		profile["api_app_id"] = u.AppID
	}
	// The address needs a scope of its own: users:read.email.
	if withEmail && u.Email != "" {
		profile["email"] = u.Email
	}
	o := answer{
		"id": u.ID, "team_id": u.TeamID, "name": u.Name, "deleted": u.Deleted, "real_name": u.RealName,
		"tz": u.TZ, "tz_label": u.TZ, "tz_offset": 0, "profile": profile,
		"is_admin": u.Admin, "is_owner": false, "is_bot": u.Bot, "is_app_user": false, "is_restricted": u.Guest || u.SingleChannel,
		"is_ultra_restricted": u.SingleChannel, "is_stranger": u.Stranger, "updated": 0,
	}
	if u.Enterprise != "" {
		o["enterprise_user"] = answer{
			"id": u.ID, "enterprise_id": u.Enterprise, "enterprise_name": u.Enterprise, "is_admin": false, "is_owner": false, "teams": list(u.Teams),
		}
	}
	return o
}
