package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/near"
	"github.com/argo-why/argo-why/internal/program"
	"github.com/argo-why/argo-why/internal/terminal"
	"github.com/argo-why/argo-why/internal/text"
)

func newRules() *cobra.Command {
	var asMarkdown bool
	var color string
	command := &cobra.Command{
		Use:        "rules [ID | GROUP]",
		SuggestFor: []string{"list", "causes"},
		Short:      "List the failures that the bot recognises, or explain one",
		Long: `List the rules, each of which recognises one cause of a failure, or explain one of them.

ID is the name of a rule, GROUP the part before its slash.`,
		Example: `  bot rules
  bot rules hook
  bot rules hook/job-failed`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usageErrorf("one rule or group at a time: leave out %s", strings.Join(args[1:], " "))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			all, out := rules.All(), cmd.OutOrStdout()
			if !slices.Contains(colors, color) {
				return notOneOf("--color", color, colors)
			}
			switch {
			case asMarkdown && len(args) > 0:
				return usageErrorf("--markdown prints all rules: leave out %s", args[0])
			case asMarkdown:
				_, err := fmt.Fprint(out, rulesPage(all))
				return err
			case len(args) == 0:
				return terminal.Rules(out, all, groupTitle, layout(out, color))
			}
			id := strings.ToLower(args[0])
			if i := slices.IndexFunc(all, func(r *diagnose.Rule) bool { return r.ID == id }); i >= 0 {
				return terminal.Rule(out, all[i], layout(out, color))
			}
			if group := ofGroup(all, id); len(group) > 0 {
				return terminal.Rules(out, group, groupTitle, layout(out, color))
			}
			return noSuchRule(all, id)
		},
	}
	command.Flags().BoolVar(&asMarkdown, "markdown", false, "print all rules as Markdown: the page docs/rules.md")
	command.Flags().StringVar(&color, "color", colorAuto, colorUsage)
	command.ValidArgsFunction = completeRule
	complete(command, "color", noFiles(colors...))
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

// noSuchRule suggests the rules and groups that may have been meant.
func noSuchRule(all []*diagnose.Rule, id string) error {
	const maxNamed, enough = 5, 0.7
	var known []string
	for _, r := range all {
		if group := r.Group(); !slices.Contains(known, group) {
			known = append(known, group)
		}
		known = append(known, r.ID)
	}
	candidates := near.Rank(known, enough, func(candidate string) float64 {
		if len(id) > 2 && strings.Contains(candidate, id) {
			return 1
		}
		_, name, _ := strings.Cut(candidate, "/")
		return max(near.Word(id, candidate), near.Word(id, name))
	}, nil)
	if len(candidates) == 0 {
		return fmt.Errorf("no rule or group is named %q: '%s rules' lists them", id, program.Name())
	}
	return fmt.Errorf("no rule or group is named %q: did you mean %s?", id, text.Or(candidates[:min(len(candidates), maxNamed)]))
}
