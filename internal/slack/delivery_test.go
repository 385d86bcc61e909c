package slack_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/slack"
	"github.com/argo-why/argo-why/internal/workspace"
)

func TestAnEnvelopeThatComesTwiceIsAnsweredOnce(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		s.DuplicateEnvelopes(4)
		s.slash("deploys", "history courier-api")
		s.say("@argo history courier-api", "") // two events: app_mention and message.channels
		if n := len(s.fromBot(s.deploys.All())); n != 2 {
			t.Errorf("%d answers to two requests\n%s", n, s.all())
		}
	})
}

func TestAnEventThatIsDeliveredAgainIsAnsweredOnce(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		// The acknowledgement gets lost, after the request was taken: Slack brings it again.
		s.backend.hold = make(chan struct{})
		ts, err := s.Say("dana", "deploys", "<@"+s.bot.BotUserID+"> history courier-api", "")
		s.must(err)
		s.settle()
		s.CutSockets()
		s.settle()
		close(s.backend.hold)
		time.Sleep(10 * time.Minute)
		if n := len(s.fromBot(s.deploys.All())); n != 1 {
			t.Errorf("%d answers to %s\n%s", n, ts, s.all())
		}
	})
}

func TestTheAcknowledgementDoesNotWaitForArgoCD(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		s.backend.hold = make(chan struct{})
		for range 30 { // more than there are workers
			s.must(s.Command("dana", "deploys", "/argo", "why courier-api"))
		}
		s.settle() // three seconds are long over
		if n := strings.Count(s.alone("deploys"), "Checking courier-api…"); n != 30 {
			t.Errorf("%d of 30 acknowledged", n)
		}
		close(s.backend.hold)
		time.Sleep(2 * time.Minute) // at one message per second
		if n := len(s.deploys.Messages()); n != 30 {
			t.Errorf("%d of 30 answered", n)
		}
	})
}

func TestWhenThereIsTooMuchToDoThePersonIsTold(t *testing.T) {
	play(t, func(o *slack.Options) { o.Workers, o.Queue = 1, 1 }, func(t *testing.T, s *scene) {
		s.backend.hold = make(chan struct{})
		for range 3 {
			s.slash("deploys", "history courier-api")
		}
		s.shows(s.alone("deploys"), "The bot is busy or restarting. Ask again in a moment.")
		// Of an event Slack is not told that it was taken, and brings it again, when there is room.
		_, err := s.Say("dana", "deploys", "<@"+s.bot.BotUserID+"> history rating-api-two", "")
		s.must(err)
		time.Sleep(2 * time.Second)
		close(s.backend.hold)
		time.Sleep(2 * time.Minute)
		if n := len(s.fromBot(s.deploys.All())); n != 3 {
			t.Errorf("%d answers\n%s", n, s.all())
		}
	})
}

func TestOnlyOurWorkspaceIsServed(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		s.AddUser(workspace.User{Name: "frank", TeamID: "T999"})
		s.deploys.Invite("frank")
		s.backend.also("staging", "argocd", "courier-api", "default")
		s.slash("deploys", "why courier-api")
		before := s.backend.asked
		client := slack.NewClient(s.bot.BotToken, "", s.options.APIURL, s.options.HTTP)
		_, ts, err := client.PostMessageContext(t.Context(), s.deploys.ID(), oldButtons())
		s.must(err)
		s.must(s.Click("frank", "deploys", ts, "Sync…"))
		s.settle()
		got := s.deploys.Ephemerals("frank")
		if len(got) != 1 || s.backend.asked != before {
			t.Fatalf("somebody of another organisation was answered: %v", got)
		}
		s.shows(read(got[0]), "I only answer members of the workspace I am installed in.")
		s.counts(`argo_why_slack_envelopes_total{outcome="foreign",type="click"} 1`)
	})
}

func TestABotTokenOfAnotherWorkspaceIsNotUsed(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		o := s.options
		o.Team, o.Registry = "T999", nil
		app, err := slack.New(o)
		s.must(err)
		stop := s.run(app)
		time.Sleep(time.Minute)
		if err := app.Alive(); err == nil || !strings.Contains(err.Error(), "the bot token belongs to workspace "+s.TeamID()+" (Acme), but slack.team is T999") {
			t.Error(err)
		}
		stop()
	})
}

func TestWhenSlackAsksForANewConnectionNothingIsLost(t *testing.T) {
	for _, reason := range []string{"refresh_requested", "warning", "link_disabled"} {
		t.Run(reason, func(t *testing.T) {
			play(t, nil, func(t *testing.T, s *scene) {
				s.backend.hold = make(chan struct{})
				s.must(s.Command("dana", "deploys", "/argo", "history courier-api"))
				s.settle()
				s.Disconnect(reason)
				if err := s.app.Alive(); err != nil {
					t.Errorf("readiness flaps: %v", err)
				}
				s.await("another connection", func() bool { return s.Sockets(s.bot) == 1 })
				close(s.backend.hold)
				s.settle()
				s.slash("deploys", "history courier-api")
				if n := len(s.deploys.Messages()); n != 2 {
					t.Errorf("%d answers\n%s", n, s.all())
				}
			})
		})
	}
}

func TestADeadSocketIsNoticed(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		s.Silence()
		began := time.Now()
		s.await("another connection", func() bool { return s.Sockets(s.bot) == 1 && len(s.sockets()) > 1 })
		if took := time.Since(began); took > 100*time.Second {
			t.Errorf("noticed after %s", took)
		}
		s.settle()
		if err := s.app.Alive(); err != nil {
			t.Error(err)
		}
		s.slash("deploys", "history courier-api")
		if len(s.deploys.Messages()) != 1 {
			t.Error(s.all())
		}
	})
}

// mute is a connection on which nothing is heard after the handshake.
type mute struct {
	net.Conn
	shaken, closed chan struct{}
	once           sync.Once
}

func (c *mute) Read(b []byte) (int, error) {
	select {
	case <-c.shaken:
		<-c.closed
		return 0, net.ErrClosed
	default:
	}
	n, err := c.Conn.Read(b)
	if bytes.Contains(b[:n], []byte("\r\n\r\n")) {
		n = bytes.Index(b[:n], []byte("\r\n\r\n")) + 4
		close(c.shaken)
	}
	return n, err
}

func (c *mute) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

func TestASocketThatNeverGreetsIsReplaced(t *testing.T) {
	muted := 1
	play(t, func(o *slack.Options) {
		dial := o.Dial
		o.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
			conn, err := dial(ctx, network, addr)
			if err != nil || muted == 0 {
				return conn, err
			}
			muted--
			return &mute{Conn: conn, shaken: make(chan struct{}), closed: make(chan struct{})}, nil
		}
	}, func(t *testing.T, s *scene) {
		if s.app.Alive() == nil {
			t.Error("alive, and nothing was ever heard")
		}
		time.Sleep(40 * time.Second)
		if err := s.app.Alive(); err != nil {
			t.Error(err)
		}
		s.counts(`argo_why_slack_reconnects_total{reason="no-hello"} 1`)
		s.slash("deploys", "history courier-api")
		if len(s.deploys.Messages()) != 1 {
			t.Error(s.all())
		}
	})
}

func TestReadinessTellsWhileSlackCannotBeReached(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		s.RefuseSockets(1000)
		s.CutSockets()
		s.settle()
		if err := s.app.Alive(); err != nil {
			t.Errorf("too early: %v", err)
		}
		time.Sleep(30 * time.Second)
		err := s.app.Alive()
		if err == nil || !strings.Contains(err.Error(), "slack: not connected for 4") {
			t.Errorf("readiness says %v", err)
		}
		s.counts("argo_why_slack_connected 0")
		s.ClearFaults()
		s.await("a connection", func() bool { return s.Sockets(s.bot) == 1 })
		s.settle()
		if err := s.app.Alive(); err != nil {
			t.Error(err)
		}
		s.counts("argo_why_slack_connected 1")
	})
}

func TestAConnectionThatSlackDoesNotOpenIsAskedForAgain(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		s.Fault(workspace.Fault{Method: "apps.connections.open", Hang: true, Times: 1})
		s.CutSockets()
		time.Sleep(time.Minute)
		if err := s.app.Alive(); err != nil || len(s.sockets()) != 3 { // the first, the one without an answer, the one after it
			t.Errorf("%d connections were asked for: %v", len(s.sockets()), err)
		}
	})
}

func TestARevokedTokenIsTriedAgainAndReadinessSaysWhatToDo(t *testing.T) {
	play(t, nil, func(t *testing.T, s *scene) {
		s.Fault(workspace.Fault{Method: "apps.connections.open", Error: "token_revoked", Times: 10})
		s.CutSockets()
		time.Sleep(time.Minute)
		if err := s.app.Alive(); err == nil || !strings.Contains(err.Error(), "token_revoked: Slack rejects the app token; create a new one and configure it") {
			t.Errorf("readiness says %v", err)
		}
		time.Sleep(20 * time.Minute)
		if err := s.app.Alive(); err != nil {
			t.Errorf("not back: %v", err)
		}
	})
}

// counts checks a sample of the metrics, written as Prometheus does.
func (s *scene) counts(line string) {
	s.t.Helper()
	families, err := s.registry.Gather()
	s.must(err)
	var all []string
	for _, f := range families {
		for _, m := range f.GetMetric() {
			var labels []string
			for _, l := range m.GetLabel() {
				labels = append(labels, fmt.Sprintf("%s=%q", l.GetName(), l.GetValue()))
			}
			name := f.GetName()
			if len(labels) > 0 {
				name += "{" + strings.Join(labels, ",") + "}"
			}
			all = append(all, fmt.Sprintf("%s %v", name, m.GetCounter().GetValue()+m.GetGauge().GetValue()))
		}
	}
	if !slices.Contains(all, line) {
		s.t.Errorf("no %s in\n%s", line, strings.Join(all, "\n"))
	}
}

// sockets are the connections that were ever asked for.
func (s *scene) sockets() []workspace.Call { return s.Log("apps.connections.open") }
