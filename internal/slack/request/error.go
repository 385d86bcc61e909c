package request

import (
	"errors"
	"fmt"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack/render"
)

// Error is an error that a person is told of: what happened, and what to do about it. Both are plain text.
type Error struct {
	What, Remedy string
	Err          error
}

func (e *Error) Error() string {
	if e.Remedy == "" {
		return e.What
	}
	return e.What + ": " + e.Remedy
}

// Unwrap is what it came from.
func (e *Error) Unwrap() error { return e.Err }

// explain is what a person is told of an error. An error that nobody prepared for people stays in the log: it may say
// what is not theirs to read.
func explain(err error, id string) (line *render.Message, known bool) {
	if e, ok := errors.AsType[*Error](err); ok {
		line := render.Sentence(e.What)
		if e.Remedy != "" {
			line += " " + render.Sentence(e.Remedy)
		}
		return render.Text(line), true
	}
	if t, ok := errors.AsType[*incident.NotifyError](err); ok {
		return render.Text(render.Sentence(fmt.Sprintf("Slack rejected the answer (%s). %s", t.Code, render.Sentence(t.Remedy)))), true
	}
	return render.Text(fmt.Sprintf("Something went wrong (reference `%s`). The bot's log has the details.", id)), false
}
