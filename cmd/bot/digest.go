package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/app"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/near"
	"github.com/argo-why/argo-why/internal/terminal"
)

var digestFormats = []string{formatText, formatJSON}

func newDigest() *cobra.Command {
	var file, output, since, channel, color string
	cmd := &cobra.Command{
		Use:        "digest -c FILE",
		SuggestFor: []string{"summary", "report", "stats", "statistics", "overview"},
		Short:      "Print what fails, what recovered and what failed most often",
		Long: `Print what is failing and since when, what recovered, how often each cause occurred, and
how long recovery took: the same figures that the bot posts as a digest. They come from
its journal and nothing else; nothing is changed, and neither Argo CD nor Slack is asked.

The journal is that of the configuration. A journal in a file can be read only while the
bot is stopped; one in a cluster is read at any time, with the account that kubectl uses.

Exit codes: 0 printed, 1 the configuration, the journal or a part of it could not be read,
2 wrong usage.`,
		Example: `  bot digest -c config.yaml
  bot digest -c config.yaml --since 30d -o json
  bot digest -c config.yaml --channel payments-alerts`,
		Args: noArgs(useConfigFlag),
		RunE: func(cmd *cobra.Command, _ []string) error {
			period, err := parsePeriod(since)
			switch {
			case file == "":
				return errNoConfig
			case err != nil:
				return err
			case !slices.Contains(digestFormats, output):
				return notOneOf("-o", output, digestFormats)
			case !slices.Contains(colors, color):
				return notOneOf("--color", color, colors)
			}
			return printDigest(cmd, file, output, color, app.DigestOptions{Period: period, Channel: channel, Version: programVersion(), Now: time.Now().UTC()})
		},
	}
	cmd.Flags().StringVarP(&file, "config", "c", "", configUsage)
	cmd.Flags().StringVar(&since, "since", "7d", "look back for this `DURATION`, such as 7d or 12h")
	cmd.Flags().StringVar(&channel, "channel", "", "only the incidents of this `CHANNEL`, as the configuration names it")
	cmd.Flags().StringVarP(&output, "output", "o", formatText, "print the figures as `FORMAT`: text or json")
	cmd.Flags().StringVar(&color, "color", colorAuto, colorUsage)
	complete(cmd, "output", noFiles(digestFormats...))
	complete(cmd, "color", noFiles(colors...))
	return cmd
}

func printDigest(cmd *cobra.Command, file, output, color string, o app.DigestOptions) error {
	c, err := config.Load(file, ruleIDs())
	var wrong *config.Error
	switch {
	case c != nil: // a pattern that matches no rule keeps nothing from working
	case errors.As(err, &wrong):
		for line := range strings.Lines(wrong.Error()) {
			complain(cmd.ErrOrStderr(), errors.New(strings.TrimSuffix(line, "\n")))
		}
		return silentExit(exitFailed)
	default:
		return err
	}
	if o.Channel != "" && !slices.Contains(c.Channels(), o.Channel) {
		return unknownChannel(o.Channel, c.Channels())
	}
	d, err := app.ReadDigest(cmd.Context(), c, o)
	if _, partly := errors.AsType[incident.Damaged](err); err != nil && !partly {
		return err
	}
	write := func() error {
		if output == formatJSON {
			return terminal.DigestJSON(cmd.OutOrStdout(), &d)
		}
		return terminal.DigestText(cmd.OutOrStdout(), &d, layout(cmd.OutOrStdout(), color))
	}
	return errors.Join(write(), err)
}

func unknownChannel(name string, known []string) error {
	if k := near.Nearest(name, known); k != "" {
		return usageErrorf("--channel: the configuration names no channel %q: did you mean %s?", name, k)
	}
	return usageErrorf("--channel: the configuration names no channel %q; it has %s", name, strings.Join(known, ", "))
}

// parsePeriod reads a duration that may also be in days, which Go's do not have.
func parsePeriod(s string) (time.Duration, error) {
	var d time.Duration
	var err error
	if days, ok := strings.CutSuffix(s, "d"); ok {
		var n int
		n, err = strconv.Atoi(days)
		d = time.Duration(n) * 24 * time.Hour
	} else {
		d, err = time.ParseDuration(s)
	}
	if err != nil {
		return 0, usageErrorf("--since: %q is not a duration: write one such as 7d, 36h or 90m", s)
	}
	const most = 366 * 24 * time.Hour
	if d <= 0 || d > most {
		return 0, usageError(fmt.Sprintf("--since: %s is out of range: use 1s to 366d, such as 7d", s))
	}
	return d, nil
}
