package main

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/app"
)

func newServe() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "serve -c FILE",
		Short: "Run the bot: answer in Slack, and open a thread for each failure",
		Long: `Run the bot: answer commands in Slack, and open a thread for each failure of an
Argo CD application. It runs until it is interrupted, and then finishes what it has
begun. What 'bot check' would find is written to the log at the start.

Exit codes: 0 ended as asked, 1 could not run, 2 wrong usage.`,
		Example: `  bot serve -c config.yaml`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if file == "" {
				return usageError("name the configuration with -c")
			}
			return runServe(cmd.Context(), file, cmd.ErrOrStderr())
		},
	}
	cmd.Flags().StringVarP(&file, "config", "c", "", "configuration `FILE`; config/example.yaml explains every key")
	return cmd
}

func runServe(ctx context.Context, file string, errOut io.Writer) error {
	c, err := config.Load(file)
	var wrong *config.Error
	if errors.As(err, &wrong) {
		for line := range strings.Lines(wrong.Error()) {
			complain(errOut, errors.New(strings.TrimSuffix(line, "\n")))
		}
		return silentExit(exitFailed)
	}
	if err != nil {
		return err
	}
	log, err := app.NewLog(errOut, c.Log)
	if err != nil {
		return err
	}
	return app.Run(ctx, app.Options{Config: c, Version: programVersion(), Log: log})
}
