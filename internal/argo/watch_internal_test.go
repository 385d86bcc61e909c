package argo

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

const event = `data: {"result":{"type":"MODIFIED","application":{"metadata":{"name":"shop"}}}}` + "\n\n"

// TestAStreamThatFallsSilent: Argo CD sends a comment every 15 seconds. An older one does not, so that its silence says nothing.
func TestAStreamThatFallsSilent(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		sent  string
		alarm bool
	}{
		"after a comment":  {":\n" + event, true},
		"without comments": {event + event, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r, w := io.Pipe()
				alarmed, told, began := time.Duration(0), 0, time.Now()
				alarm := time.AfterFunc(silence, func() {
					alarmed = time.Since(began)
					_ = w.Close() // as the end of the context ends the request
				})
				ended := make(chan error, 1)
				go func() { ended <- readEvents(r, alarm, func(AppState, bool) { told++ }) }()
				for range 3 {
					if _, err := io.WriteString(w, tc.sent); err != nil {
						t.Error(err)
					}
					time.Sleep(silence - time.Second)
				}
				time.Sleep(10 * silence)
				_ = w.Close()
				if err := <-ended; !errors.Is(err, io.EOF) || told != 3*strings.Count(tc.sent, "data: ") {
					t.Errorf("ended with %v after %d events", err, told)
				}
				if got := alarmed > 0; got != tc.alarm {
					t.Errorf("alarm after %s", alarmed)
				}
			})
		})
	}
}

func TestReadEventsStopsAtWhatIsNone(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]string{
		`data: {"error":{"grpc_code":14,"message":"Redis is gone"}}` + "\n": "rpc error: code = Unavailable desc = Redis is gone",
		"data: {}\n":    "unexpected EOF",
		"data: <html\n": "read an event: invalid character '<' looking for beginning of value",
		event[:40]:      "EOF",
	} {
		err := readEvents(strings.NewReader(sent), time.AfterFunc(time.Hour, func() {}), func(AppState, bool) { t.Errorf("%s is an event", sent) })
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", sent, err, want)
		}
	}
}
