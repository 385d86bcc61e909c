package serve

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/argo-why/argo-why/internal/clean"
	"github.com/argo-why/argo-why/internal/incident"
)

// CleanLog takes secrets and control characters out of what is logged, and writes applications and durations as people
// do. It is for slog.HandlerOptions.ReplaceAttr.
func CleanLog(_ []string, a slog.Attr) slog.Attr {
	switch v := a.Value.Any().(type) {
	case incident.App:
		a.Value = slog.StringValue(fmt.Sprintf("%s/%s/%s", v.Instance, v.Namespace, v.Name))
	case time.Duration:
		a.Value = slog.StringValue(v.Round(time.Millisecond).String())
	case error:
		a.Value = slog.StringValue(clean.Text(v.Error()))
	case string:
		a.Value = slog.StringValue(clean.Text(v))
	}
	return a
}
