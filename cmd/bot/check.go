package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/app"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/preflight"
	"github.com/argo-why/argo-why/internal/terminal"
)

func newCheck() *cobra.Command {
	var file, output, color string
	var post bool
	cmd := &cobra.Command{
		Use:        "check -c FILE",
		SuggestFor: []string{"validate", "verify", "lint", "test", "doctor", "preflight", "config"},
		Short:      "Check the configuration and the access that the bot needs",
		Long: `Check the configuration, and whether the bot can work with it: the file is valid, Slack
accepts the tokens and grants all scopes, the bot is a member of each channel, each
Argo CD lets the bot's account read what a diagnosis needs, the journal can be written,
and the clusters let it read what Argo CD does not show. Nothing is posted or changed.

With --post it also does once what the bot does all the time, and undoes it: it posts a
message in each channel and deletes it, writes an entry to the journal and deletes it,
and sends the bot that runs here (in the same pod) a webhook for each Argo CD.

Each line is one check. A failed one (✗) says what to do, and a warning (!) what the bot
cannot do without it. The last line counts them.

Exit codes: 0 nothing required is missing, 1 a check failed, 2 wrong usage; 130 after
Ctrl-C.`,
		Example: `  bot check -c config.yaml
  bot check -c config.yaml -o json
  bot check -c config.yaml --post   # after the installation`,
		Args: noArgs(useConfigFlag),
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case file == "":
				return errNoConfig
			case !slices.Contains(checkFormats, output):
				return notOneOf("-o", output, checkFormats)
			case !slices.Contains(colors, color):
				return notOneOf("--color", color, colors)
			}
			return check(cmd, file, output, color, post)
		},
	}
	cmd.Flags().StringVarP(&file, "config", "c", "", configUsage)
	cmd.Flags().BoolVar(&post, "post", false, "also post a message in each channel, write to the journal and send a webhook, and undo that")
	cmd.Flags().StringVarP(&output, "output", "o", formatText, "print the findings as `FORMAT`: text or json")
	cmd.Flags().StringVar(&color, "color", colorAuto, colorUsage)
	complete(cmd, "output", noFiles(checkFormats...))
	complete(cmd, "color", noFiles(colors...))
	return cmd
}

// errNoConfig and configUsage are about the file that check and serve need.
const (
	errNoConfig = usageError("no configuration given: use -c FILE, such as -c config.yaml")
	configUsage = "configuration `FILE` (required); config/example.yaml explains every key"
)

var checkFormats = []string{formatText, formatJSON}

func check(cmd *cobra.Command, file, output, color string, post bool) error {
	ctx, out := cmd.Context(), cmd.OutOrStdout()
	var findings []preflight.Finding
	c, err := config.Load(file, ruleIDs())
	var wrong *config.Error
	switch {
	case errors.As(err, &wrong):
		findings = wrongConfig(wrong)
	case err != nil:
		return err
	default:
		findings = append(findings, preflight.Finding{What: "configuration", Detail: file})
	}
	if c != nil {
		findings = append(findings, preflight.Run(ctx, app.Checks(c, app.CheckOptions{Version: programVersion(), Post: post}))...)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	ok := preflight.AllOK(findings)
	if output == formatJSON {
		encoder := json.NewEncoder(out)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		err = encoder.Encode(map[string]any{"ok": ok, "findings": findings})
	} else {
		err = terminal.Checks(out, findings, layout(out, color))
	}
	if err != nil {
		return fmt.Errorf("write the findings: %w", err)
	}
	if !ok {
		return silentExit(exitFailed)
	}
	return nil
}

// ruleIDs are the IDs of all rules, for the patterns in the configuration.
func ruleIDs() []string {
	var ids []string
	for _, r := range rules.All() {
		ids = append(ids, r.ID)
	}
	return ids
}

// wrongConfig is a finding for each problem of the file.
func wrongConfig(wrong *config.Error) []preflight.Finding {
	var findings []preflight.Finding
	for _, p := range wrong.Problems {
		what := wrong.File
		if p.Line > 0 {
			what = fmt.Sprintf("%s:%d", wrong.File, p.Line)
		}
		f := preflight.Finding{What: what, Detail: p.Path, Problem: p.Text}
		findings = append(findings, f)
	}
	return findings
}
