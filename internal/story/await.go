package story

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/text"
)

const (
	awaitFor  = 2 * time.Minute
	awaitTick = 100 * time.Millisecond
)

// eventually does something as soon as it is possible: a person waits for a button or a dialog before they press it.
func (p *Player) eventually(ctx context.Context, do func() error) error {
	for passed := time.Duration(0); ; passed += awaitTick {
		err := do()
		var absent *absentError
		if !errors.As(err, &absent) || passed >= awaitFor {
			return err
		}
		if err := p.World.Wait(ctx, awaitTick); err != nil {
			return err
		}
	}
}

// absentError is that something is not there, or not yet.
type absentError struct{ what string }

func (e *absentError) Error() string { return e.what }

func absent(format string, args ...any) error { return &absentError{fmt.Sprintf(format, args...)} }

// await waits until a text is shown to anybody.
func (p *Player) await(ctx context.Context, want string) error {
	for passed := time.Duration(0); ; passed += awaitTick {
		if p.anywhere(want) {
			return nil
		}
		if passed >= awaitFor {
			return fmt.Errorf("not shown after %s; this is:\n%s", text.Duration(awaitFor), p.everything())
		}
		if err := p.World.Wait(ctx, awaitTick); err != nil {
			return err
		}
	}
}

// anywhere reports whether somebody can read a text: in a message, in one that only they see, or in a dialog.
func (p *Player) anywhere(want string) bool {
	var all []string
	people := p.people()
	for _, c := range p.Slack.Channels() {
		for _, m := range c.All() {
			all = append(all, m.Text, m.Shown())
		}
		for _, who := range people {
			for _, m := range c.Ephemerals(who) {
				all = append(all, m.Text, m.Shown())
			}
		}
	}
	for _, who := range people {
		if front, err := p.front(who); err == nil {
			all = append(all, front.Shown())
		}
	}
	// A story is written in words, with one space between them.
	for _, each := range all {
		if strings.Contains(text.OneLine(Named(p.Slack, each)), want) {
			return true
		}
	}
	return false
}

// everything is what people see now, to be skimmed.
func (p *Player) everything() string {
	var b strings.Builder
	people := p.people()
	for _, c := range p.Slack.Channels() {
		if len(c.All()) > 0 {
			fmt.Fprintf(&b, "#%s\n%s", c.Name(), Named(p.Slack, Skim(c, people)))
		}
	}
	for _, who := range people {
		if front, err := p.front(who); err == nil {
			fmt.Fprintf(&b, "%s has a dialog:\n%s", who, front.Shown())
		}
	}
	if b.Len() == 0 {
		return "(nothing)\n"
	}
	return b.String()
}
