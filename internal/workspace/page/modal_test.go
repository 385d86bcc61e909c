package page_test

import (
	"net/http"
	"testing"

	"github.com/slack-go/slack"
	"github.com/slack-go/slack/socketmode"

	"github.com/argo-why/argo-why/internal/workspace"
)

// form has one of each kind of input.
func form() slack.ModalViewRequest {
	text := func(s string) *slack.TextBlockObject {
		return slack.NewTextBlockObject(slack.PlainTextType, s, false, false)
	}
	option := func(value string) *slack.OptionBlockObject {
		return slack.NewOptionBlockObject(value, text("Option "+value), text("about "+value))
	}
	long := slack.NewPlainTextInputBlockElement(text("Say why"), "long")
	long.Multiline, long.MaxLength = true, 500
	return slack.ModalViewRequest{
		Type: slack.VTModal, Title: text("Sync <now>"), Submit: text("Do it"), Close: text("Leave"), CallbackID: "sync", NotifyOnClose: true,
		Blocks: slack.Blocks{BlockSet: []slack.Block{
			slack.NewInputBlock("why", text("Reason"), text("a hint"), long),
			slack.NewInputBlock("tick", text("Prune"), nil, slack.NewCheckboxGroupsBlockElement("tick", option("p"))).WithOptional(true),
			slack.NewInputBlock("one", text("One"), nil, slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, text("Pick"), "one", option("1"), option("2"))).WithOptional(true),
			slack.NewInputBlock("some of them", text("Some"), nil, slack.NewOptionsMultiSelectBlockElement(slack.MultiOptTypeStatic, text("All"), "some", option("1"), option("2"))).WithOptional(true),
		}},
	}
}

// open lets alice press a button upon which the bot opens the form.
func (s *scene) open(t *testing.T, client *socketmode.Client) workspace.View {
	t.Helper()
	ts := s.post(t)
	s.send(t, "/act", http.StatusNoContent, "ts", ts, "press", "block=two&action=go")
	e := next(t, client, socketmode.EventTypeInteractive)
	i, ok := e.Data.(slack.InteractionCallback)
	if !ok {
		t.Fatalf("got %+v", e.Data)
	}
	if err := client.Ack(*e.Request); err != nil {
		t.Fatal(err)
	}
	if _, err := s.client.OpenViewContext(t.Context(), i.TriggerID, form()); err != nil {
		t.Fatal(err)
	}
	return s.Views("alice")[0]
}

func TestModalIsShownToItsPersonAlone(t *testing.T) {
	s := newScene(t)
	v := s.open(t, s.connect(t))
	html := s.get(t, "/channel/deploys?as=alice")
	wants(t, html,
		`<dialog class="modal" id="view-`+v.ID+`" data-view="`+v.ID+`"`, "Sync &lt;now&gt;</h2>", `data-submit>Do it</button>`, `data-cancel>Leave</button>`,
		`<textarea id=`, `placeholder="Say why" required maxlength="500"`, "a hint", `<div class="input" data-required>`, `data-modal novalidate`, `<span class="optional">(optional)</span>`,
		`type="checkbox" name="value/tick/tick" value="p"`, "<small>about p</small>", `<select id=`, `<option value="">Pick</option>`,
		`data-several="All"`, `name="value/some&#43;of&#43;them/some" value="2"`,
	)
	wantsNone(t, s.get(t, "/channel/deploys?as=bob"), "<dialog class=\"modal\" id=\"view-")
}

func TestModalIsSubmitted(t *testing.T) {
	s := newScene(t)
	client := s.connect(t)
	v := s.open(t, client)

	wants(t, s.send(t, "/submit", http.StatusUnprocessableEntity, "view", v.ID), `"Reason"`)

	s.send(t, "/submit", http.StatusNoContent, "view", v.ID, "value/why/long", "so", "value/tick/tick", "p",
		"value/some+of+them/some", "1", "value/some+of+them/some", "2", "value/one/one", "")
	wants(t, s.get(t, "/channel/deploys?as=alice"), `aria-labelledby="title-`+v.ID+`" aria-busy="true"`)
	e := next(t, client, socketmode.EventTypeInteractive)
	state := e.Data.(slack.InteractionCallback).View.State.Values //nolint:errcheck,forcetypeassert // a panic is as good here
	if state["why"]["long"].Value != "so" || len(state["tick"]["tick"].SelectedOptions) != 1 || len(state["some of them"]["some"].SelectedOptions) != 2 {
		t.Errorf("state %+v", state)
	}
	if err := client.Ack(*e.Request, slack.NewErrorsViewSubmissionResponse(map[string]string{"why": "Not <good>"})); err != nil {
		t.Fatal(err)
	}
	if err := s.Await(t.Context(), func() bool { return len(s.Views("alice")[0].Errors) > 0 }); err != nil {
		t.Fatal(err)
	}
	wants(t, s.get(t, "/channel/deploys?as=alice"), `Not &lt;good&gt;</p>`, `aria-invalid="true"`, `class="input wrong"`)
}

func TestModalOfAnAppThatHasGone(t *testing.T) {
	s := newScene(t)
	client := s.connect(t)
	v := s.open(t, client)
	s.RefuseSockets(1000) // it tries to come back
	s.CutSockets()
	if err := s.Await(t.Context(), func() bool { return s.Sockets(s.app) == 0 }); err != nil {
		t.Fatal(err)
	}
	s.send(t, "/submit", http.StatusNoContent, "view", v.ID, "value/why/long", "so")
	wants(t, s.get(t, "/channel/deploys?as=alice"), "We had some trouble connecting. Try again?")
}

func TestModalIsClosed(t *testing.T) {
	s := newScene(t)
	client := s.connect(t)
	v := s.open(t, client)
	s.send(t, "/close", http.StatusUnprocessableEntity, "as", "bob", "view", "V1")
	s.send(t, "/close", http.StatusNoContent, "view", v.ID)
	e := next(t, client, socketmode.EventTypeInteractive)
	if i, ok := e.Data.(slack.InteractionCallback); !ok || i.Type != slack.InteractionTypeViewClosed {
		t.Errorf("got %+v", e.Data)
	}
	wantsNone(t, s.get(t, "/channel/deploys?as=alice"), `id="view-`)
	wants(t, s.send(t, "/submit", http.StatusUnprocessableEntity, "view", v.ID), "no longer open")
}
