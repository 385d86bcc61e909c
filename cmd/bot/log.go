package main

import (
	"io"
	"log/slog"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/app"
)

// newLog is for the person at a terminal, unless JSON is asked for, and for programs elsewhere.
func newLog(errOut io.Writer, c config.Log) (*slog.Logger, error) {
	if c.Format != config.LogJSON && isWatched(errOut) {
		return app.NewTerminalLog(errOut, c, hasColor(errOut, colorAuto))
	}
	return app.NewLog(errOut, c)
}
