package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agext/levenshtein"
	"github.com/spf13/cobra"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/near"
	"github.com/argo-why/argo-why/internal/terminal"
)

func newRules() *cobra.Command {
	var asMarkdown bool
	var color string
	command := &cobra.Command{
		Use:   "rules [ID | GROUP]",
		Short: "List the rules, or explain one",
		Example: `  bot rules
  bot rules hook
  bot rules hook/job-failed`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			all, out := rules.All(), cmd.OutOrStdout()
			if !slices.Contains(colors, color) {
				return usageError(fmt.Sprintf("--color %s is not known: %s", color, strings.Join(colors, ", ")))
			}
			switch {
			case asMarkdown && len(args) > 0:
				return usageError("--markdown is the page of all rules; leave out " + args[0])
			case asMarkdown:
				_, err := fmt.Fprint(out, rulesPage(all))
				return err
			case len(args) == 0:
				return terminal.Rules(out, all, groupTitle, layout(out, color))
			}
			if i := slices.IndexFunc(all, func(r *diagnose.Rule) bool { return r.ID == args[0] }); i >= 0 {
				return terminal.Rule(out, all[i], layout(out, color))
			}
			if group := ofGroup(all, args[0]); len(group) > 0 {
				return terminal.Rules(out, group, groupTitle, layout(out, color))
			}
			return noSuchRule(all, args[0])
		},
	}
	command.Flags().BoolVar(&asMarkdown, "markdown", false, "print all of them as the page docs/rules.md")
	command.Flags().StringVar(&color, "color", colorAuto, "auto (on a terminal, unless NO_COLOR is set), always or never")
	return command
}

// groupTitle says what the rules of a group have in common.
func groupTitle(group string) string { return diagnose.RuleGroup(group).Title() }

func ofGroup(all []*diagnose.Rule, group string) []*diagnose.Rule {
	var out []*diagnose.Rule
	for _, r := range all {
		if r.Group() == strings.TrimSuffix(group, "/") {
			out = append(out, r)
		}
	}
	return out
}

// noSuchRule suggests the rules that may have been meant.
func noSuchRule(all []*diagnose.Rule, id string) error {
	const maxNamed, enough = 5, 0.7
	candidates := near.Rank(all, enough, func(r *diagnose.Rule) float64 {
		if len(id) > 2 && strings.Contains(r.ID, id) {
			return 1
		}
		_, name, _ := strings.Cut(r.ID, "/")
		return max(levenshtein.Match(id, r.ID, nil), levenshtein.Match(id, name, nil))
	}, nil)
	if len(candidates) == 0 {
		return fmt.Errorf("there is no rule %q; 'bot rules' lists them", id)
	}
	var ids []string
	for _, r := range candidates[:min(len(candidates), maxNamed)] {
		ids = append(ids, r.ID)
	}
	return fmt.Errorf("there is no rule %q; did you mean %s?", id, strings.Join(ids, ", "))
}
