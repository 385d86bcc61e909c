package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/app"
	"github.com/argo-why/argo-why/internal/preflight"
	"github.com/argo-why/argo-why/internal/sanitize"
)

func newCheck() *cobra.Command {
	var file, output string
	cmd := &cobra.Command{
		Use:   "check -c FILE",
		Short: "Find out whether the bot could do its work",
		Long: `Find out whether the bot could do its work with a configuration: that the file is
right, that Slack accepts the tokens and grants all scopes, that the bot is in each
channel, that each Argo CD lets its account read what a diagnosis needs, and that the
journal can be written. Nothing is posted or changed.

Each line is one thing that was looked at, with what to do about it where it is wrong.

Exit codes: 0 all is well, 1 something is not, 2 wrong usage; 130 after Ctrl-C.`,
		Example: `  bot check -c config.yaml
  bot check -c config.yaml -o json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case file == "":
				return usageError("name the configuration with -c")
			case !slices.Contains(checkFormats, output):
				return usageError(fmt.Sprintf("-o %s is not known: %s", output, strings.Join(checkFormats, ", ")))
			}
			return check(cmd, file, output)
		},
	}
	cmd.Flags().StringVarP(&file, "config", "c", "", "configuration `FILE`; config/example.yaml explains every key")
	cmd.Flags().StringVarP(&output, "output", "o", formatText, "text or json")
	return cmd
}

var checkFormats = []string{formatText, formatJSON}

func check(cmd *cobra.Command, file, output string) error {
	ctx, out := cmd.Context(), cmd.OutOrStdout()
	var findings []preflight.Finding
	c, err := config.Load(file)
	var wrong *config.Error
	switch {
	case errors.As(err, &wrong):
		findings = wrongConfig(wrong)
	case err != nil:
		return err
	default:
		findings = append(findings, preflight.Finding{What: "configuration", Detail: file})
		findings = append(findings, preflight.Run(ctx, app.Checks(c, programVersion()))...)
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
		for _, f := range findings {
			// Findings quote Slack, Argo CD and the cluster.
			_, err = fmt.Fprintln(out, strings.TrimSpace(sanitize.Text(f.String())))
		}
	}
	if err != nil {
		return fmt.Errorf("write the findings: %w", err)
	}
	if !ok {
		return silentExit(exitFailed)
	}
	return nil
}

// wrongConfig is a finding for each problem of the file. Nothing else is looked at: what would it be compared with?
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
