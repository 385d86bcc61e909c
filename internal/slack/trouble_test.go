package slack_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack"
	"github.com/argo-why/argo-why/internal/slack/request"
	"github.com/argo-why/argo-why/internal/workspace"
)

func TestAnAmbiguousNameIsChosenFromButtons(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		s.backend.also("staging", "argocd", "courier-api", "default")
		s.backend.also("prod", "team-b", "courier-api", "default")
		s.slash("deploys", "why courier-api")
		m := s.menu()
		s.shows(read(m), "3 applications are named courier-api. Which one?", "[prod/argocd/courier-api]", "[staging/argocd/courier-api]", "[prod/team-b/courier-api]")
		if n := len(s.deploys.All()); n != 0 {
			t.Errorf("%d messages before a choice", n)
		}
		s.must(s.Click("dana", "deploys", m.TS, "prod/argocd/courier-api"))
		s.settle()
		s.shows(read(s.deploys.Messages()[0]), "courier-api: ")
		s.shows(s.alone("deploys"), "Checking prod/argocd/courier-api…")
		if strings.Contains(s.alone("deploys"), "Which one?") {
			t.Error("the menu stands there still")
		}
	})
}

func TestManyOfOneNameBecomeAMenu(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		for i := range 120 {
			s.backend.also("prod", fmt.Sprintf("team-%03d", i), "web", "default")
		}
		s.slash("deploys", "history web")
		m := s.menu()
		s.shows(read(m), "120 applications are named web.", "(20 more are not listed: use instance/namespace/name.)", "(100 options)")
		s.must(s.Choose("dana", "deploys", m.TS, "argo_why_choose", "team-007/web"))
		s.settle()
		s.shows(read(s.deploys.Messages()[0]), "History of prod/team-007/web")
	})
}

func TestADoubleClickIsOneChoice(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		s.backend.also("staging", "argocd", "courier-api", "default")
		s.slash("deploys", "history courier-api")
		m := s.menu()
		s.must(s.Click("dana", "deploys", m.TS, "prod/argocd/courier-api"))
		s.must(s.Click("dana", "deploys", m.TS, "prod/argocd/courier-api"))
		s.settle()
		if n := len(s.deploys.All()); n != 1 {
			t.Errorf("%d answers\n%s", n, s.all())
		}
	})
}

func TestAnUnknownNameGetsNearOnes(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		s.slash("deploys", "diff ratinga-pi-two")
		m := s.menu()
		s.shows(read(m), "No application named ratinga-pi-two. Did you mean:", "[argocd/rating-api-two]")
		s.must(s.Click("dana", "deploys", m.TS, "argocd/rating-api-two"))
		s.settle()
		s.shows(read(s.deploys.Messages()[0]), "rating-api-two: 1 resource differs")

		s.slash("deploys", "lsit")
		s.shows(s.alone("deploys"), "No application named lsit. If you meant the command, use /argo list.")
		s.slash("deploys", "why zzz")
		s.shows(s.alone("deploys"), "No application named zzz. Check the name, the namespace and the Argo CD instance.")
	})
}

func TestAButtonOfAnOlderMessageIsAnsweredPolitely(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		client := slack.NewClient(s.bot.BotToken, "", s.options.APIURL, s.options.HTTP)
		_, ts, err := client.PostMessageContext(t.Context(), s.deploys.ID(), oldButtons())
		s.must(err)
		s.must(s.Click("dana", "deploys", ts, "Sync…"))
		s.settle()
		s.shows(s.alone("deploys"), "This button is from an older message")
		before := s.alone("deploys")
		s.must(s.Click("dana", "deploys", ts, "Open in Argo CD"))
		s.settle()
		if s.alone("deploys") != before {
			t.Errorf("a link was answered\n%s", s.alone("deploys"))
		}
	})
}

func TestInAChannelWithoutTheBotThePersonGetsTheAnswerAloneAndIsToldWhy(t *testing.T) {
	for _, text := range []string{"why courier-api", "diff rating-api-two", "history courier-api", "list public"} {
		t.Run(text, func(t *testing.T) {
			play(t, nil, func(t *testing.T, s *scene) {
				s.slash("ops", text)
				got := s.alone("ops")
				s.shows(got, "Only you can see this, because I am not in this channel. Type /invite @argo and I can answer here for everyone.")
				if !strings.Contains(got, "courier-api: ") && !strings.Contains(got, "rating-api-two: ") && !strings.Contains(got, "History of") && !strings.Contains(got, "No application is failing") {
					t.Errorf("no answer\n%s", got)
				}
				if text == "why courier-api" {
					s.shows(got, "Evidence", "Read the full log", "For step 1:\nkubectl -n team-courier-api logs")
				}
				if n := len(s.ops.All()); n != 0 {
					t.Errorf("%d messages in the channel", n)
				}
			})
		})
	}
}

func TestWhoMayNotLookIsToldWhoCouldAndNotWhatThereIs(t *testing.T) {
	play(t, func(o *slack.Options) {
		o.Viewer = audience.NewPolicy([]audience.Rule{{Projects: []string{"payments"}, Users: []string{"U777"}}, {Projects: []string{"open"}}}, nil, nil)
	}, func(t *testing.T, s *scene) {
		s.backend.apps[0].Project = "payments"
		s.backend.apps[1].Project = "open"
		s.backend.also("prod", "argocd", "courier-web", "payments")
		now := time.Now()
		s.backend.incidents = []*incident.Incident{
			{ID: "a", Cause: incident.Cause{Rule: "hook/job-failed"}, Members: []incident.Member{{App: s.backend.apps[0].App, Since: now}}},
			{ID: "b", Cause: incident.Cause{Rule: "drift/manual-edit"}, Members: []incident.Member{{App: s.backend.apps[1].App, Since: now}}},
		}
		for _, verb := range []string{"why", "diff", "history"} {
			s.slash("deploys", verb+" courier-api")
		}
		got := s.alone("deploys")
		if n := strings.Count(got, "No application named courier-api that you have access to. Check the name, the namespace and the Argo CD instance. The bot's Argo CD account also needs permission to see the application.\nAccess to applications is given to @U777."); n != 3 {
			t.Errorf("told %d times\n%s", n, got)
		}
		if n := len(s.deploys.All()); n != 0 {
			t.Fatal(s.all())
		}
		// What one may not see is neither near nor failing.
		s.slash("deploys", "why courier-ap")
		if got := s.alone("deploys"); strings.Contains(got, "[") || strings.Contains(got, "courier-web") {
			t.Errorf("near names tell what is there\n%s", got)
		}
		s.slash("deploys", "list")
		list := read(s.listed())
		s.shows(list, "1 application is failing (1 cause)", "rating-api-two")
		if strings.Contains(list, "courier") || strings.Contains(list, "hook/job-failed") {
			t.Errorf("the list tells what one may not see\n%s", list)
		}
	})
}

func TestWhatGoesWrongIsSaid(t *testing.T) {
	for _, s := range []struct {
		name string
		err  error
		want string
	}{
		{"Argo CD is down", &request.Error{What: "argocd.example.com does not answer", Remedy: "see whether argocd-server runs"}, "argocd.example.com does not answer. See whether argocd-server runs."},
		{"the application no longer exists", incident.ErrGone, "no longer exists."},
		{"nobody knows", errors.New("dial tcp 10.0.0.1: token xoxb-secret"), "Something went wrong (reference "},
	} {
		t.Run(s.name, func(t *testing.T) {
			for _, text := range []string{"why courier-api", "diff courier-api", "history courier-api", "list"} {
				if text == "list" && errors.Is(s.err, incident.ErrGone) {
					continue
				}
				play(t, nil, func(t *testing.T, sc *scene) {
					sc.backend.whyErr = s.err
					sc.slash("deploys", text)
					sc.shows(sc.alone("deploys"), s.want)
					if strings.Contains(sc.all(), "xoxb-secret") {
						t.Error("the error of a library is shown")
					}
				})
			}
		})
	}
}

func TestAPanicIsSaidAndTheBotGoesOn(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		s.backend.panics = true
		s.slash("deploys", "why courier-api")
		s.shows(s.alone("deploys"), "Internal error (reference ")
		s.backend.panics = false
		s.slash("deploys", "why courier-api")
		if len(s.deploys.Messages()) != 1 {
			t.Error(s.all())
		}
	})
}

func TestWhenArgoCDIsTooSlowThePersonIsTold(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		s.backend.hold = make(chan struct{}) // for ever
		s.slash("deploys", "why courier-api")
		s.shows(s.alone("deploys"), "Checking courier-api…")
		time.Sleep(time.Minute)
		s.shows(s.alone("deploys"), "No answer within 45s. Argo CD is slow or unreachable")
	})
}

func TestAnOpenIncidentIsJoined(t *testing.T) {
	story := func(t *testing.T, change func(s *scene, i *incident.Incident), tell func(s *scene, got string)) {
		play(t, nil, func(t *testing.T, s *scene) {
			app := s.backend.apps[0].App
			i := &incident.Incident{ID: "i", Phase: incident.Open, Members: []incident.Member{{App: app}}, Report: s.backend.reports[app.Name], Thread: incident.Thread{Channel: s.ops.ID(), TS: "1.2", Permalink: "https://acme.slack.com/archives/C1/p12"}}
			s.backend.incidents = []*incident.Incident{i}
			if change != nil {
				change(s, i)
			}
			s.slash("deploys", "why courier-api")
			tell(s, s.alone("deploys"))
		})
	}
	t.Run("the person gets the headline and the way to the thread", func(t *testing.T) {
		story(t, nil, func(s *scene, got string) {
			s.shows(got, "🔴 courier-api: ", ". Follow it in its thread<https://acme.slack.com/archives/C1/p12>", "The thread is up to date.")
			if n := len(s.deploys.All()); n != 0 {
				t.Errorf("%d messages in the channel", n)
			}
		})
	})
	t.Run("when Argo CD is down the way is shown all the same", func(t *testing.T) {
		story(t, func(s *scene, _ *incident.Incident) {
			s.backend.refreshErr = &request.Error{What: "argocd.example.com does not answer"}
		}, func(s *scene, got string) {
			s.shows(got, "its thread<https://acme", "The thread could not be updated: argocd.example.com does not answer.")
		})
	})
	t.Run("one that was never told is answered here", func(t *testing.T) {
		story(t, func(_ *scene, i *incident.Incident) { i.Thread = incident.Thread{} }, func(s *scene, _ string) {
			s.shows(read(s.deploys.Messages()[0]), "courier-api: ")
		})
	})
	t.Run("part of an outage", func(t *testing.T) {
		story(t, func(s *scene, i *incident.Incident) {
			i.Cause = incident.Cause{Key: "g", Group: "g", Subject: "git host git.example.com"}
			i.Members = append(i.Members, incident.Member{App: s.backend.apps[1].App})
			i.Report = nil
		}, func(s *scene, got string) {
			s.shows(got, "🔴 git host git.example.com (one of 2 applications)")
		})
	})
	t.Run("asked aloud it is answered aloud, beneath the message that asked", func(t *testing.T) {
		story(t, nil, func(s *scene, _ string) {
			ts := s.say("@argo why courier-api", "")
			thread := s.fromBot(s.deploys.Thread(ts))
			if len(thread) != 1 {
				t.Fatal(s.all())
			}
			s.shows(read(thread[0]), "its thread<https://acme")
		})
	})
}

func TestMarkupInANameStaysText(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		s.slash("deploys", "why &lt;!channel&gt;|*x*")
		for _, m := range s.deploys.Ephemerals("dana") {
			if strings.Contains(m.Text, "<!") || strings.Contains(string(m.Blocks), `"broadcast"`) {
				t.Errorf("%s", m.Blocks)
			}
		}
	})
}

func TestWhenTheResponseURLIsUsedUpThePersonIsToldOtherwise(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		s.Fault(workspace.Fault{Method: "response_url", Status: 404, Times: -1})
		s.slash("deploys", "why zzz")
		s.shows(s.alone("deploys"), "No application named zzz.")
		s.slash("ops", "why zzz") // the bot is not there: a direct message is left
		got := s.fromBot(s.DirectMessage(s.bot, "dana").All())
		if len(got) != 1 {
			t.Fatal(s.all())
		}
		s.shows(read(got[0]), "No application named zzz.")
	})
}

func TestAResponseURLIsNotLogged(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		s.Fault(workspace.Fault{Method: "response_url", Drop: true, Times: -1})
		s.slash("deploys", "why zzz")
		s.shows(s.alone("deploys"), "No application named zzz.")
		s.shows(s.log.String(), "response URL failed, trying another way")
		if strings.Contains(s.log.String(), "/response/") {
			t.Errorf("whoever reads the log can post\n%s", s.log.String())
		}
	})
}

func TestWhenTheResponseURLDoesNotAnswerThePersonIsToldOtherwise(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		s.Fault(workspace.Fault{Method: "response_url", Hang: true, Times: -1})
		s.slash("deploys", "why zzz")
		s.shows(s.alone("deploys"), "No application named zzz.")
	})
}

func TestAThreadThatCannotBeReadInTimeIsAskedFor(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		root := s.say("it hangs", "")
		s.Fault(workspace.Fault{Method: "conversations.replies", Hang: true, Times: -1})
		s.say("@argo why", root)
		time.Sleep(time.Minute)
		s.shows(s.alone("deploys"), "Slack did not let me read this thread. Name the application.")
	})
}
