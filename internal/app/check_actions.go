package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/preflight"
	"github.com/argo-why/argo-why/internal/text"
)

// wantedActions are those that the configuration allows to somebody on applications of an instance. Muting needs no right
// anywhere, and a hard refresh is everybody's where nothing is said about it.
func wantedActions(instance string, rules []config.ActionRule) []preflight.WantedAction {
	if len(rules) == 0 {
		return nil // nobody is interested in actions
	}
	wanted := []preflight.WantedAction{{Action: config.ActionHardRefresh}}
	for _, action := range []string{config.ActionDeleteHookJob, config.ActionTerminate, config.ActionSync} {
		w := preflight.WantedAction{Action: action}
		found, everywhere := false, false
		for _, r := range rules {
			if !slices.Contains(r.Actions, action) || !r.Covers(instance) {
				continue
			}
			found, everywhere = true, everywhere || len(r.Projects) == 0
			w.Projects = append(w.Projects, r.Projects...)
		}
		if everywhere {
			w.Projects = nil
		}
		if found {
			wanted = append(wanted, w)
		}
	}
	return wanted
}

// changing reports whether something is wanted beside a refresh, which leaves clusters alone.
func changing(wanted []preflight.WantedAction) bool { return len(wanted) > 1 }

// whoMay says of each rule who may do what, as the first rule that fits decides.
func whoMay(rules []config.ActionRule) []preflight.Finding {
	var found []preflight.Finding
	say := func(format string, args ...any) {
		found = append(found, preflight.Finding{What: "actions", Detail: fmt.Sprintf(format, args...)})
	}
	said := map[string]bool{}
	for i, r := range rules {
		who := named(r.Users, r.UserGroups)
		if who == "" {
			who = "everyone"
		}
		approval := ""
		if from := r.Approval; from.Needed() {
			approval = fmt.Sprintf(", needs approval within %s from someone else among %s", text.Setting(from.ExpireAfter), named(from.Users, from.UserGroups))
		}
		say("%d. %s: %s, for %s%s", i+1, strings.Join(r.Actions, ", "), who, scope(r), approval)
		for _, action := range r.Actions {
			said[action] = true
		}
	}
	everybodys := slices.DeleteFunc([]string{config.ActionHardRefresh, config.ActionMute}, func(a string) bool { return said[a] })
	nobodys := slices.DeleteFunc([]string{config.ActionDeleteHookJob, config.ActionTerminate, config.ActionSync}, func(a string) bool { return said[a] })
	if len(everybodys) > 0 {
		say("%s: everyone with access to the application", strings.Join(everybodys, ", "))
	}
	if len(nobodys) > 0 {
		say("%s: no one, because no entry under actions covers it", strings.Join(nobodys, ", "))
	}
	return found
}

func named(users, groups []string) string {
	var out []string
	if len(users) > 0 {
		out = append(out, "users "+strings.Join(users, ", "))
	}
	if len(groups) > 0 {
		out = append(out, "user groups "+strings.Join(groups, ", "))
	}
	return strings.Join(out, " and ")
}

// scope is which applications a rule is about.
func scope(r config.ActionRule) string {
	var out []string
	for _, part := range []struct {
		name  string
		globs []string
	}{{"applications", r.Applications}, {"projects", r.Projects}, {"instances", r.Instances}} {
		if len(part.globs) > 0 {
			out = append(out, part.name+" "+strings.Join(part.globs, ", "))
		}
	}
	if len(out) == 0 {
		return "all applications"
	}
	return strings.Join(out, " in ")
}
