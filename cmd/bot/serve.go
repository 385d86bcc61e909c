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
		Use:        "serve -c FILE",
		SuggestFor: []string{"run", "start", "server", "daemon"},
		Short:      "Run the bot: answer in Slack, and open a thread for each failure",
		Long: `Run the bot: answer commands in Slack, and open a thread for each failure of an Argo CD
application. It runs until it is interrupted, and then finishes what it has begun. At
startup it logs what 'bot check' would report.

Exit codes: 0 stopped on request, 1 could not run, 2 wrong usage.`,
		Example: `  bot serve -c config.yaml`,
		Args:    noArgs(useConfigFlag),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if file == "" {
				return errNoConfig
			}
			return runServe(cmd.Context(), file, cmd.ErrOrStderr())
		},
	}
	cmd.Flags().StringVarP(&file, "config", "c", "", configUsage)
	return cmd
}

func runServe(ctx context.Context, file string, errOut io.Writer) error {
	c, err := config.Load(file, ruleIDs())
	var wrong *config.Error
	switch {
	case c != nil: // a pattern that matches no rule is logged, and keeps nothing from working
	case errors.As(err, &wrong):
		for line := range strings.Lines(wrong.Error()) {
			complain(errOut, errors.New(strings.TrimSuffix(line, "\n")))
		}
		return silentExit(exitFailed)
	default:
		return err
	}
	if missing := c.MissingSecrets(); len(missing) > 0 {
		for _, err := range missing {
			complain(errOut, err)
		}
		return silentExit(exitFailed)
	}
	log, err := app.NewLog(errOut, c.Log)
	if err != nil {
		return err
	}
	return app.Run(ctx, app.Options{Config: c, Version: programVersion(), Log: log})
}
