package workspace

import (
	"cmp"
	"slices"
)

func (c *call) authTest() (answer, error) {
	o := answer{
		"url": "https://" + c.w.opt.Domain + ".slack.com/", "team": c.w.opt.Team, "team_id": c.w.teamID,
		"user": c.app.Name, "user_id": c.app.BotUserID, "bot_id": c.app.BotID, "is_enterprise_install": false,
		"app_id": c.app.ID, "app_name": c.app.Name,
	}
	if c.w.opt.Enterprise != "" {
		o["enterprise_id"] = c.w.opt.Enterprise
	}
	return o, nil
}

// teamList is of the workspaces that the app was approved for: https://docs.slack.dev/reference/methods/auth.teams.list
func (c *call) teamList() (answer, error) {
	all := []answer{}
	for _, id := range append([]string{c.w.teamID}, c.w.opt.Workspaces...) {
		all = append(all, answer{"id": id, "name": id})
	}
	part, next, err := page(c, all, 100, 1000)
	if err != nil {
		return nil, err
	}
	return answer{"teams": list(part), "response_metadata": answer{"next_cursor": next}}, nil
}

func (c *call) teamInfo() (answer, error) {
	return answer{"team": answer{
		"id": c.w.teamID, "name": c.w.opt.Team, "domain": c.w.opt.Domain, "email_domain": "",
		"url": "https://" + c.w.opt.Domain + ".slack.com/", "icon": answer{"image_default": true},
	}}, nil
}

func (c *call) userInfo() (answer, error) {
	u := c.w.users[c.str("user")]
	if u == nil {
		return nil, refuse("user_not_found")
	}
	return answer{"user": u.json(c.app.may("users:read.email"))}, nil
}

func (c *call) userList() (answer, error) {
	part, next, err := page(c, sorted(c.w.users), 1000, 1000)
	if err != nil {
		return nil, err
	}
	members := []answer{}
	for _, u := range part {
		members = append(members, u.json(c.app.may("users:read.email")))
	}
	return answer{"members": members, "cache_ts": c.w.opt.Now().Unix(), "response_metadata": answer{"next_cursor": next}}, nil
}

func (c *call) lookupByEmail() (answer, error) {
	for _, u := range sorted(c.w.users) {
		if u.Email != "" && u.Email == c.str("email") && !u.Deleted {
			return answer{"user": u.json(true)}, nil
		}
	}
	return nil, refuse("users_not_found")
}

func (c *call) groupList() (answer, error) {
	groups := []answer{}
	for _, g := range sorted(c.w.groups) {
		o := answer{
			"id": g.ID, "team_id": c.w.teamID, "is_usergroup": true, "name": g.Name, "handle": g.Handle, "description": "",
			"is_external": false, "date_create": 0, "date_update": 0, "date_delete": 0, "user_count": len(g.UserIDs),
			"prefs": answer{"channels": []string{}, "groups": []string{}},
		}
		if c.flag("include_users") {
			o["users"] = list(g.UserIDs)
		}
		groups = append(groups, o)
	}
	return answer{"usergroups": groups}, nil
}

func (c *call) groupUsers() (answer, error) {
	g := c.w.groups[c.str("usergroup")]
	if g == nil {
		return nil, refuse("no_such_subteam")
	}
	return answer{"users": list(slices.Clone(g.UserIDs))}, nil
}

func (c *call) botInfo() (answer, error) {
	for _, a := range sorted(c.w.apps) {
		if a.BotID == cmp.Or(c.str("bot"), c.app.BotID) {
			return answer{"bot": a.profile()}, nil
		}
	}
	return nil, refuse("bot_not_found")
}

func (a *app) profile() answer {
	return answer{
		"id": a.BotID, "app_id": a.ID, "user_id": a.BotUserID, "name": a.Name, "team_id": a.teamID, "deleted": false,
		"updated": 0, "icons": answer{},
	}
}

// reacted finds the message that a reaction is about.
func (c *call) reacted() (*Message, error) {
	in, err := c.readable()
	if err != nil {
		return nil, err
	}
	if !in.has(c.app.BotUserID) {
		return nil, refuse("not_in_channel")
	}
	m := in.find(c.str("timestamp"))
	if m == nil {
		return nil, refuse("message_not_found")
	}
	if c.str("name") == "" {
		return nil, refuse("no_reaction")
	}
	return m, nil
}

func (c *call) addReaction() (answer, error) {
	m, err := c.reacted()
	if err != nil {
		return nil, err
	}
	if !m.react(c.str("name"), c.app.BotUserID) {
		return nil, refuse("already_reacted")
	}
	return nil, nil
}

func (c *call) removeReaction() (answer, error) {
	m, err := c.reacted()
	if err != nil {
		return nil, err
	}
	for i, r := range m.Reactions {
		if at := slices.Index(r.Users, c.app.BotUserID); r.Name == c.str("name") && at >= 0 {
			m.Reactions = slices.Clone(m.Reactions)
			m.Reactions[i].Users = slices.Delete(slices.Clone(r.Users), at, at+1)
			m.Reactions = slices.DeleteFunc(m.Reactions, func(r Reaction) bool { return len(r.Users) == 0 })
			return nil, nil
		}
	}
	return nil, refuse("no_reaction")
}

func (m *Message) react(name, userID string) bool {
	m.Reactions = slices.Clone(m.Reactions)
	for i, r := range m.Reactions {
		if r.Name != name {
			continue
		}
		if slices.Contains(r.Users, userID) {
			return false
		}
		m.Reactions[i].Users = append(slices.Clone(r.Users), userID)
		return true
	}
	m.Reactions = append(m.Reactions, Reaction{Name: name, Users: []string{userID}})
	return true
}
