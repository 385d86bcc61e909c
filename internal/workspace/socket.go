package workspace

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// https://docs.slack.dev/apis/events-api/using-socket-mode
const (
	maxSockets  = 10
	ticketLife  = 30 * time.Second
	warningTime = 10 * time.Second
	// Slack closes the connection over a longer acknowledgement; slack-go refuses to send one.
	maxAck = 20 << 10
)

// socket is one connection of an app. Two goroutines own the connection: one reads, one writes.
type socket struct {
	w      *Workspace
	app    *app
	conn   *websocket.Conn
	out    chan any
	closed chan struct{}
	once   sync.Once

	// Under the lock of the workspace.
	silent  bool // open and dead
	leaving bool // told to go: gets no more envelopes
}

type dialFaults struct {
	refuse    int // connections to answer 503
	duplicate int // envelopes to send twice
	// tamper edits the next click or submission; last is the one that was sent last.
	tamper func(payload map[string]any)
	last   sentInteraction
}

func (w *Workspace) newTicket(a *app, base string) answer {
	ticket := w.newID("ticket")
	w.tickets[ticket] = a
	w.after(ticketLife, func() { delete(w.tickets, ticket) })
	address := "ws" + strings.TrimPrefix(base, "http")
	return answer{"url": address + "/link/?ticket=" + ticket + "&app_id=" + a.ID}
}

func (w *Workspace) serveSocket(rw http.ResponseWriter, r *http.Request) {
	var a *app
	refused := false
	w.do(func() {
		ticket := r.URL.Query().Get("ticket")
		a = w.tickets[ticket]
		delete(w.tickets, ticket)
		if w.dials.refuse > 0 {
			w.dials.refuse--
			refused = true
		}
	})
	switch {
	case refused:
		http.Error(rw, "service unavailable", http.StatusServiceUnavailable)
		return
	case a == nil:
		http.Error(rw, "invalid ticket", http.StatusForbidden)
		return
	}
	// Any origin: the ticket is the proof, as at Slack.
	upgrader := websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}
	conn, err := upgrader.Upgrade(rw, r, nil)
	if err != nil {
		return // the upgrader has answered
	}
	conn.SetReadLimit(maxAck)
	s := &socket{w: w, app: a, conn: conn, out: make(chan any, 1000), closed: make(chan struct{})}
	conn.SetPingHandler(s.pinged)
	w.do(func() { w.greet(s) })
	go s.write()
	go func() { // Close may have looked for sockets before this one was there
		select {
		case <-w.closed:
			s.cut()
		case <-s.closed:
		}
	}()
	s.read()
}

// greet admits a socket, unless the app has too many.
func (w *Workspace) greet(s *socket) {
	open := 1
	for _, other := range w.sockets {
		if other.app == s.app {
			open++
		}
	}
	if open > maxSockets {
		s.leaving = true
		s.push(disconnect("too_many_websockets"))
		s.push(hangUp{})
		return
	}
	w.sockets = append(w.sockets, s)
	s.push(answer{
		"type": "hello", "num_connections": open, "connection_info": answer{"app_id": s.app.ID},
		"debug_info": answer{
			"host": "applink-memory-0", "started": w.opt.Now().UTC().Format("2006-01-02 15:04:05.000"), "build_number": 1,
			"approximate_connection_time": 18060,
		},
	})
}

func disconnect(reason string) answer {
	return answer{"type": "disconnect", "reason": reason, "debug_info": answer{"host": "applink-memory-0"}}
}

// push never blocks: a client that has not read a thousand messages has stopped reading.
func (s *socket) push(message any) {
	select {
	case s.out <- message:
	default:
		go s.cut()
	}
}

// hangUp as a message closes the connection after all before it.
type hangUp struct{}

func (s *socket) write() {
	ticker := time.NewTicker(s.w.opt.PingInterval)
	defer ticker.Stop()
	defer s.cut()
	// Slack's clients count on a first ping soon after the hello.
	if s.conn.WriteControl(websocket.PingMessage, []byte("ping"), time.Now().Add(time.Second)) != nil {
		return
	}
	for {
		select {
		case <-s.closed:
			return
		case <-ticker.C:
			if s.isSilent() {
				continue
			}
			if s.conn.WriteControl(websocket.PingMessage, []byte("ping"), time.Now().Add(time.Second)) != nil {
				return
			}
		case message := <-s.out:
			if s.isSilent() {
				continue
			}
			if _, over := message.(hangUp); over {
				_ = s.conn.WriteControl(websocket.CloseMessage,
					websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""), time.Now().Add(time.Second))
				return
			}
			if s.conn.WriteJSON(message) != nil {
				return
			}
		}
	}
}

func (s *socket) read() {
	defer s.cut()
	for {
		_, raw, err := s.conn.ReadMessage()
		if err != nil {
			return
		}
		var ack struct {
			EnvelopeID string          `json:"envelope_id"`
			Payload    json.RawMessage `json:"payload"`
		}
		if json.Unmarshal(raw, &ack) == nil && !s.isSilent() {
			s.w.do(func() { s.w.acknowledge(ack.EnvelopeID, ack.Payload) })
		}
	}
}

func (s *socket) pinged(data string) error {
	if s.isSilent() {
		return nil
	}
	_ = s.conn.WriteControl(websocket.PongMessage, []byte(data), time.Now().Add(time.Second))
	return nil
}

func (s *socket) isSilent() bool {
	s.w.mu.Lock()
	defer s.w.mu.Unlock()
	return s.silent
}

// cut closes the connection without a word.
func (s *socket) cut() {
	s.once.Do(func() {
		close(s.closed)
		_ = s.conn.Close()
		s.w.do(func() {
			s.w.sockets = slices.DeleteFunc(s.w.sockets, func(other *socket) bool { return other == s })
		})
	})
}

// Sockets counts the open connections of an app, the silent ones among them.
func (w *Workspace) Sockets(a App) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for _, s := range w.sockets {
		if s.app.ID == a.ID && !s.leaving {
			n++
		}
	}
	return n
}

// Pending counts the envelopes that apps have not acknowledged yet.
func (w *Workspace) Pending() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.pending)
}

// RefuseSockets answers the next n connections with 503.
func (w *Workspace) RefuseSockets(n int) { w.do(func() { w.dials.refuse = n }) }

// DuplicateEnvelopes delivers the next n envelopes twice, each maybe to another socket.
func (w *Workspace) DuplicateEnvelopes(n int) { w.do(func() { w.dials.duplicate = n }) }

// Silence leaves the open sockets open and dead: no envelope, no ping, no pong, acknowledgements unheard.
func (w *Workspace) Silence() { w.each(func(s *socket) { s.silent = true }) }

// CutSockets breaks the open sockets without a word.
func (w *Workspace) CutSockets() {
	var open []*socket
	w.each(func(s *socket) { open = append(open, s) })
	for _, s := range open {
		s.cut()
	}
}

// Disconnect tells the open sockets to go, as Slack does every few hours. After the reason "warning" they have about
// ten seconds more, with "refresh_requested" and "link_disabled" they are closed at once.
func (w *Workspace) Disconnect(reason string) {
	w.each(func(s *socket) {
		s.leaving = true
		s.push(disconnect(reason))
		if reason == "warning" {
			w.after(warningTime, func() { s.push(hangUp{}) })
			return
		}
		s.push(hangUp{})
	})
}

func (w *Workspace) each(change func(*socket)) {
	w.do(func() {
		for _, s := range w.sockets {
			change(s)
		}
	})
}
