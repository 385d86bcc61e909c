package slack_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/argo-why/argo-why/internal/workspace/workspacetest"
)

// wire is a scene whose socket is in the hands of the test: it sends what it likes, as Slack would write it, and reads the
// acknowledgements. Calls of the Web API go to the workspace. All of it goes over ports.
type wire struct {
	*scene
	conn *websocket.Conn
}

// ack is an acknowledgement as it goes over the socket.
type ack struct {
	Envelope string          `json:"envelope_id"`
	Payload  json.RawMessage `json:"payload"`
}

// open starts the bot and takes its connection.
func open(t *testing.T, change func(*scene)) *wire {
	t.Helper()
	w, url := workspacetest.Start(t)
	s := newScene(t, w, url)
	taken := make(chan *websocket.Conn, 1)
	upgrader := websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }} // slack-go says that it is Slack's page
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		conn, err := upgrader.Upgrade(rw, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		taken <- conn
	}))
	t.Cleanup(server.Close)
	s.options.HTTP = &http.Client{Transport: leadingTo("ws" + strings.TrimPrefix(server.URL, "http"))}
	change(s)
	s.listen(nil)
	conn := <-taken
	t.Cleanup(func() {
		s.end()
		_ = conn.Close()
	})
	wr := &wire{scene: s, conn: conn}
	wr.send(`{"type": "hello", "num_connections": 1, "connection_info": {"app_id": "A1"}, "debug_info": {}}`)
	return wr
}

// leadingTo is a transport that has every connection opened at an address.
type leadingTo string

func (l leadingTo) RoundTrip(r *http.Request) (*http.Response, error) {
	if !strings.HasSuffix(r.URL.Path, "/apps.connections.open") {
		return http.DefaultTransport.RoundTrip(r)
	}
	body := fmt.Sprintf(`{"ok": true, "url": %q}`, string(l))
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)), Request: r,
	}, nil
}

func (w *wire) send(raw string) {
	w.t.Helper()
	w.must(w.conn.WriteMessage(websocket.TextMessage, []byte(raw)))
}

// deliver sends an envelope and gives its acknowledgement.
func (w *wire) deliver(id, kind, payload string) ack {
	w.t.Helper()
	w.send(fmt.Sprintf(`{"envelope_id": %q, "type": %q, "accepts_response_payload": true, "payload": %s}`, id, kind, payload))
	var got ack
	w.must(w.conn.ReadJSON(&got))
	return got
}

// says fails unless the acknowledgement is that of the envelope, and says that to the person; "" is nothing.
func (w *wire) says(got ack, id, want string) {
	w.t.Helper()
	payload := string(got.Payload)
	silent := payload == "" || payload == "null"
	if got.Envelope != id || silent != (want == "") || !strings.Contains(payload, want) {
		w.t.Errorf("envelope %s was acknowledged with %s, want that of %s with %q", got.Envelope, payload, id, want)
	}
}

func (w *wire) slashBy(team, trigger, text string) string {
	return fmt.Sprintf(`{"team_id": %q, "user_id": %q, "user_name": "dana", "channel_id": %q, "command": "/argo", "text": %q, "trigger_id": %q}`,
		team, w.dana.ID, w.deploys.ID(), text, trigger)
}

func (w *wire) mention(team, userTeam, ts, text string) string {
	return fmt.Sprintf(`{"type": "event_callback", "team_id": %q, "event_id": "Ev%s", "event": {
		"type": "app_mention", "user": %q, "user_team": %q, "channel": %q, "ts": %q, "text": "<@%s> %s"}}`,
		team, ts, w.dana.ID, userTeam, w.deploys.ID(), ts, w.bot.BotUserID, text)
}

// TestWhoseEnvelopeItIsAndWhetherItCameBefore: from the bytes on the socket to the acknowledgement and what people see.
func TestWhoseEnvelopeItIsAndWhetherItCameBefore(t *testing.T) {
	w := open(t, func(s *scene) { s.options.Workers = 1 }) // one after the other
	home := w.TeamID()
	for _, e := range []struct {
		name, id, kind, payload, want string
	}{
		{"a command", "1", "slash_commands", w.slashBy(home, "t1", "history courier-api"), "Checking "},
		{"the same envelope", "1", "slash_commands", w.slashBy(home, "t1", "history courier-api"), ""},
		{"the same command in another envelope", "2", "slash_commands", w.slashBy(home, "t1", "history courier-api"), ""},
		{"a command from another workspace", "3", "slash_commands", w.slashBy("T0OTHER", "t3", "history courier-api"), "I only answer members of the workspace I am installed in."},
		{"a mention", "4", "events_api", w.mention(home, home, "1700000000.000400", "history courier-api"), ""},
		{"the same mention", "5", "events_api", w.mention(home, home, "1700000000.000400", "history courier-api"), ""},
		{"a mention in another workspace", "6", "events_api", w.mention("T0OTHER", home, "1700000000.000600", "history courier-api"), ""},
		{"a mention by a guest", "7", "events_api", w.mention(home, "T0OTHER", "1700000000.000700", "history courier-api"), ""},
		{"help", "8", "slash_commands", w.slashBy(home, "t8", "help"), "What you can ask"},
		{"nothing that is known", "9", "interactive", `{"type": "shortcut", "team": {"id": "` + home + `"}}`, ""},
	} {
		t.Run(e.name, func(t *testing.T) { w.says(w.deliver(e.id, e.kind, e.payload), e.id, e.want) })
	}
	w.says(w.deliver("last", "slash_commands", w.slashBy(home, "t9", "history rating-api-two")), "last", "Checking ")
	w.await("the last answer", func() bool {
		all := w.deploys.All()
		return len(all) > 0 && strings.Contains(read(all[len(all)-1]), "History of prod/rating-api-two")
	})
	if n := len(w.deploys.All()); n != 3 { // the command, the mention, the last
		t.Errorf("%d answers to 3 requests\n%s", n, w.all())
	}
	if got := w.alone("deploys"); strings.Count(got, "I only answer members of the workspace") != 1 { // the acknowledgement is not shown by the workspace
		t.Errorf("the guest was told\n%s", got)
	}
	for line, n := range map[string]int{
		`outcome="taken",type="slash"`: 2, `outcome="duplicate",type="slash"`: 2, `outcome="foreign",type="slash"`: 1, `outcome="replied",type="slash"`: 1,
		`outcome="taken",type="event app_mention"`: 1, `outcome="duplicate",type="event app_mention"`: 1, `outcome="foreign",type="event app_mention"`: 2,
	} {
		w.counts(fmt.Sprintf("argo_why_slack_envelopes_total{%s} %d", line, n))
	}
}

// TestTooBusy: a command hears so with its acknowledgement. An event is not acknowledged, so that Slack delivers it again.
func TestTooBusy(t *testing.T) {
	hold := make(chan struct{})
	w := open(t, func(s *scene) {
		s.options.Workers, s.options.Queue = 1, 1
		s.backend.hold = hold
	})
	home := w.TeamID()
	begun := func() int {
		w.backend.mu.Lock()
		defer w.backend.mu.Unlock()
		return w.backend.asked
	}
	w.says(w.deliver("1", "slash_commands", w.slashBy(home, "t1", "history courier-api")), "1", "Checking ")
	for begun() == 0 {
		time.Sleep(time.Millisecond) // until the worker has it, and the queue is empty
	}
	w.says(w.deliver("2", "slash_commands", w.slashBy(home, "t2", "history courier-api")), "2", "Checking ")
	const busy = "The bot is busy or restarting. Ask again in a moment."
	w.says(w.deliver("3", "slash_commands", w.slashBy(home, "t3", "history courier-api")), "3", busy)
	mention := w.mention(home, home, "1700000000.000400", "history rating-api-two")
	w.send(fmt.Sprintf(`{"envelope_id": "4", "type": "events_api", "payload": %s}`, mention))
	w.says(w.deliver("5", "slash_commands", w.slashBy(home, "t5", "history courier-api")), "5", busy) // and nothing of 4 before it
	close(hold)
	w.await("two answers", func() bool { return len(w.deploys.All()) == 2 })
	w.says(w.deliver("6", "events_api", mention), "6", "")
	w.await("the answer to what was delivered again", func() bool { return len(w.deploys.All()) == 3 })
}
