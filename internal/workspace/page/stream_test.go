package page_test

import (
	"bufio"
	"encoding/json"
	"html/template"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/workspace/page"
)

type news struct {
	Title string
	Parts map[string]string
}

// listen reads the events of a stream; next waits for one.
func (s *scene) listen(t *testing.T, query string) (next func() news) {
	t.Helper()
	answer, err := s.site.Client().Do(s.request(t, http.MethodGet, "/events?"+query, nil))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = answer.Body.Close() })
	if kind := answer.Header.Get("Content-Type"); kind != "text/event-stream" {
		t.Fatalf("a stream of %s", kind)
	}
	lines := bufio.NewScanner(answer.Body)
	const longest = 10 << 20
	lines.Buffer(nil, longest)
	return func() news {
		t.Helper()
		for lines.Scan() {
			data, ok := strings.CutPrefix(lines.Text(), "data: ")
			if !ok {
				continue
			}
			var n news
			if err := json.Unmarshal([]byte(data), &n); err != nil {
				t.Fatal(err)
			}
			return n
		}
		t.Fatalf("the stream has ended: %v", lines.Err())
		return news{}
	}
}

func TestStreamBringsWhatChanges(t *testing.T) {
	s := newScene(t)
	s.send(t, "/say", http.StatusNoContent, "text", "the first")
	first, _ := s.deploys.Last()
	next := s.listen(t, "as=bob&channel="+s.deploys.ID())
	all := next()
	wants(t, all.Parts["messages"], "the first")
	for _, part := range []string{"sidebar", "channel-head", "composer", "thread", "modals"} {
		if !strings.Contains(all.Parts[part], `id="`+part+`"`) {
			t.Errorf("the first event lacks %s: %s", part, all.Parts[part])
		}
	}

	s.send(t, "/say", http.StatusNoContent, "text", "the second")
	n := next()
	wants(t, n.Parts["messages"], "the second", `id="m-`+first.TS)
	// What the browser has is named and not sent again.
	wantsNone(t, n.Parts["messages"], "the first")
	for part := range n.Parts {
		if part != "messages" {
			t.Errorf("%s was sent though nothing of it changed:\n%s", part, n.Parts[part])
		}
	}
}

func TestStreamOfAThread(t *testing.T) {
	s := newScene(t)
	s.send(t, "/say", http.StatusNoContent, "text", "root")
	root, _ := s.deploys.Last()
	next := s.listen(t, "as=bob&channel="+s.deploys.ID()+"&thread="+root.TS)
	wants(t, next().Parts["thread"], "root", "Reply…")
	s.send(t, "/say", http.StatusNoContent, "text", "a reply", "thread", root.TS)
	n := next()
	wants(t, n.Parts["thread"], "a reply")
	wants(t, n.Parts["messages"], "1 reply")
}

func TestStreamTellsOfWhatIsForOnePerson(t *testing.T) {
	s := newScene(t)
	alice, bob := s.listen(t, "as=alice&channel="+s.deploys.ID()), s.listen(t, "as=bob&channel="+s.deploys.ID())
	alice()
	bob()
	if _, err := s.client.PostEphemeralContext(t.Context(), s.deploys.ID(), s.alice.ID, slack.MsgOptionText("a secret", false)); err != nil {
		t.Fatal(err)
	}
	wants(t, alice().Parts["messages"], "a secret")
	s.send(t, "/say", http.StatusNoContent, "text", "for all")
	n := bob()
	wants(t, n.Parts["messages"], "for all")
	wantsNone(t, n.Parts["messages"], "a secret")
}

func TestUnreadUntilItIsLookedAt(t *testing.T) {
	s := newScene(t)
	other := s.AddChannel("payments", "alice", "bob")
	if _, err := s.Say("bob", "payments", "hello <@"+s.alice.ID+">", ""); err != nil {
		t.Fatal(err)
	}
	entry := func() string {
		_, after, _ := strings.Cut(s.get(t, "/channel/deploys?as=alice"), `id="go-`+other.ID()+`"`)
		before, _, _ := strings.Cut(after, "</a>")
		return before
	}
	wants(t, entry(), "unread", `<span class="badge">1`)
	s.get(t, "/channel/payments?as=alice")
	wantsNone(t, entry(), "unread", "badge")
}

func TestSectionsChangeByThemselves(t *testing.T) {
	var mu sync.Mutex
	text, changed := "one", make(chan struct{})
	s := newScene(t, func(o *page.Options) {
		o.Sections = []page.Section{
			{
				ID: "panel", Label: "Applications", Place: page.Beside,
				Render: func(as string) (template.HTML, error) {
					mu.Lock()
					defer mu.Unlock()
					return template.HTML("<p>" + as + " " + text + "</p>"), nil
				},
				Changed: func() <-chan struct{} {
					mu.Lock()
					defer mu.Unlock()
					return changed
				},
			},
			{ID: "hints", Label: "Hints", Place: page.Above, Render: func(string) (template.HTML, error) { return "", http.ErrNotSupported }},
		}
	})
	wants(t, s.get(t, "/channel/deploys?as=alice"),
		`<aside id="panel" class="beside" aria-label="Applications">`, "<p>alice one</p>", `data-drawer="panel"`,
		`<section id="hints" class="above" aria-label="Hints"><p class="error">`)
	next := s.listen(t, "as=bob&channel="+s.deploys.ID())
	wants(t, next().Parts["panel"], "<p>bob one</p>")
	mu.Lock()
	text = "two"
	close(changed)
	changed = make(chan struct{})
	mu.Unlock()
	n := next()
	wants(t, n.Parts["panel"], "<p>bob two</p>")
	if len(n.Parts) != 1 {
		t.Errorf("more was sent: %v", n.Parts)
	}
}
