package story_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/slack/dialog"
	"github.com/argo-why/argo-why/internal/workspace"
	"github.com/argo-why/argo-why/internal/workspace/workspacetest"
)

// join are members of the workspace and of the channel; @NAME is a user group, with those after it.
func (s *script) join(names []string) error {
	if handle, ok := strings.CutPrefix(names[0], "@"); ok {
		var ids []string
		for _, name := range names[1:] {
			ids = append(ids, s.ids[name])
		}
		s.ids[names[0]] = s.slack.AddGroup(workspace.Group{Handle: handle, UserIDs: ids}).ID
		return nil
	}
	for _, name := range names {
		s.ids[name] = s.slack.AddUser(workspace.User{Name: name}).ID
		s.slack.Channel("alerts").Invite(name)
	}
	return nil
}

// allow is a rule of the policy: allow KIND[,KIND] PERSON[,PERSON] [approval PERSON[,PERSON] DURATION].
func (s *script) allow(args []string) error {
	r := action.Grant{Who: s.who(args[1])}
	for kind := range strings.SplitSeq(args[0], ",") {
		r.Kinds = append(r.Kinds, action.Kind(kind))
	}
	if len(args) > 2 {
		d, err := time.ParseDuration(args[4])
		if err != nil {
			return err
		}
		r.Approval = &action.ApprovalRule{From: s.who(args[3]), ExpireAfter: d}
	}
	s.rules = append(s.rules, r)
	return nil
}

func (s *script) who(list string) (w action.Who) {
	for name := range strings.SplitSeq(list, ",") {
		id := s.ids[name]
		if id == "" {
			id = name // somebody who is not there
		}
		if strings.HasPrefix(name, "@") {
			w.Groups = append(w.Groups, id)
		} else {
			w.Users = append(w.Users, id)
		}
	}
	return w
}

// press clicks a button of the thread of an application, the last one of that name: press WHO APP LABEL.
func (s *script) press(args []string) error {
	who, app, label := args[0], args[1], strings.Join(args[2:], " ")
	ts, err := s.messageWith(app, label)
	if err != nil {
		return err
	}
	return s.slack.Click(who, "alerts", ts, label)
}

// mute chooses from the menu: mute WHO APP OPTION.
func (s *script) mute(args []string) error {
	ts, err := s.messageWith(args[1], "argo_why_mute")
	if err != nil {
		return err
	}
	return s.slack.Choose(args[0], "alerts", ts, "argo_why_mute", args[2])
}

// messageWith is the last message in the thread of an application that has the text in its blocks.
func (s *script) messageWith(app, text string) (ts string, err error) {
	channel := s.slack.Channel("alerts")
	for _, root := range channel.Messages() {
		_, headline, _ := strings.Cut(root.Text, " ")
		if !strings.HasPrefix(headline, app+":") {
			continue
		}
		for _, m := range slices.Backward(channel.Thread(root.TS)) {
			if strings.Contains(string(m.Blocks), quoted(text)) {
				return m.TS, nil
			}
		}
		return "", fmt.Errorf("nothing in the thread has %q", text)
	}
	return "", fmt.Errorf("%s has no thread", app)
}

// quoted is a text as it stands in JSON.
func quoted(text string) string {
	raw, err := json.Marshal(text)
	if err != nil { // cannot be
		return text
	}
	return strings.Trim(string(raw), `"`)
}

// dialog compares the front modal of a person: dialog WHO NAME.
func (s *script) dialog(args []string) error {
	text := "(no dialog)\n"
	if open := s.slack.Views(args[0]); len(open) > 0 {
		text = workspacetest.Read(open[len(open)-1])
	}
	return s.compare(args[1], text)
}

// submit presses the button of the front modal, with boxes ticked: submit WHO [BOX…].
func (s *script) submit(args []string) error {
	open := s.slack.Views(args[0])
	if len(open) == 0 {
		return fmt.Errorf("%s sees no dialog", args[0])
	}
	front := open[len(open)-1]
	var ticked []string
	for _, word := range args[1:] {
		ticked = append(ticked, boxes[word])
	}
	values, err := workspacetest.State(front, ticked...)
	if err != nil {
		return err
	}
	return s.slack.Submit(args[0], front.ID, values)
}

// reason denies with words: reason WHO TEXT, in the modal that is open.
func (s *script) reason(args []string) error {
	open := s.slack.Views(args[0])
	if len(open) == 0 {
		return fmt.Errorf("%s sees no dialog", args[0])
	}
	values := map[string]map[string]any{dialog.InputReason: {dialog.InputReason: map[string]any{"type": "plain_text_input", "value": strings.Join(args[1:], " ")}}}
	return s.slack.Submit(args[0], open[len(open)-1].ID, values)
}

// noButton: the thread of an application has no button of that name.
func (s *script) noButton(args []string) error {
	label := strings.Join(args[1:], " ")
	if ts, err := s.messageWith(args[0], label); err == nil {
		return fmt.Errorf("message %s has it", ts)
	}
	return nil
}

// details compares the root message of an application, all of it.
func (s *script) details(args []string) error {
	ts, err := s.messageWith(args[0], "Open in Argo CD")
	if err != nil {
		return err
	}
	for _, m := range s.slack.Channel("alerts").Messages() {
		if m.TS == ts {
			return s.compare(args[1], strings.TrimSpace(m.Shown())+"\n")
		}
	}
	return fmt.Errorf("%s is no root message", ts)
}

// did compares what happened to applications and clusters, in order.
func (s *script) did(name string) error {
	s.mu.Lock()
	text := strings.Join(s.effects, "\n")
	s.mu.Unlock()
	if text == "" {
		text = "(nothing)"
	}
	return s.compare(name, text+"\n")
}

// happens changes what is so of an application, without the bot: repaired APP, refuses APP TEXT, git APP REVISION,
// job APP running|gone|another, operation APP ends.
func (s *script) happens(verb string, args []string) error {
	app := named(args[0])
	s.mu.Lock()
	it := s.simulated[app]
	s.mu.Unlock()
	if it == nil {
		return fmt.Errorf("%s does not fail of a case", args[0])
	}
	s.mu.Lock()
	switch verb {
	case "repaired":
		it.repaired = true
	case "refuses":
		it.refuses = strings.Join(args[1:], " ")
	case "git":
		it.Application.Status.Sync.Revision = args[1]
	case "job":
		it.changeJob(args[1])
	case "operation":
		it.end(evidence.OperationFailed, "somebody else ended it")
	}
	s.mu.Unlock()
	if verb == "git" || verb == "operation" {
		s.changed(app)
	}
	return nil
}

func (s *simulated) changeJob(how string) {
	switch how {
	case "gone":
		s.job = nil
	case "running":
		s.job.Active, s.job.Finished = 1, ""
	case "another":
		s.job.UID = "uid-of-another-one"
	}
}

// boxes are the words for what can be ticked in a modal.
var boxes = map[string]string{"prune": dialog.InputPrune, "dry-run": dialog.InputDryRun, "repaired": dialog.InputConfirm}
