package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/argo-why/argo-why/internal/near"
	"github.com/argo-why/argo-why/internal/text"
)

// usageError is a command line that cannot be run as it is written.
type usageError string

func (e usageError) Error() string { return string(e) }

func usageErrorf(format string, args ...any) error { return usageError(fmt.Sprintf(format, args...)) }

// unknownCommand says which command may have been meant. Words that other tools use for a command lead to ours.
func unknownCommand(parent *cobra.Command, name string) error {
	var known []string
	leadsTo := map[string]string{}
	for _, c := range parent.Commands() {
		for _, word := range append([]string{c.Name()}, c.SuggestFor...) {
			known, leadsTo[word] = append(known, word), c.Name()
		}
	}
	meant := leadsTo[near.Nearest(name, known)]
	if meant == "" {
		return usageErrorf("unknown command %q for %q", name, parent.CommandPath())
	}
	return usageErrorf("unknown command %q for %q: did you mean %s?", name, parent.CommandPath(), meant)
}

// isUnknownCommand finds the word that cobra took for a command. It has no error type for it.
func isUnknownCommand(err error) (name string, ok bool) {
	rest, ok := strings.CutPrefix(err.Error(), "unknown command ")
	if !ok {
		return "", false
	}
	quoted, err := strconv.QuotedPrefix(rest)
	if err != nil {
		return "", false
	}
	name, err = strconv.Unquote(quoted)
	return name, err == nil
}

// onlyCommands refuses everything but the commands below one that does nothing itself.
func onlyCommands(cmd *cobra.Command) {
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownCommand(cmd, args[0])
		}
		return nil
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return usageErrorf("%s needs to know what to print: use %s", cmd.CommandPath(), text.Or(names(cmd.Commands())))
	}
}

func names(commands []*cobra.Command) []string {
	var out []string
	for _, c := range commands {
		out = append(out, c.Name())
	}
	return out
}

// noArgs refuses arguments; instead says how to give what an argument was probably meant to be.
func noArgs(instead func(arg string) string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return nil
		case instead == nil:
			return usageErrorf("%s takes no arguments, but was given %q", cmd.CommandPath(), args[0])
		}
		return usageErrorf("%s takes no arguments: %s", cmd.CommandPath(), instead(args[0]))
	}
}

// useConfigFlag is for commands that people give the file of the configuration as an argument.
func useConfigFlag(arg string) string { return "use -c " + arg }

// flagError says in words what is wrong with a flag, and which one may have been meant.
func flagError(cmd *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		return unknownFlag(cmd, unknown)
	}
	if missing, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		flag, value := given(missing.GetFlag(), missing.GetSpecifiedShortnames()), kindOfValue(missing.GetFlag())
		return usageErrorf("%s needs a value: use %s %s", flag, flag, value)
	}
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		return invalidValue(invalid)
	}
	return err
}

// given is a flag as it was written: -o or --output.
func given(f *pflag.Flag, shorthands string) string {
	if shorthands != "" && f.Shorthand != "" {
		return "-" + f.Shorthand
	}
	return "--" + f.Name
}

// kindOfValue is what the help calls the value of a flag: FILE.
func kindOfValue(f *pflag.Flag) string {
	name, _ := pflag.UnquoteUsage(f)
	return name
}

func unknownFlag(cmd *cobra.Command, e *pflag.NotExistError) error {
	name, shorthands := e.GetSpecifiedName(), e.GetSpecifiedShortnames()
	written := "--" + name
	if shorthands != "" {
		written, name = "-"+shorthands, shorthands
	}
	if meant := near.Nearest(name, longFlags(cmd)); len(name) > 1 && meant != "" {
		return usageErrorf("unknown flag %s: did you mean --%s?", written, meant)
	}
	return usageErrorf("unknown flag %s", written)
}

// longFlags are the names of the flags that a command has, without dashes.
func longFlags(cmd *cobra.Command) []string {
	var all []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			all = append(all, f.Name)
		}
	})
	return all
}

func invalidValue(e *pflag.InvalidValueError) error {
	f, value := e.GetFlag(), e.GetValue()
	switch f.Value.Type() {
	case "duration":
		if _, err := strconv.ParseFloat(value, 64); err == nil {
			return usageErrorf("--%s %s has no unit: write a duration such as %ss", f.Name, value, value)
		}
		return usageErrorf("--%s %q is not a duration: write one such as 30s or 2m", f.Name, value)
	case "bool":
		return usageErrorf("--%s=%s is neither true nor false", f.Name, value)
	case "int":
		return usageErrorf("--%s %q is not a whole number", f.Name, value)
	}
	return e
}

// notOneOf says which values a flag has.
func notOneOf(flag, value string, known []string) error {
	if meant := near.Nearest(value, known); meant != "" {
		return usageErrorf("unknown value %q of %s: did you mean %s?", value, flag, meant)
	}
	return usageErrorf("unknown value %q of %s: use %s", value, flag, text.Or(known))
}

// seeHelp ends an error about the command line with where to read about the command.
func seeHelp(err error, cmd *cobra.Command) error {
	if cmd.Name() == "help" {
		cmd = cmd.Parent()
	}
	if strings.HasSuffix(err.Error(), "?") {
		return fmt.Errorf("%w See '%s --help'", err, cmd.CommandPath())
	}
	return fmt.Errorf("%w; see '%s --help'", err, cmd.CommandPath())
}

func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:               "help [COMMAND]",
		Short:             "Show the help of a command",
		ValidArgsFunction: completeCommand,
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil || about == nil {
				return unknownCommand(cmd.Root(), args[0])
			}
			if len(rest) > 0 && about.HasSubCommands() {
				return unknownCommand(about, rest[0])
			}
			about.InitDefaultHelpFlag() // so that the help shows it
			about.InitDefaultVersionFlag()
			return about.Help()
		},
	}
}
