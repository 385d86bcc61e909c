package request

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/argo-why/argo-why/internal/slack/render"
)

// The outcomes of a request that did not get what it asked for, whatever that was.
const (
	Trouble = "trouble"
	Failed  = "failed" // the person could not be reached
	Panic   = "panic"
)

// Handler has requests handled so that the person hears of it, whatever happens.
type Handler struct {
	log *slog.Logger
	// timeout is for one request.
	timeout time.Duration
	took    *prometheus.HistogramVec
}

// NewHandler makes a Handler. registry may be nil.
func NewHandler(timeout time.Duration, registry prometheus.Registerer, log *slog.Logger) *Handler {
	h := &Handler{log: log, timeout: timeout, took: prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "argo_why_slack_answer_seconds", Help: "Time from receiving a question to its answer, by command.",
		Buckets: []float64{.1, .25, .5, 1, 2.5, 5, 10, 30, 60},
	}, []string{"command"})}
	if registry != nil {
		registry.MustRegister(h.took)
	}
	return h
}

// Job is what a request asks for.
type Job struct {
	*Request
	// Label is for the metrics; About stands in the log.
	Label string
	About []any
	// Do answers, or does it, and says what became of it.
	Do func(context.Context) (outcome string, err error)
	// Tell tells the person alone.
	Tell func(context.Context, *render.Message) error
}

// Handle does a job, and tells the person where that was not possible.
func (h *Handler) Handle(ctx context.Context, j Job) (outcome string) {
	defer func() { h.took.WithLabelValues(j.Label).Observe(time.Since(j.Asked).Seconds()) }()
	log := h.log.With("question", j.ID, "user", j.User, "channel", j.Channel).With(j.About...)
	ctx, cancel := context.WithTimeout(ctx, h.timeout)
	defer cancel()
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		log.Error("panic while answering", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
		tell(ctx, log, j, render.Text(fmt.Sprintf("Internal error (reference `%s`). The bot's log has the details.", j.ID)))
		outcome = Panic
	}()

	outcome, err := j.Do(ctx)
	if err == nil {
		return outcome
	}
	if ended := context.Cause(ctx); ended != nil && errors.Is(err, ended) {
		err = h.tooSlow(ended)
	}
	line, known := explain(err, j.ID)
	level := slog.LevelInfo
	if !known {
		level = slog.LevelError
	}
	log.Log(ctx, level, "question not answered", "error", err)
	if !tell(ctx, log, j, line) {
		return Failed
	}
	return Trouble
}

func (h *Handler) tooSlow(ended error) error {
	if errors.Is(ended, context.Canceled) {
		return &Error{What: "The bot was restarted before it had the answer", Remedy: "ask again in a moment", Err: ended}
	}
	return &Error{What: fmt.Sprintf("No answer within %s", h.timeout), Remedy: "Argo CD is slow or unreachable; ask again in a moment", Err: ended}
}

// tellTimeout is for telling the person alone that there is no answer, in whichever way works: when the bot stops it is waited for,
// beyond the time that answers have to end.
const tellTimeout = 10 * time.Second

// tell says something to the person alone, also after the time is over.
func tell(ctx context.Context, log *slog.Logger, j Job, m *render.Message) bool {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tellTimeout)
	defer cancel()
	if err := j.Tell(ctx, m); err != nil {
		log.Error("answer not delivered to the person", "error", err)
		return false
	}
	return true
}
