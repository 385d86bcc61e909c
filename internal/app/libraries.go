package app

import (
	"context"
	"io"
	"log/slog"
	"strings"

	"github.com/sirupsen/logrus" //nolint:depguard // Argo CD's packages write to it
	"google.golang.org/grpc/grpclog"
	"k8s.io/klog/v2"
)

// LogLibraries has the libraries write to a log that they would write to stderr as it is: client-go (klog), Argo CD's packages (logrus), gRPC,
// and whatever uses the log package. They quote URLs, headers and answers. It is called before they are used.
func LogLibraries(log *slog.Logger) {
	slog.SetDefault(log) // the log package as well
	klog.SetSlogLogger(log)
	logrus.SetOutput(io.Discard)
	logrus.StandardLogger().ReplaceHooks(logrus.LevelHooks{})
	logrus.AddHook(logrusTo{log})
	grpclog.SetLoggerV2(grpclog.NewLoggerV2(io.Discard, io.Discard, errorLines{log}))
}

// fromLibrary is the message of lines that are not the bot's own.
const fromLibrary = "a library logged"

// logrusTo passes on what is written to logrus.
type logrusTo struct{ log *slog.Logger }

// Levels implements [logrus.Hook].
func (logrusTo) Levels() []logrus.Level { return logrus.AllLevels }

// Fire implements [logrus.Hook].
func (l logrusTo) Fire(e *logrus.Entry) error {
	level := slog.LevelDebug
	switch e.Level {
	case logrus.PanicLevel, logrus.FatalLevel, logrus.ErrorLevel:
		level = slog.LevelError
	case logrus.WarnLevel:
		level = slog.LevelWarn
	case logrus.InfoLevel:
		level = slog.LevelInfo
	case logrus.DebugLevel, logrus.TraceLevel:
	}
	attrs := append(make([]slog.Attr, 0, len(e.Data)+1), slog.String("text", e.Message))
	for key, value := range e.Data {
		attrs = append(attrs, slog.Any(key, value))
	}
	l.log.LogAttrs(context.Background(), level, fromLibrary, attrs...)
	return nil
}

// errorLines logs what is written to it as errors, in one piece for each call.
type errorLines struct{ log *slog.Logger }

// Write implements [io.Writer].
func (l errorLines) Write(text []byte) (int, error) {
	l.log.Log(context.Background(), slog.LevelError, fromLibrary, "text", strings.TrimRight(string(text), "\n"))
	return len(text), nil
}
