package page

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/workspace"
)

const maxForm = 1 << 20

// post answers with nothing when it is done: the stream brings what has changed. Else it says what was wrong.
func (p *Page) post(do func(*visit, *http.Request) error) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(rw, r.Body, maxForm)
		if err := r.ParseMultipartForm(maxForm); err != nil && !errors.Is(err, http.ErrNotMultipart) {
			http.Error(rw, err.Error(), http.StatusBadRequest)
			return
		}
		v, err := p.visit(r, r.PostFormValue("channel"), r.PostFormValue("thread"))
		if err == nil {
			err = do(v, r)
		}
		if err != nil {
			http.Error(rw, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		rw.WriteHeader(http.StatusNoContent)
	}
}

// say sends what was written: a message, or a command where it begins with a slash.
func (p *Page) say(v *visit, r *http.Request) error {
	text := strings.TrimSpace(r.PostFormValue("text"))
	thread := r.PostFormValue("thread")
	if text == "" {
		return nil
	}
	if asked := r.PostFormValue("channel"); asked != v.here.ID() {
		return fmt.Errorf("%s is not in this channel", v.me.Name)
	}
	// Slack takes a slash for a command unless a space is before it.
	if strings.HasPrefix(r.PostFormValue("text"), "/") {
		return p.command(v, text, thread)
	}
	written := v.markup(text)
	if _, err := v.w.Say(v.me.Name, v.here.ID(), written, thread); err != nil {
		return err
	}
	p.missed(v, written, thread)
	return nil
}

func (p *Page) command(v *visit, text, thread string) error {
	command, rest, _ := strings.Cut(text, " ")
	known := command == inviting || slices.Contains(v.commands(), command)
	switch {
	case !known:
		p.notify(v, thread, "`"+escapeThree(command)+"` is not a valid command. In Slack, all messages that start with the \"/\" character are interpreted "+
			"as commands.\nIf you are trying to send a message and not run a command, try preceding the \"/\" with an empty space.")
		return nil
	case thread != "":
		p.notify(v, thread, "`"+escapeThree(command)+"` is not supported in threads. Sorry!")
		return nil
	}
	if command == inviting {
		p.invite(v, rest)
		return nil
	}
	return v.w.Command(v.me.Name, v.here.ID(), command, escapeThree(strings.TrimSpace(rest)))
}

// act presses a button, picks from a menu or ticks boxes, in a message or in a modal.
func (p *Page) act(v *visit, r *http.Request) error {
	press, err := pressed(r.PostFormValue("press"))
	if err != nil {
		return err
	}
	if view := r.PostFormValue("view"); view != "" {
		return v.w.PressInView(v.me.Name, view, press)
	}
	return v.w.Press(v.me.Name, r.PostFormValue("channel"), r.PostFormValue("ts"), press)
}

func (p *Page) submit(v *visit, r *http.Request) error {
	id := r.PostFormValue("view")
	for _, view := range v.w.Views(v.me.Name) {
		if view.ID == id {
			values, err := filledIn(view, r.PostForm)
			if err != nil {
				return err
			}
			return v.w.Submit(v.me.Name, id, values)
		}
	}
	return errors.New("this dialog is no longer open")
}

func (p *Page) closeView(v *visit, r *http.Request) error {
	return v.w.CloseView(v.me.Name, r.PostFormValue("view"))
}

func (p *Page) react(v *visit, r *http.Request) error {
	return v.w.React(v.me.Name, r.PostFormValue("channel"), r.PostFormValue("ts"), r.PostFormValue("emoji"))
}

// notice is what Slackbot says to one person, in the channel that they look at.
type notice struct {
	user, channel, thread, ts, text string
}

const slackbotID = "USLACKBOT"

func (p *Page) notify(v *visit, thread, text string) {
	ts := v.w.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.notices = append(p.notices, notice{v.me.ID, v.here.ID(), thread, ts, text})
	p.tell()
}

// slackbot is what Slack itself shows to the visitor alone: refused input, and commands that the app did not take.
func (v *visit) slackbot(thread string) []workspace.Message {
	var all []workspace.Message
	add := func(n notice) {
		if n.user == v.me.ID && n.channel == v.here.ID() && n.thread == thread {
			all = append(all, workspace.Message{Channel: n.channel, TS: n.ts, ThreadTS: thread, User: slackbotID, To: v.me.ID, Text: n.text})
		}
	}
	v.page.mu.Lock()
	for _, n := range v.page.notices {
		add(n)
	}
	v.page.mu.Unlock()
	for _, a := range v.attempts {
		if a.Kind == "slash_commands" && a.Reason != "" {
			reason, _, _ := strings.Cut(a.Reason, ":")
			add(notice{v.me.ID, a.Channel, "", a.At, escapeThree(a.Name) + ` failed with the error "` + escapeThree(reason) + `"`})
		}
	}
	return all
}
