package audience

import (
	"fmt"
	"path"
	"slices"
)

// Rule lets some people see some applications.
type Rule struct {
	// Instances and Projects are globs. Empty: all.
	Instances, Projects []string
	// Users are IDs, U…; Groups are IDs of user groups, S…; Channels are IDs, C…: whoever asks there may see the answer,
	// because everybody there can read it. One of the three is enough; without any it is everybody.
	Users, Groups, Channels []string
	// Publish: what a person may see by this rule is shown to everybody in the channel where they ask. Of a channel that people from
	// other organizations read, that is so only if Channels has it.
	Publish bool
}

func (r Rule) covers(app App, project string) bool {
	return (len(r.Instances) == 0 || anyFits(r.Instances, app.Instance)) && (len(r.Projects) == 0 || anyFits(r.Projects, project))
}

// all reports whether the rule is about every application.
func (r Rule) all() bool { return len(r.Instances) == 0 && len(r.Projects) == 0 }

func (r Rule) everybody() bool {
	return len(r.Users) == 0 && len(r.Groups) == 0 && len(r.Channels) == 0
}

// published reports whether the rule is about everybody who reads the channel, whichever organization they are of.
func (r Rule) published(channel string) bool {
	return r.Publish && slices.Contains(r.Channels, channel)
}

// personal reports whether the rule admits some people and not all who read the channel.
func (r Rule) personal(channel string) bool {
	return !r.everybody() && !slices.Contains(r.Channels, channel)
}

// who are those that a rule admits.
func (r Rule) who() []string {
	var out []string
	for _, list := range []struct {
		form string
		ids  []string
	}{{"<!subteam^%s>", r.Groups}, {"<@%s>", r.Users}, {"anyone who asks in <#%s>", r.Channels}} {
		for _, id := range list.ids {
			out = append(out, fmt.Sprintf(list.form, id))
		}
	}
	return out
}

func anyFits(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		ok, err := path.Match(p, name)
		return ok && err == nil
	})
}
