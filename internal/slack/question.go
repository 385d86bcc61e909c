package slack

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack/command"
)

// asker is who asks, where and how.
type asker struct {
	way           command.Way
	user, channel string
	// name is what the person is called, as far as Slack said it.
	name string
	// ts is the message that asks; thread the root of the thread it is in, "" for none.
	ts, thread string
	// respond is the URL for what only this person sees: five times within 30 minutes; "" for none.
	// https://docs.slack.dev/interactivity/handling-user-interaction#message_responses
	respond string
	// call is how the person called the bot: "/argo", "@argo", "".
	call string
}

// question is what a worker answers.
type question struct {
	asker
	command command.Command
	// reply is all that there is to say, where no command was understood.
	reply string
	// id is shown to the person when something goes wrong, and stands in the log.
	id    string
	asked time.Time
	// acknowledged is closed when the acknowledgement is on its way: the answer comes after it.
	acknowledged chan struct{}
	// again: Slack delivers it again, as an earlier acknowledgement did not arrive.
	again bool
	// clicked: the message at respond is a menu, which has served.
	clicked bool
	// press is what was pressed, nil of a question.
	press *pressing
}

func newQuestion(who asker, c command.Command) *question {
	return &question{asker: who, command: c, id: strings.ToLower(rand.Text()[:8]), asked: time.Now(), acknowledged: make(chan struct{})}
}

// work answers questions until there are no more.
func (a *App) work(ctx context.Context, queue <-chan *question) {
	for q := range queue {
		a.metrics.waiting.Set(float64(len(a.queue)))
		<-q.acknowledged
		verb := string(q.command.Verb)
		if q.reply != "" {
			verb = "none"
		}
		outcome := a.handle(ctx, q)
		if q.press != nil {
			a.metrics.presses.WithLabelValues(q.press.label(), outcome).Inc()
			a.metrics.took.WithLabelValues("press").Observe(time.Since(q.asked).Seconds())
			continue
		}
		a.metrics.answers.WithLabelValues(verb, outcome).Inc()
		a.metrics.took.WithLabelValues(verb).Observe(time.Since(q.asked).Seconds())
	}
}

// handle answers one question. Whatever happens, the person hears of it.
func (a *App) handle(ctx context.Context, q *question) (outcome string) {
	log := a.Log.With("question", q.id, "user", q.user, "channel", q.channel, "command", q.command.Verb, "app", q.command.Target)
	ctx, cancel := context.WithTimeout(ctx, a.Timeout)
	defer cancel()
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		log.Error("panic while answering", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
		a.tell(ctx, log, q, said(fmt.Sprintf("An error of my own, sorry. It stands in my log as `%s`.", q.id)))
		outcome = answerPanic
	}()

	outcome, err := a.answer(ctx, q)
	if err == nil {
		return outcome
	}
	if ended := context.Cause(ctx); ended != nil && errors.Is(err, ended) {
		err = a.tooSlow(ended)
	}
	line, known := trouble(err, q.id)
	level := slog.LevelInfo
	if !known {
		level = slog.LevelError
	}
	log.Log(ctx, level, "a question could not be answered", "error", err)
	if !a.tell(ctx, log, q, line) {
		return answerFailed
	}
	return answerTrouble
}

func (a *App) tooSlow(ended error) error {
	if errors.Is(ended, context.Canceled) {
		return &Trouble{What: "I was restarted before I had the answer", Remedy: "please ask again in a moment", Err: ended}
	}
	return &Trouble{What: fmt.Sprintf("There was no answer within %s", a.Timeout), Remedy: "Argo CD is slow or not reachable; please ask again in a moment", Err: ended}
}

// tell says something to the person alone, also after the time is over.
func (a *App) tell(ctx context.Context, log *slog.Logger, q *question, m *Message) bool {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	if err := a.show(ctx, q, m); err != nil {
		log.Error("the person could not be told", "error", err)
		return false
	}
	return true
}

// trouble is what a person is told of an error. An error that nobody prepared for people stays in the log: it may say
// what is not theirs to read.
func trouble(err error, id string) (line *Message, known bool) {
	if t, ok := errors.AsType[*Trouble](err); ok {
		return said(sentence(t.Error())), true
	}
	if t, ok := errors.AsType[*incident.NotifyError](err); ok {
		return said(sentence(fmt.Sprintf("Slack did not take the answer (%s). %s", t.Code, sentence(t.Remedy)))), true
	}
	return said(fmt.Sprintf("Something went wrong. It stands in my log as `%s`.", id)), false
}

// answer understands the question and answers it.
func (a *App) answer(ctx context.Context, q *question) (outcome string, err error) {
	if q.press != nil {
		return a.act(ctx, q)
	}
	if q.again && a.answeredBefore(ctx, q) {
		return answerDuplicate, nil
	}
	if q.reply != "" {
		return answered, a.privately(ctx, q, *said(q.reply))
	}
	if q.clicked {
		if err := a.replace(ctx, q.respond, *lookingAt(&q.command)); err != nil {
			a.Log.Warn("a menu could not be taken away", "question", q.id, "error", err)
		}
	}
	switch q.command.Verb {
	case command.Help:
		return answered, a.privately(ctx, q, *help(q.call))
	case command.List:
		return a.list(ctx, q)
	case command.Audit:
		return a.audit(ctx, q)
	case command.Why, command.Diff, command.History, command.Access:
	}
	app, outcome, err := a.find(ctx, q)
	if err != nil || outcome != answered {
		return outcome, err
	}
	switch q.command.Verb {
	case command.Diff:
		return answered, a.diff(ctx, q, app)
	case command.History:
		return answered, a.history(ctx, q, app)
	case command.Access:
		return answered, a.access(ctx, q, app)
	default:
		return answered, a.why(ctx, q, app)
	}
}
