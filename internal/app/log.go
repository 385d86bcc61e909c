package app

import (
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/lmittmann/tint"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/sanitize"
)

// NewLog writes what the bot does, in the form that the configuration asks for, without secrets.
func NewLog(w io.Writer, c config.Log) (*slog.Logger, error) {
	level, err := levelOf(c)
	if err != nil {
		return nil, err
	}
	options := &slog.HandlerOptions{Level: level, ReplaceAttr: sanitizeAttr}
	if c.Format == config.LogText {
		return slog.New(slog.NewTextHandler(w, options)), nil
	}
	return slog.New(slog.NewJSONHandler(w, options)), nil
}

// NewTerminalLog is NewLog for a person who watches.
func NewTerminalLog(w io.Writer, c config.Log, color bool) (*slog.Logger, error) {
	level, err := levelOf(c)
	if err != nil {
		return nil, err
	}
	return slog.New(tint.NewTextHandler(w, &tint.Options{Level: level, ReplaceAttr: sanitizeAttr, TimeFormat: time.TimeOnly, NoColor: !color})), nil
}

func levelOf(c config.Log) (level slog.Level, err error) {
	if err := level.UnmarshalText([]byte(c.Level)); err != nil {
		return 0, fmt.Errorf("log.level: %w", err)
	}
	return level, nil
}

// sanitizeAttr takes secrets and control characters out of what is logged, and writes applications and durations as people
// do.
func sanitizeAttr(_ []string, a slog.Attr) slog.Attr {
	switch v := a.Value.Any().(type) {
	case incident.App:
		a.Value = slog.StringValue(fmt.Sprintf("%s/%s/%s", v.Instance, v.Namespace, v.Name))
	case time.Duration:
		a.Value = slog.StringValue(v.Round(time.Millisecond).String())
	case error:
		a.Value = slog.StringValue(sanitize.Text(v.Error()))
	case string:
		a.Value = slog.StringValue(sanitize.Text(v))
	default:
		if a.Value.Kind() == slog.KindAny {
			a.Value = slog.AnyValue(sanitize.Any(v))
		}
	}
	return a
}
