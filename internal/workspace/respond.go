package workspace

import (
	"net/http"
	"net/url"
	"time"
)

// https://docs.slack.dev/interactivity/handling-user-interaction#message_responses
const (
	responseUses = 5
	responseLife = 30 * time.Minute
)

// responseURL lets an app answer where somebody did something, also in a channel that it is not in.
type responseURL struct {
	app     *app
	channel *channel
	user    string
	source  string // ts of the message that was clicked
	at      time.Time
	uses    int
}

func (w *Workspace) newResponseURL(a *app, in *channel, user, source string) string {
	id := w.newID("R")
	w.responses[id] = &responseURL{app: a, channel: in, user: user, source: source, at: w.opt.Now()}
	return w.url + "/response/" + id
}

// serveResponse is a method like others for faults and the log: "response_url".
func (w *Workspace) serveResponse(rw http.ResponseWriter, r *http.Request) {
	args, _, problem := arguments(r)
	var fault Fault
	var index int
	w.do(func() {
		index = len(w.calls)
		entry := Call{Method: "response_url", At: w.opt.Now(), Args: args}
		fault, entry.Scripted = w.fault("response_url", args)
		w.calls = append(w.calls, entry)
	})
	if code, status, over := w.arrange(rw, r, fault); over {
		w.do(func() { w.calls[index].Status, w.calls[index].Error = status, code })
		return
	}
	status, body := http.StatusOK, answer{"ok": true}
	w.do(func() {
		err := problem
		if err == nil {
			err = w.respond(w.responses[r.PathValue("id")], args)
		}
		if err != nil {
			status, body = http.StatusNotFound, failed(err)
		}
		w.calls[index].Status = status
		w.calls[index].Error, _ = body["error"].(string)
	})
	if fault.LoseAnswer {
		panic(http.ErrAbortHandler)
	}
	write(rw, status, body)
}

func (w *Workspace) respond(to *responseURL, args url.Values) error {
	switch {
	case to == nil:
		return refuse("no_such_url")
	case w.opt.Now().Sub(to.at) > responseLife:
		return refuse("expired_url")
	case to.uses >= responseUses:
		return refuse("used_url")
	}
	c := &call{w: w, app: to.app, args: args}
	n, err := c.content(c.blockID)
	if err != nil {
		return err
	}
	if err := c.place(to, n); err != nil {
		return err
	}
	to.uses++
	return nil
}

// place puts a response where it belongs: over the message it came from, or into the channel, or before one person.
func (c *call) place(to *responseURL, n content) error {
	in := to.channel
	source := in.find(to.source)
	if source == nil {
		source = in.findEphemeral(to.source)
	}
	switch {
	case c.flag("delete_original") && source != nil:
		in.remove(source)
		in.removeEphemeral(source)
		return nil
	case n.empty():
		return refuse("no_text")
	case c.flag("replace_original") && source != nil:
		c.w.change(source, n)
		return nil
	case c.str("response_type") == "in_channel":
		m := c.w.newMessage(c.app, in, n)
		if err := c.thread(in, m); err != nil {
			return err
		}
		c.w.post(in, m)
		return nil
	default:
		c.w.whisper(c.app, in, to.user, n).ThreadTS = c.str("thread_ts")
		return nil
	}
}

func (c *channel) findEphemeral(ts string) *Message {
	for _, m := range c.ephemeral {
		if m.TS == ts {
			return m
		}
	}
	return nil
}

func (c *channel) removeEphemeral(gone *Message) {
	var rest []*Message
	for _, m := range c.ephemeral {
		if m != gone {
			rest = append(rest, m)
		}
	}
	c.ephemeral = rest
}
