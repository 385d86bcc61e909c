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
	var dryRun, newKey bool
	cmd := &cobra.Command{
		Use:        "serve -c FILE",
		SuggestFor: []string{"run", "start", "server", "daemon"},
		Short:      "Run the bot: answer in Slack, and open a thread for each failure",
		Long: `Run the bot: answer commands in Slack, and open a thread for each failure of an Argo CD
application. It runs until it is interrupted, and then finishes what it has begun. At
startup it logs what 'bot check' would report.

With --dry-run it reads the applications and the journal, decides, and logs what it would
post: the channel and the headline, a line for each message. It posts nothing, writes no
journal, takes no action, and receives no commands; those keep going to a bot that runs.

Exit codes: 0 stopped on request, 1 could not run, 2 wrong usage.`,
		Example: `  bot serve -c config.yaml
  bot serve -c config.yaml --dry-run`,
		Args: noArgs(useConfigFlag),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if file == "" {
				return errNoConfig
			}
			return runServe(cmd.Context(), file, dryRun, newKey, cmd.ErrOrStderr())
		},
	}
	cmd.Flags().StringVarP(&file, "config", "c", "", configUsage)
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "post nothing, and log what would be posted")
	cmd.Flags().BoolVar(&newKey, "new-button-key", false, "sign buttons with a new key; those signed with the previous key still work")
	return cmd
}

func runServe(ctx context.Context, file string, dryRun, newKey bool, errOut io.Writer) error {
	keepBelow(limitOfContainer())
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
	if dryRun { // the log is what it is run for
		c.Log = config.Log{Level: "info", Format: config.LogText}
	}
	log, err := newLog(errOut, c.Log)
	if err != nil {
		return err
	}
	app.LogLibraries(log)
	return app.Run(ctx, app.Options{Config: c, Version: programVersion(), Log: log, DryRun: dryRun, ReplaceButtonKey: newKey})
}
