//go:build system

package system_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/rpc"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/slack/probe"
	"github.com/argo-why/argo-why/internal/workspace"
)

const (
	slackRole = "slack"
	channel   = "deploys"
	command   = "/argo"
	person    = "alice"
	botToken  = "xoxb-system"
	appToken  = "xapp-1-system"
)

// Slack is the process with the workspace. It keeps the pace that Slack allows.
type Slack struct{ w *workspace.Workspace }

func serveSlack() int {
	w := workspace.New(workspace.Options{Pace: true})
	server, err := workspace.Start(context.Background(), "127.0.0.1:0", w)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = server.Close() }()
	app := w.AddApp(workspace.App{
		BotToken: botToken, AppToken: appToken, Name: "argo", Commands: []string{command}, Scopes: probe.Names(), Events: []string{"app_mention", "message.im"},
	})
	w.AddUser(workspace.User{Name: person})
	w.AddChannel(channel, person, app.BotUserID)
	return serve(&Slack{w})
}

// Where is how to reach the workspace.
type Where struct{ URL, Team string }

// Where answers it.
func (s *Slack) Where(_ none, where *Where) error {
	*where = Where{URL: s.w.URL() + "/api/", Team: s.w.TeamID()}
	return nil
}

// Message is one of the channel or of a thread in it.
type Message struct {
	At              time.Time
	TS, Thread      string
	Incident, Text  string
	Number, Updates int
	Reply           bool
	Blocks          string
}

// Messages are all of the channel, oldest first.
func (s *Slack) Messages(_ none, out *[]Message) error {
	for _, m := range s.w.Channel(channel).All() {
		var meta struct {
			Payload struct {
				Incident string `json:"incident"`
				Seq      int    `json:"seq"`
			} `json:"event_payload"`
		}
		_ = json.Unmarshal(m.Metadata, &meta) // a message of a person has none
		*out = append(*out, Message{
			At: stamped(m.TS), TS: m.TS, Thread: m.ThreadTS, Incident: meta.Payload.Incident, Number: meta.Payload.Seq, Text: m.Text, Updates: m.Updates,
			Reply: !m.Root(), Blocks: string(m.Blocks),
		})
	}
	return nil
}

// stamped is when a message was posted, by the clock of this machine: its ts.
func stamped(ts string) time.Time {
	var seconds, micros int64
	_, _ = fmt.Sscanf(ts, "%d.%d", &seconds, &micros)
	return time.Unix(seconds, micros*1000)
}

// Command types a slash command and measures how long Slack waits for its acknowledgement.
func (s *Slack) Command(text string, took *time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	before := len(s.w.Timeouts())
	began := time.Now()
	if err := s.w.Command(person, channel, command, text); err != nil {
		return err
	}
	if err := s.w.Await(ctx, func() bool { return s.w.Pending() == 0 }); err != nil {
		return err
	}
	*took = time.Since(began)
	if failed := s.w.Timeouts(); len(failed) > before {
		return fmt.Errorf("%s %s: %s", command, text, failed[before].Reason)
	}
	return nil
}

// Calls is how often a method was called.
func (s *Slack) Calls(method string, n *int) error {
	*n = s.w.Calls(method)
	return nil
}

func startSlack(t *testing.T) (*process, *rpc.Client) {
	t.Helper()
	return played(t, slackRole)
}

// Ask types "why" with the name of an application and measures how long a person waits for the answer.
func (s *Slack) Ask(app string, took *time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	began := time.Now()
	since := s.w.Now()
	if err := s.w.Command(person, channel, command, "why "+app); err != nil {
		return err
	}
	err := s.w.Await(ctx, func() bool {
		return slices.ContainsFunc(s.w.Channel(channel).Messages(), func(m workspace.Message) bool {
			return m.TS >= since && strings.Contains(m.Text, app+":")
		})
	})
	*took = time.Since(began)
	return err
}
