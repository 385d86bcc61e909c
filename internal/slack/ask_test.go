package slack_test

import (
	"strings"
	"testing"
	"time"

	slackgo "github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack"
	"github.com/argo-why/argo-why/internal/slack/answer"
	"github.com/argo-why/argo-why/internal/workspace"
)

func TestWhyIsAcknowledgedAndThenAnsweredWithARootMessageAndAThread(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		s.slash("deploys", "why courier-api")
		s.shows(s.alone("deploys"), "Checking courier-api…")
		roots := s.deploys.Messages()
		if len(roots) != 1 {
			t.Fatalf("%d messages\n%s", len(roots), s.all())
		}
		s.shows(read(roots[0]), "🔴 courier-api: ", "Why", "Fix", "Sync only if bb498fd contains the fix: ")
		s.shows(roots[0].Text, "courier-api: ")
		thread := s.deploys.Thread(roots[0].TS)
		if len(thread) != 2 {
			t.Fatalf("%d messages in the thread\n%s", len(thread), s.all())
		}
		s.shows(read(thread[1]), "Evidence")
	})
}

func TestOtherWaysToAskWhy(t *testing.T) {
	for name, text := range map[string]string{
		"the name alone": "courier-api", "a slip": "wyh courier-api", "with its namespace": "why argocd/courier-api",
		"with everything": "why prod/argocd/courier-api", "in plain words": "why is `courier-api` failing?",
	} {
		t.Run(name, func(t *testing.T) {
			play(t, nil, func(t *testing.T, s *scene) {
				s.slash("deploys", text)
				if roots := s.deploys.Messages(); len(roots) != 1 || !strings.Contains(read(roots[0]), "courier-api: ") {
					t.Error(s.all())
				}
			})
		})
	}
}

func TestHelpAndWhatIsNotUnderstoodComeWithTheAcknowledgement(t *testing.T) {
	for text, want := range map[string]string{
		"":             "/argo why APP  why it is failing",
		"help":         "the latest deployments and failures",
		"frobnicate x": "I don't understand frobnicate. Commands: /argo why APP",
		"why":          "Which application? For example: /argo why my-app",
		"sync x":       "Use the button in the incident's thread or below the answer to why.",
	} {
		t.Run(text, func(t *testing.T) {
			play(t, nil, func(t *testing.T, s *scene) {
				s.slash("ops", text)
				s.shows(s.alone("ops"), want)
				if n := s.backend.asked; n != 0 {
					t.Errorf("asked Argo CD %d times", n)
				}
			})
		})
	}
}

func TestDiffShowsBothValuesAndWhoWroteTheLiveOne(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		s.slash("deploys", "diff rating-api-two")
		roots := s.deploys.Messages()
		if len(roots) != 1 {
			t.Fatal(s.all())
		}
		s.shows(read(roots[0]), "rating-api-two: 1 resource differs from Git", "Deployment/", "spec.replicas", "Git ", "live ", "set by ")
	})
}

func TestDiffNeverShowsASecret(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		c := s.backend.cases["rating-api-two"]
		c.Application.Status.Resources = []evidence.ResourceStatus{
			{Kind: "Secret", Name: "db", Namespace: "shop", Status: "OutOfSync"},
			{Group: "apps", Kind: "Deployment", Name: "web", Namespace: "shop", Status: "OutOfSync"},
			{Kind: "ConfigMap", Name: "old", Namespace: "shop", Status: "OutOfSync", RequiresPruning: true},
			{Kind: "Service", Name: "new", Namespace: "shop", Status: "OutOfSync"},
			{Kind: "Service", Name: "lost", Namespace: "shop", Status: "OutOfSync"},
		}
		web := func(password string) evidence.State {
			return evidence.State(`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"template":{"spec":{"containers":[{"name":"web","env":[{"name":"DB_PASSWORD","value":"` + password + `"}],"args":["<!channel>"]}]}}}}`)
		}
		c.Managed.Items = []evidence.ResourceDiff{
			{Kind: "Secret", Name: "db", Namespace: "shop", TargetState: `{"kind":"Secret","data":{"k":"b25l"}}`, LiveState: `{"kind":"Secret","data":{"k":"dHdv"}}`},
			{Group: "apps", Kind: "Deployment", Name: "web", Namespace: "shop", TargetState: web("hunter2"), LiveState: web("hunter3")},
			{Kind: "ConfigMap", Name: "old", Namespace: "shop", LiveState: `{"kind":"ConfigMap"}`},
			{Kind: "Service", Name: "new", Namespace: "shop", TargetState: `{"kind":"Service"}`},
		}
		s.slash("deploys", "diff rating-api-two")
		got := read(s.deploys.Messages()[0])
		s.shows(got, "Secret/db in shop differs; the contents of Secrets are never shown", "env[name=DB_PASSWORD].value", "[redacted]",
			"ConfigMap/old in shop is in the cluster but not in Git", "Service/new in shop is in Git but not in the cluster",
			"Service/lost in shop differs, but its fields could not be compared: Argo CD did not return it")
		for _, secret := range []string{"b25l", "dHdv", "hunter"} {
			if strings.Contains(got, secret) {
				t.Errorf("%s is shown", secret)
			}
		}
	})
}

func TestHistoryTellsDeploymentsAndFailuresTheNewestFirst(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		app := s.backend.apps[0].App
		now := time.Now()
		over := incident.Incident{
			ID: "a", Phase: incident.Recovered, Cause: incident.Cause{Rule: "render/git-auth"}, Since: now.Add(-50 * time.Hour), RecoveredAt: now.Add(-49 * time.Hour),
			Members: []incident.Member{{App: app, Well: now.Add(-49 * time.Hour), Headline: "courier-api: Git refused the token"}},
			Thread:  incident.Thread{TS: "1.2", Permalink: "https://acme.slack.com/archives/C1/p12"},
		}
		open := incident.Incident{ID: "b", Phase: incident.Open, Cause: incident.Cause{Rule: "hook/job-failed"}, Since: now.Add(-time.Hour), Members: []incident.Member{{App: app, Headline: "courier-api: PreSync hook failed"}}}
		s.backend.history[app.Name] = answer.History{
			Deployments: []evidence.Deployment{{ID: 1, Revision: strings.Repeat("1", 40), DeployedAt: evidence.Time{Time: now}}, {ID: 2, Revision: strings.Repeat("2", 40), DeployedAt: evidence.Time{Time: now}}},
			Incidents:   []*incident.Incident{&over, &open},
		}
		s.slash("deploys", "history courier-api")
		got := read(s.deploys.Messages()[0])
		s.shows(got, "2222222 deployed 2000-01-01 00:00 UTC, the last successful one", "PreSync hook failed  hook/job-failed", ", ongoing", "Git refused the token  render/git-auth", ", lasted 60 min · thread<https://acme")
		if strings.Index(got, "2222222") > strings.Index(got, "1111111") || strings.Index(got, "PreSync") > strings.Index(got, "Git refused") {
			t.Errorf("the newest is not first\n%s", got)
		}
	})
}

// TestAnApplicationOutsideOfArgoCDsNamespaceIsShownWithIts: another one in Argo CD's own namespace may have the same name.
func TestAnApplicationOutsideOfArgoCDsNamespaceIsShownWithIts(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		other := s.backend.apps[0]
		other.App.Namespace = "team-a"
		s.backend.apps = append(s.backend.apps, other)
		for _, verb := range []string{"history", "diff"} {
			s.slash("deploys", verb+" team-a/courier-api")
			all := s.deploys.Messages()
			if got := read(all[len(all)-1]); !strings.Contains(got, "team-a/courier-api") {
				t.Errorf("%s: %s", verb, got)
			}
			s.slash("deploys", verb+" argocd/courier-api")
			all = s.deploys.Messages()
			if got := read(all[len(all)-1]); strings.Contains(got, "/courier-api") && !strings.Contains(got, "prod/courier-api") {
				t.Errorf("%s: %s", verb, got)
			}
		}
	})
}

func TestHistoryOfOneThatNeverFailed(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		s.slash("deploys", "history courier-api")
		s.shows(read(s.deploys.Messages()[0]), "Never deployed.", "No failures recorded.")
	})
}

func TestADirectMessageIsAnsweredThere(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		ts, err := s.Tell("dana", s.bot, "why courier-api", "")
		s.must(err)
		s.settle()
		got := s.fromBot(s.DirectMessage(s.bot, "dana").All())
		if len(got) != 2 || got[0].ThreadTS == ts {
			t.Fatal(s.all())
		}
		s.shows(read(got[0]), "courier-api: ")
		for text, want := range map[string]string{"hello": "Ask why an application is failing: why my-app.", "why nothing-like-it": "No application named nothing-like-it."} {
			_, err := s.Tell("dana", s.bot, text, "")
			s.must(err)
			s.settle()
			all := s.fromBot(s.DirectMessage(s.bot, "dana").All())
			s.shows(read(all[len(all)-1]), want)
		}
	})
}

func TestAMentionIsAnsweredInTheChannel(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		s.say("hey @argo why is courier-api failing?", "")
		roots := s.fromBot(s.deploys.Messages())
		if len(roots) != 1 {
			t.Fatal(s.all())
		}
		s.shows(read(roots[0]), "courier-api: ")
		s.say("thanks @argo!", "")
		s.say("courier-api is down again, who looks?", "")
		if n := len(s.fromBot(s.deploys.All())); n != 2 {
			t.Errorf("the bot talks to people who did not ask it\n%s", s.all())
		}
		s.say("@argo frobnicate courier-api", "")
		s.shows(s.alone("deploys"), "I don't understand frobnicate. Commands: @argo why APP")
	})
}

func TestInAThreadTheApplicationCanBeLeftOut(t *testing.T) {
	t.Run("below an answer", func(t *testing.T) {
		play(t, nil, func(t *testing.T, s *scene) {
			s.slash("deploys", "why rating-api-two")
			root := s.deploys.Messages()[0].TS
			s.say("@argo diff", root)
			thread := s.deploys.Thread(root)
			s.shows(read(thread[len(thread)-1]), "rating-api-two: 1 resource differs from Git")
		})
	})
	t.Run("below one's own message, after it was answered there", func(t *testing.T) {
		play(t, nil, func(t *testing.T, s *scene) {
			root := s.say("the deploy is stuck", "")
			s.say("@argo why courier-api", root)
			s.say("@argo history", root)
			thread := s.fromBot(s.deploys.Thread(root))
			if len(thread) != 3 {
				t.Fatal(s.all())
			}
			s.shows(read(thread[2]), "History of prod/courier-api")
		})
	})
	t.Run("in the thread of an incident", func(t *testing.T) {
		play(t, nil, func(t *testing.T, s *scene) {
			root := s.say("an incident", "")
			s.backend.incidents = []*incident.Incident{{Phase: incident.Open, Members: []incident.Member{{App: s.backend.apps[0].App}}, Thread: incident.Thread{Channel: s.deploys.ID(), TS: root}}}
			s.say("@argo why?", root)
			s.shows(read(s.fromBot(s.deploys.Thread(root))[0]), "courier-api: ")
		})
	})
	t.Run("in the thread of an incident, which is brought up to date by it", func(t *testing.T) {
		play(t, nil, func(t *testing.T, s *scene) {
			root := s.say("an incident", "")
			report := *s.backend.reports["courier-api"]
			report.Headline = "courier-api: it fails of something else now"
			s.backend.incidents = []*incident.Incident{{Phase: incident.Open, Report: &report, Members: []incident.Member{{App: s.backend.apps[0].App}}, Thread: incident.Thread{Channel: s.deploys.ID(), TS: root}}}
			s.say("@argo why?", root)
			s.shows(read(s.fromBot(s.deploys.Thread(root))[0]), "it fails of something else now")
			if s.backend.refreshed != 1 {
				t.Errorf("brought up to date %d times", s.backend.refreshed)
			}
		})
	})
	t.Run("in the thread of an outage it is asked which", func(t *testing.T) {
		play(t, nil, func(t *testing.T, s *scene) {
			root := s.say("an outage", "")
			s.backend.incidents = []*incident.Incident{{Phase: incident.Open, Members: []incident.Member{{App: s.backend.apps[0].App}, {App: s.backend.apps[1].App}}, Thread: incident.Thread{Channel: s.deploys.ID(), TS: root}}}
			s.say("@argo why", root)
			m := s.menu()
			s.shows(read(m), "This thread is about several applications. Which one?", "[argocd/courier-api]", "[argocd/rating-api-two]")
			s.must(s.Click("dana", "deploys", m.TS, "argocd/rating-api-two"))
			s.settle()
			got := s.fromBot(s.deploys.Thread(root))
			if len(got) == 0 {
				t.Fatal(s.all())
			}
			s.shows(read(got[0]), "rating-api-two: ")
		})
	})
	t.Run("what another bot posts in it is not believed", func(t *testing.T) {
		play(t, nil, func(t *testing.T, s *scene) {
			root := s.say("lunch?", "")
			other := s.AddApp(workspace.App{Name: "other"})
			s.deploys.Invite("other")
			_, _, err := slack.NewClient(other.BotToken, "", s.options.APIURL, s.options.HTTP).PostMessageContext(t.Context(), s.deploys.ID(), likeAnAnswer(), slackgo.MsgOptionTS(root))
			s.must(err)
			s.say("@argo why", root)
			s.shows(s.alone("deploys"), "Which application? This thread is not about a known one.")
		})
	})
	t.Run("in a thread about something else it is asked which", func(t *testing.T) {
		play(t, nil, func(t *testing.T, s *scene) {
			root := s.say("lunch?", "")
			s.say("@argo why", root)
			s.shows(s.alone("deploys"), "Which application? This thread is not about a known one. For example: @argo why my-app")
		})
	})
}
