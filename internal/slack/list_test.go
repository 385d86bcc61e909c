package slack_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	slackgo "github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack"
	"github.com/argo-why/argo-why/internal/slack/apps"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/workspace"
)

// listed is the newest message that only dana sees in #deploys, but for the one that comes with the acknowledgement, which may
// overtake it.
func (s *scene) listed() workspace.Message {
	s.t.Helper()
	all := slices.DeleteFunc(s.deploys.Ephemerals("dana"), func(m workspace.Message) bool { return strings.HasPrefix(m.Text, "Checking ") })
	if len(all) == 0 {
		s.t.Fatal(s.all())
	}
	return all[len(all)-1]
}

// asked is the answer to a list that dana asks for in words.
func (s *scene) asked(text string) string {
	s.t.Helper()
	s.slash("deploys", text)
	return read(s.listed())
}

// turn presses a button of the newest message that only dana sees, and returns what it shows then.
func (s *scene) turn(label string) string {
	s.t.Helper()
	m := s.listed()
	s.must(s.Click("dana", "deploys", m.TS, label))
	s.settle()
	if now := s.listed(); now.TS != m.TS {
		s.t.Errorf("the page is shown in another message\n%s", read(now))
	}
	return read(s.listed())
}

// fail has an application fail of a rule since some minutes.
func (s *scene) fail(k apps.Known, rule string, minutes int) {
	since := time.Now().Add(-time.Duration(minutes) * time.Minute)
	i := &incident.Incident{
		ID: k.App.Name, Phase: incident.Open, Cause: incident.Cause{Rule: rule, Key: rule + " " + k.App.Name}, Since: since,
		Members: []incident.Member{{App: k.App, Since: since, Headline: "prod/" + k.App.Name + ": Deployment/" + k.App.Name + " has no ready pod since its image could not be pulled"}},
		Thread:  incident.Thread{TS: "1", Permalink: "https://acme.slack.com/archives/C0123456789/p1700000000" + fmt.Sprintf("%06d", len(s.backend.incidents))},
	}
	s.backend.apps = append(s.backend.apps, k)
	s.backend.incidents = append(s.backend.incidents, i)
}

func named(name, project, cluster, labels string) apps.Known {
	return apps.Known{App: incident.App{Instance: "prod", Namespace: "argocd", Name: name}, Project: project, Cluster: cluster, Labels: labels}
}

// hundred has a hundred applications fail of forty causes, and returns their names and rules.
func (s *scene) hundred() (names, causes []string) {
	all := slices.Sorted(func(yield func(string) bool) {
		for id := range s.backend.Rules() {
			if !yield(id) {
				return
			}
		}
	})[:40]
	for n := range 100 {
		rule := all[min(n, 99-n)%len(all)]
		if n >= 60 {
			rule = all[7]
		}
		name := fmt.Sprintf("application-with-a-long-name-%03d", n)
		s.fail(named(name, "shop", "", ""), rule, n)
		names = append(names, name)
		if !slices.Contains(causes, rule) {
			causes = append(causes, rule)
		}
	}
	return names, causes
}

// moment is when a page was made.
var moment = regexp.MustCompile(`as of <!date[^>]*>`)

func TestAListOfAHundredCanBeReadToItsEnd(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		names, causes := s.hundred()
		got := s.asked("list")
		s.shows(got, fmt.Sprintf("🔴 100 applications are failing (%d causes)", len(causes)), "Page 1 of ")
		if n := len(s.fromBot(s.deploys.All())); n != 0 {
			t.Errorf("everyone sees it\n%s", s.all())
		}
		var seen strings.Builder
		pages := 1
		note := func() {
			m := s.listed()
			got := read(m)
			seen.WriteString(got)
			if strings.Contains(got, "Cut here") {
				t.Errorf("page %d is cut\n%s", pages, got)
			}
			var list slackgo.Blocks
			s.must(list.UnmarshalJSON(m.Blocks))
			if err := blocks.Check(list.BlockSet); err != nil {
				t.Error(err)
			}
			if high := blocks.MessageHeight(list.BlockSet); high > 1400 {
				t.Errorf("page %d is %d pixels high on a phone", pages, high)
			}
		}
		for note(); strings.Contains(read(s.listed()), "[Next ›]"); pages++ { // Slack takes five answers for one click
			s.turn("Next ›")
			note()
		}
		if pages < 3 {
			t.Errorf("%d pages", pages)
		}
		for _, rule := range causes {
			if !strings.Contains(seen.String(), rule) {
				t.Errorf("the cause %s is on no page", rule)
			}
		}
		for range pages - 1 {
			s.turn("‹ Previous")
		}
		if back := read(s.listed()); moment.ReplaceAllString(back, "") != moment.ReplaceAllString(got, "") {
			t.Errorf("page 1 is now\n%s\nand was\n%s", back, got)
		}

		// Each of them can be read: those of a cause that has many are behind its button.
		for !strings.Contains(read(s.listed()), "[Show all ") {
			s.turn("Next ›")
		}
		label := regexp.MustCompile(`Show all \d+`).FindString(read(s.listed()))
		s.turn(label)
		for note(); strings.Contains(read(s.listed()), "[Next ›]"); {
			s.turn("Next ›")
			note()
		}
		var missing []string
		for _, name := range names {
			if !strings.Contains(seen.String(), name) {
				missing = append(missing, name)
			}
		}
		if len(missing) > 0 {
			t.Errorf("on no page: %v", missing)
		}
		s.shows(s.turn("All causes"), fmt.Sprintf("(%d causes)", len(causes)))
	})
}

func TestAListGroupsByCauseTheNewestFirst(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		s.shows(s.asked("list"), "🟢 No application is failing")
		now := time.Now()
		outage := &incident.Incident{ID: "git", Phase: incident.Open, Cause: incident.Cause{Rule: "render/git-unreachable", Key: "git host g", Group: "git host g", Subject: "git host g"}, Since: now.Add(-2 * time.Hour), Thread: incident.Thread{TS: "1", Permalink: "https://acme.slack.com/git"}}
		for n, name := range []string{"a", "b", "c", "d", "e", "f", "g"} {
			m := incident.Member{App: incident.App{Instance: "prod", Namespace: "argocd", Name: name}, Since: now.Add(-2*time.Hour - time.Duration(n)*time.Minute)}
			if name == "g" {
				m.Well = now
			}
			outage.Members = append(outage.Members, m)
		}
		single := &incident.Incident{ID: "x", Phase: incident.Pending, Cause: incident.Cause{Rule: "hook/job-failed"}, Since: now, Members: []incident.Member{{App: s.backend.apps[0].App, Since: now, Headline: "courier-api: <!channel> hook failed"}}}
		s.backend.incidents = []*incident.Incident{outage, single}
		got := s.asked("list")
		title := s.backend.Rules()["render/git-unreachable"]
		s.shows(got, "🔴 7 applications are failing (2 causes)", s.backend.Rules()["hook/job-failed"]+"  hook/job-failed", "courier-api: <!channel> hook failed, since", "no thread yet",
			title+": Git host g  render/git-unreachable\n6 applications, latest 1999-12-31 22:", ", first 1999-12-31 21:5", "a<https://acme.slack.com/git>, b<https://acme.slack.com/git>, c<https://acme.slack.com/git> and 3 more", "[Show all 6]", "as of ")
		if strings.Index(got, "hook/job-failed") > strings.Index(got, "Git host g") {
			t.Errorf("the newest is not first\n%s", got)
		}
		s.shows(s.turn("Show all 6"), "🔴 6 applications are failing", "f, since 1999-12-31 21:5", "thread<https://acme.slack.com/git>", "[All causes]")
		if strings.Contains(read(s.listed()), "g, since") {
			t.Errorf("one that is healthy is listed\n%s", read(s.listed()))
		}
	})
}

// TestAListIsNotGreenWhileAConnectionFails, for whoever may see an application that depends on it.
func TestAListIsNotGreenWhileAConnectionFails(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		now := time.Now()
		warning := &incident.Incident{
			ID: "eu", Phase: incident.Open, Cause: incident.Cause{Rule: "compare/cluster-unreachable", Key: "eu", Group: "cluster eu-1", Subject: "cluster eu-1"},
			Since: now.Add(-time.Hour), Thread: incident.Thread{TS: "1", Permalink: "https://acme.slack.com/eu"},
			Report:      &diagnose.Report{Headline: "Cluster eu-1 rejects Argo CD's login"},
			Connections: []incident.Connection{{Instance: "prod", Kind: "cluster", Address: "https://eu1:6443", Since: now.Add(-time.Hour)}},
			Dependents:  1,
		}
		s.backend.dependents = map[string][]apps.Known{"eu": {named("pay", "shop", "https://eu1:6443", "team=pay")}}
		s.backend.incidents = []*incident.Incident{warning}
		for text, want := range map[string][]string{
			"list":              {"🟠 No application is failing, but Argo CD has 1 connection problem", "Cluster eu-1 rejects Argo CD's login, since ", "1 application depends on it", "thread<https://acme.slack.com/eu>"},
			"list project:shop": {"🟠 No application is failing in project shop, but Argo CD has 1 connection problem"},
		} {
			s.shows(s.asked(text), want...)
		}
		s.backend.also("staging", "argocd", "idle", "idle-project")
		s.shows(s.asked("list project:idle-project"), "🟢 No application is failing in project idle-project")
		s.fail(named("web", "shop", "https://kubernetes.default.svc", ""), "hook/job-failed", 1)
		s.shows(s.asked("list"), "🔴 1 application is failing (1 cause)", "🟠 Argo CD also has 1 connection problem:", "Cluster eu-1")
	})
}

func TestFiltersOfAList(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		s.fail(named("pay", "shop", "https://10.0.0.1:6443", "team=pay,tier=web"), "hook/job-failed", 1)
		s.fail(named("ledger", "books", "prod-eu", "team=pay"), "render/git-auth", 2)
		s.fail(named("web", "shop", "https://kubernetes.default.svc", "team=web"), "render/git-unreachable", 3)
		s.backend.also("staging", "argocd", "idle", "idle-project")
		for text, want := range map[string][]string{
			"list project:shop":                  {"🔴 2 applications are failing in project shop (2 causes)", "pay", "web"},
			"list -p books":                      {"🔴 1 application is failing in project books (1 cause)", "ledger"},
			"list rule:render":                   {"🔴 2 applications are failing for rule render (2 causes)", "ledger", "web"},
			"list rule:hook/job-failed":          {"🔴 1 application is failing for rule hook/job-failed", "pay"},
			"list cluster:prod-eu":               {"🔴 1 application is failing in cluster prod-eu", "ledger"},
			"list cluster:10.0.0.1":              {"🔴 1 application is failing in cluster 10.0.0.1", "pay"},
			"list cluster:in-cluster":            {"🔴 1 application is failing in cluster in-cluster", "web"},
			"list label:team=pay":                {"🔴 2 applications are failing with label team=pay", "pay", "ledger"},
			"list label:tier":                    {"🔴 1 application is failing with label tier", "pay"},
			"list project:shop label:team=web":   {"🔴 1 application is failing in project shop with label team=web", "web"},
			"list instance:prod -n argocd":       {"🔴 3 applications are failing in prod, namespace argocd"},
			"list project:idle-project":          {"🟢 No application is failing in project idle-project", "Without the filter, 3 applications are failing."},
			"list project:shpo":                  {"❔ Nothing to list in project shpo", "No application is in project shpo. Did you mean project:shop?"},
			"list project:unlike-any-other":      {"No application is in project unlike-any-other."},
			"list rule:hook/job-faild":           {"There is no rule hook/job-faild. Did you mean rule:hook/job-failed?"},
			"list cluster:prod-e":                {"No application is deployed to cluster prod-e. Did you mean cluster:prod-eu?"},
			"list label:team=pya":                {"No application has label team=pya. Did you mean label:team=pay?"},
			"list instance:stagign":              {"No application is in Argo CD instance stagign. Did you mean instance:staging?"},
			"list -n argocdd":                    {"No application is in namespace argocdd. Did you mean namespace:argocd?"},
			"list page:7":                        {"There is no page 7: everything is on this one.", "pay"},
			"list team:pay":                      {"There is no filter team:."},
			"list instance:staging":              {"🟢 No application is failing in staging"},
			"list rule:health project:shop":      {"🟢 No application is failing in project shop for rule health"},
			"what is failing in project:books ?": {"🔴 1 application is failing in project books", "ledger"},
		} {
			got := s.asked(text)
			for _, part := range want {
				if !strings.Contains(got, part) {
					t.Errorf("%s: no %q in\n%s", text, part, got)
				}
			}
			if strings.Contains(want[0], "🔴") {
				for _, name := range []string{"pay:", "ledger:", "web:"} {
					if strings.Contains(got, name) != (strings.Contains(want[0], " 3 app") || text == "list page:7" || strings.Contains(strings.Join(want[1:], ":")+":", name)) {
						t.Errorf("%s: whether %q is there is wrong\n%s", text, name, got)
					}
				}
			}
		}
		s.backend.silent = []string{"staging"}
		s.shows(s.asked("list instance:staging"), "❔ No known failures in staging", "Argo CD staging is not responding")
		s.shows(s.asked("list project:shpo"), "❔ No known failures in project shpo")
	})
}

func TestAListThatWasOvertakenSaysSo(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		s.hundred()
		s.asked("list")
		s.turn("Next ›")
		s.backend.incidents = s.backend.incidents[:98]
		s.shows(s.turn("Next ›"), "🔄 The list has changed since the previous page: 100 applications then, 98 now.", "Page 3 of ")
		if got := s.turn("Next ›"); strings.Contains(got, "has changed") {
			t.Errorf("nothing has changed since page 3\n%s", got)
		}
		s.backend.incidents = s.backend.incidents[:2]
		s.shows(s.turn("‹ Previous"), "There is no page 3: everything is on this one.", "98 applications then, 2 now")
		s.asked("list page:99")
		s.backend.incidents = nil
	})
	play(t, nil, func(t *testing.T, s *scene) {
		s.hundred()
		s.shows(s.asked("list page:99"), "There is no page 99. This is the last one, page ")
		for !strings.Contains(read(s.listed()), "[Show all ") {
			s.turn("‹ Previous")
		}
		label := regexp.MustCompile(`Show all \d+`).FindString(read(s.listed()))
		s.backend.incidents = s.backend.incidents[:3]
		s.shows(s.turn(label), "This cause is no longer in the list", "Its applications have recovered, were deleted, or fail for another reason now.", "[All causes]")
		s.backend.incidents = nil
		s.shows(s.turn("All causes"), "🟢 No application is failing", "3 applications then, 0 now")
	})
}

func TestAListIsPublicWhereItIsAskedFor(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		s.hundred()
		s.slash("deploys", "list public")
		all := s.fromBot(s.deploys.All())
		if len(all) != 1 {
			t.Fatal(s.all())
		}
		before := read(all[0])
		s.shows(before, "🔴 100 applications are failing", "[Page through, only for me]")
		s.must(s.Click("erin", "deploys", all[0].TS, "Page through, only for me"))
		s.settle()
		alone := s.deploys.Ephemerals("erin")
		if len(alone) != 1 || !strings.Contains(read(alone[0]), "[Next ›]") {
			t.Errorf("erin cannot page\n%s", s.all())
		}
		if got := read(s.fromBot(s.deploys.All())[0]); got != before {
			t.Errorf("the page that everyone sees was turned\n%s", got)
		}
	})
}

func TestAListByMentionStandsWhereItWasAskedForAndIsPrivate(t *testing.T) {
	for _, inThread := range []bool{false, true} {
		t.Run(fmt.Sprintf("thread %v", inThread), func(t *testing.T) {
			play(t, nil, func(t *testing.T, s *scene) {
				s.hundred()
				root := ""
				if inThread {
					root = s.say("what a day", "")
				}
				s.say("@argo list project:shop", root)
				if m := s.listed(); m.ThreadTS != root || !strings.Contains(read(m), "🔴 100 applications are failing in project shop") {
					t.Fatalf("in thread %q\n%s", m.ThreadTS, read(m))
				}
				s.shows(s.turn("Next ›"), "Page 2 of ")
				if m := s.listed(); m.ThreadTS != root {
					t.Errorf("page 2 is in thread %q", m.ThreadTS)
				}
				s.say("@argo list public", root)
				all := s.fromBot(s.deploys.All())
				if len(all) != 1 || all[0].ThreadTS != root {
					t.Errorf("not in the thread\n%s", s.all())
				}
			})
		})
	}
}

func TestAListInADirectMessageIsTurnedThere(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		s.hundred()
		_, err := s.Tell("dana", s.bot, "list", "")
		s.must(err)
		s.settle()
		dm := s.DirectMessage(s.bot, "dana")
		all := s.fromBot(dm.All())
		if len(all) != 1 {
			t.Fatal(s.all())
		}
		s.must(s.Click("dana", dm.ID(), all[0].TS, "Next ›"))
		s.settle()
		all = s.fromBot(dm.All())
		if len(all) != 1 || !strings.Contains(read(all[0]), "Page 2 of ") {
			t.Errorf("%d messages\n%s", len(all), s.all())
		}
	})
}

func TestAPageThatSlackDoesNotTakeIsShownBelow(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		s.hundred()
		s.asked("list")
		s.Fault(workspace.Fault{Method: "response_url", Status: 404, Times: 1})
		s.must(s.Click("dana", "deploys", s.listed().TS, "Next ›"))
		s.settle()
		s.shows(read(s.listed()), "Page 2 of ")
	})
}

func TestAButtonOfAListThatIsNotSignedDoesNothing(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		s.hundred()
		s.asked("list")
		m := s.listed()
		_, _, err := slack.NewClient(s.bot.BotToken, "", s.options.APIURL, s.options.HTTP).PostMessageContext(t.Context(), s.deploys.ID(), listButton(`{"page":2}`))
		s.must(err)
		all := s.fromBot(s.deploys.All())
		s.must(s.Click("dana", "deploys", all[len(all)-1].TS, "Next ›"))
		s.settle()
		if s.listed().TS == m.TS {
			t.Error("nothing was said")
		}
		s.shows(read(s.listed()), "This button is from an older message and no longer works. Ask again.")
	})
}

func listButton(value string) slackgo.MsgOption {
	label := slackgo.NewTextBlockObject(slackgo.PlainTextType, "Next ›", false, false)
	return slackgo.MsgOptionBlocks(slackgo.NewActionBlock("", slackgo.NewButtonBlockElement("argo_why_list_next", value, label)))
}

func TestAListHasWhatThePersonMaySee(t *testing.T) {
	play(t, func(o *slack.Options) {
		o.Viewer = audience.NewPolicy([]audience.Rule{{Projects: []string{"shop"}}}, nil, nil)
	}, func(t *testing.T, s *scene) {
		s.fail(named("pay", "shop", "", "team=pay"), "hook/job-failed", 1)
		s.fail(named("secret-ledger", "secret", "", "team=secret"), "hook/job-failed", 2)
		if got := s.asked("list"); strings.Contains(got, "secret") || !strings.Contains(got, "🔴 1 application is failing") {
			t.Error(got)
		}
		for _, text := range []string{"list project:secret", "list project:secrets", "list label:team=secrte"} { // what one may not see is not near either
			got := s.asked(text)
			if strings.Contains(got, "Did you mean") {
				t.Error(got)
			}
			s.shows(got, "❔ Nothing to list", "No application that you have access to ")
		}
		s.shows(s.asked("list project:shop rule:render"), "Nothing that you have access to is failing in project shop for rule render")
	})
}
