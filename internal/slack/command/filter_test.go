package command_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/slack/command"
)

// wantList is what a list is about: "project=shop label=team=pay page=2 public".
func wantList(p command.Parsed) string {
	c := p.Command
	if c == nil || c.Verb != command.List {
		return want(p)
	}
	out := []string{"list"}
	add := func(key, value string) {
		if value != "" {
			out = append(out, key+"="+value)
		}
	}
	add("in", c.Target.String())
	add("project", c.Filter.Project)
	add("rule", c.Filter.Rule)
	add("cluster", c.Filter.Cluster)
	for _, l := range c.Filter.Labels {
		add("label", l)
	}
	if c.Page > 0 {
		add("page", fmt.Sprint(c.Page))
	}
	if c.Public {
		out = append(out, "public")
	}
	return strings.Join(out, " ")
}

func TestFiltersOfTheList(t *testing.T) {
	for name, s := range map[string]struct{ text, want string }{
		"nothing":                          {"list", "list"},
		"a project":                        {"list project:shop", "list project=shop"},
		"a project as the CLI takes it":    {"list -p shop", "list project=shop"},
		"a rule":                           {"list rule:hook/job-failed", "list rule=hook/job-failed"},
		"all rules of a group":             {"list rule:render", "list rule=render"},
		"all rules of a group with a star": {"list rule:render/*", "list rule=render"},
		"a cluster":                        {"list cluster:Prod_EU", "list cluster=Prod_EU"},
		"a cluster by its address":         {"list cluster:<https://10.0.0.1:6443>", "list cluster=10.0.0.1:6443"},
		"a label":                          {"list label:app.kubernetes.io/part-of=Shop", "list label=app.kubernetes.io/part-of=Shop"},
		"a label with any value":           {"list label:team", "list label=team"},
		"labels":                           {"list -l team=pay -l tier=web", "list label=team=pay label=tier=web"},
		"a label as the CLI takes it":      {"list --selector team=pay", "list label=team=pay"},
		"an instance and a namespace":      {"list instance:prod -n team-a", "list in=prod/team-a"},
		"everything together":              {"list project:shop rule:hook label:a=b page:2 public", "list project=shop rule=hook label=a=b page=2 public"},
		"everybody may see it":             {"list public", "list public"},
		"everybody may see it, an option":  {"list --public", "list public"},
		"in plain words":                   {"list everything please", "list"},
		"in a question":                    {"what is failing in project:shop?", "list project=shop"},

		"an unknown filter":        {"list team:pay", "says: There is no filter `team:`. Filters: `project:NAME`"},
		"an unknown option":        {"list --sort age", "says: There is no filter `--sort`."},
		"a filter with a slip":     {"list porject:shop", "says: There is no filter `porject:`. Did you mean `project:shop`?"},
		"a label without its word": {"list team=pay", "says: There is no filter `team=`. Did you mean `label:team=pay`?"},
		"a filter with nothing":    {"list project:", "says: `project:` must be followed by the name of the project."},
		"an option with nothing":   {"list -p", "says: `-p` must be followed by the name of the project."},
		"no rule":                  {"list rule:Hook_Failed!", "says: `rule:` must be followed by the ID of a rule, such as `hook/job-failed`, or of a group, such as `hook`."},
		"no label":                 {"list label:=x", "says: `label:` must be followed by `KEY=VALUE` or `KEY`."},
		"no page":                  {"list page:last", "says: `page:` must be followed by a number, such as `page:2`."},
		"page zero":                {"list page:0", "says: `page:` must be followed by a number"},
		"two projects":             {"list project:a project:b", "says: You named two projects, `a` and `b`. Which one?"},
		"several words":            {"list pay foo bar", "says: `list` takes filters such as `project:pay`, and `pay`, `foo` and `bar` are none. For one application: `/argo why pay`"},
		"only a name":              {"list shop", "says: `list` takes filters such as `project:shop`. For one application: `/argo why shop`"},
		"a filter for another":     {"why pay project:shop", "says: `project:` is a filter of `list`."},
	} {
		t.Run(name, func(t *testing.T) {
			got := wantList(command.Parse(command.Message{Way: command.Slash, Call: "/argo", Text: s.text}))
			part, says := strings.CutPrefix(s.want, "says: ")
			if says && (!strings.HasPrefix(got, "says: ") || !strings.Contains(got, part)) || !says && got != s.want {
				t.Errorf("%q\n got %s\nwant %s", s.text, got, s.want)
			}
		})
	}
}
