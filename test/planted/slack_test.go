package planted_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/argo-why/argo-why/internal/slack/probe"
	"github.com/argo-why/argo-why/internal/workspace"
	"github.com/argo-why/argo-why/internal/workspace/workspacetest"
	"github.com/argo-why/argo-why/test/planted"
)

// chat is a Slack that notes what it is sent.
type chat struct {
	*workspace.Workspace
	app   workspace.App
	url   string
	table *planted.Table
	// answered counts the answers to one person.
	answered atomic.Int32
}

// channels are enough of them: a bot posts a message a second into one.
var channels = []string{"alerts-0", "alerts-1", "alerts-2", "alerts-3", "alerts-4", "alerts-5"}

// elsewhere is a channel without the bot, which answers there to one person alone.
const elsewhere = "random"

func newChat(t *testing.T, table *planted.Table) *chat {
	t.Helper()
	c := &chat{table: table}
	server := httptest.NewUnstartedServer(c)
	c.url = "http://" + server.Listener.Addr().String()
	c.Workspace = workspacetest.New(t, workspace.Options{URL: c.url})
	c.app = c.AddApp(workspace.App{Name: "argo", Commands: []string{"/argo"}, Scopes: probe.Names(), Events: []string{"app_mention", "message.im"}})
	c.AddUser(workspace.User{Name: "alice"})
	c.AddUser(workspace.User{Name: "bob"})
	for _, name := range channels {
		c.AddChannel(name, "alice", "bob", c.app.BotUserID)
	}
	c.AddChannel(elsewhere, "alice")
	server.Start()
	t.Cleanup(server.Close)
	return c
}

// ServeHTTP notes what comes, and hands it on.
func (c *chat) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	c.note(r.URL.Path, r.Header.Get("Content-Type"), string(body))
	c.Handler().ServeHTTP(w, r)
}

func (c *chat) note(path, contentType, body string) {
	var texts []string
	thread := false
	if form, err := url.ParseQuery(body); err == nil && strings.Contains(contentType, "form-urlencoded") {
		thread = form.Get("thread_ts") != ""
		for key, all := range form {
			if key != "token" {
				texts = append(texts, all...)
			}
		}
	} else {
		thread = strings.Contains(body, `"thread_ts"`)
		texts = []string{body}
	}
	output := "Slack answer" // an ephemeral message, or the address for one
	switch _, method, _ := strings.Cut(path, "/api/"); {
	case method == "chat.postMessage" && thread:
		output = "Slack thread"
	case method == "chat.postMessage", method == "chat.update":
		output = "Slack message"
	case strings.HasPrefix(method, "views."):
		output = "Slack dialog"
	case method == "chat.postEphemeral", strings.HasPrefix(path, "/response/"):
		c.answered.Add(1)
	}
	for _, text := range texts {
		c.table.Look(output, text)
	}
}

// look notes what came by the socket: answers in acknowledgments.
func (c *chat) look() {
	for _, who := range []string{"alice", "bob"} {
		for _, v := range c.Views(who) {
			c.table.Look("Slack dialog", string(v.Raw))
			text, err := json.Marshal(v.Errors)
			if err == nil {
				c.table.Look("Slack dialog", string(text))
			}
		}
		for _, channel := range c.Channels() {
			for _, m := range channel.Ephemerals(who) {
				c.table.Look("Slack answer", m.Text+string(m.Blocks)+string(m.Attachments))
			}
		}
	}
}

// press presses the last button of an application whose label begins like that, and reports whether there is one.
func (c *chat) press(who, app, label string) bool {
	for _, in := range c.Channels() {
		for _, root := range in.Messages() {
			if !strings.Contains(root.Text, app+":") {
				continue
			}
			for _, m := range slices.Backward(in.Thread(root.TS)) {
				if name := button(m, label); name != "" {
					return c.Click(who, in.Name(), m.TS, name) == nil
				}
			}
		}
	}
	return false
}

// button is the name of a button of a message that begins like that; "" without one.
func button(m workspace.Message, label string) string {
	_, rest, found := strings.Cut(string(m.Blocks), `"text":"`+label)
	if !found {
		return ""
	}
	end, _, _ := strings.Cut(rest, `"`)
	return label + end
}

// front is the dialog that somebody has open.
func (c *chat) front(who string) (v workspace.View, open bool) {
	all := c.Views(who)
	if len(all) == 0 {
		return v, false
	}
	return all[len(all)-1], true
}
