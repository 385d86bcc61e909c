package simulator_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

// ask asks the HTTP API as Argo CD's web page does. The body is open until the test ends.
func (w *world) ask(path, accept, token string) (code int, body io.Reader) {
	w.tb.Helper()
	request, err := http.NewRequestWithContext(w.tb.Context(), http.MethodGet, "http://"+w.Address()+path, http.NoBody)
	w.must(err)
	request.Header.Set("Accept", accept)
	request.Header.Set("Authorization", "Bearer "+token)
	answer, err := http.DefaultClient.Do(request)
	w.must(err)
	w.tb.Cleanup(func() { _ = answer.Body.Close() })
	return answer.StatusCode, answer.Body
}

func TestAListOverHTTPLeavesFieldsOut(t *testing.T) {
	t.Parallel()
	w := start(t, recorded(t, hookFailed))
	code, answer := w.ask("/api/v1/applications?fields=items.metadata.name,items.status.sync.status", "application/json", token)
	body, err := io.ReadAll(answer)
	w.must(err)
	const want = `{"items":[{"metadata":{"name":"courier-api"},"status":{"sync":{"status":"OutOfSync"}}}],"metadata":{}}`
	if code != http.StatusOK || string(body) != want {
		t.Errorf("HTTP %d %s\nwant %s", code, body, want)
	}
	code, refused := w.ask("/api/v1/applications", "application/json", "expired")
	body, err = io.ReadAll(refused)
	w.must(err)
	if code != http.StatusUnauthorized || !strings.Contains(string(body), "token is expired") {
		t.Errorf("an expired token: HTTP %d %s", code, body)
	}
}

// TestAStreamOverHTTPTellsOnlyWhatIsAskedFor: what changes in other fields than those is not told at all.
func TestAStreamOverHTTPTellsOnlyWhatIsAskedFor(t *testing.T) {
	t.Parallel()
	w := start(t, recorded(t, hookFailed))
	_, stream := w.ask("/api/v1/stream/applications?fields=result.type,result.application.status.sync.status", "text/event-stream", token)
	lines := bufio.NewReader(stream)
	hear := func() string {
		for {
			line, err := lines.ReadString('\n')
			w.must(err)
			if data, ok := strings.CutPrefix(strings.TrimSpace(line), "data: "); ok {
				w.must(json.Unmarshal([]byte(data), &struct{}{}))
				return data
			}
		}
	}
	if got, want := hear(), `{"result":{"application":{"status":{"sync":{"status":"OutOfSync"}}},"type":"ADDED"}}`; got != want {
		t.Errorf("heard %s, want %s", got, want)
	}
	w.must(w.AwaitStream(t.Context(), 1))
	w.must(w.Put(recorded(t, hookFailed)))
	w.must(w.Put(recorded(t, hookFailed)))
	w.must(w.Remove(own("courier-api")))
	for _, kind := range []string{"MODIFIED", "DELETED"} {
		if got := hear(); !strings.Contains(got, kind) {
			t.Errorf("heard %s, want %s", got, kind)
		}
	}
}

// TestAProxyInFrontOfTheHTTPAPI takes nothing away from gRPC.
func TestAProxyInFrontOfTheHTTPAPI(t *testing.T) {
	t.Parallel()
	w := start(t, recorded(t, hookFailed))
	w.Proxy(func(http.Handler) http.Handler { return http.NotFoundHandler() })
	if code, _ := w.ask("/api/v1/applications", "application/json", token); code != http.StatusNotFound {
		t.Errorf("HTTP %d", code)
	}
	if state := stands(w.get("courier-api")); state != "OutOfSync Healthy Failed" {
		t.Errorf("over gRPC: %s", state)
	}
}
