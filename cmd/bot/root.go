package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/argo-why/argo-why/internal/program"
	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/text"
)

// The exit codes. Scripts depend on them: the help of each command lists them.
const (
	exitDiagnosed = 0
	exitFailed    = 1
	exitUsage     = 2
	exitBad       = 3
)

// silentExit ends the command with a code after everything has been printed.
type silentExit int

func (e silentExit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// execute runs the command line and returns the exit code.
func execute(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	// What goes wrong before a command begins is wrong in the command line.
	begun := false
	root := newRoot(&begun)
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errOut)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitDiagnosed
	}
	if name, ok := isUnknownCommand(err); ok && !begun {
		err = unknownCommand(cmd, name)
	}
	var silent silentExit
	var usage usageError
	switch {
	case errors.As(err, &silent):
		return int(silent)
	case !begun, errors.As(err, &usage):
		complain(errOut, seeHelp(err, cmd))
		return exitUsage
	case ctx.Err() != nil:
		return interrupted(ctx, errOut)
	}
	complain(errOut, err)
	return exitFailed
}

// interrupted says so and returns the exit code that goes with the signal.
func interrupted(ctx context.Context, errOut io.Writer) int {
	complain(errOut, errors.New("interrupted"))
	var by interruption
	if errors.As(context.Cause(ctx), &by) {
		return by.exitCode()
	}
	return exitFailed
}

// complain writes an error as one line. Errors quote files and servers, so they are cleaned like a report.
func complain(w io.Writer, err error) {
	msg := strings.ReplaceAll(strings.TrimSpace(sanitize.Text(err.Error())), "\n", "; ") // several errors are joined by lines
	fmt.Fprintln(w, program.Name()+": "+text.OneLine(msg))
}

func newRoot(begun *bool) *cobra.Command {
	root := &cobra.Command{
		// What the shell completes, and what the help calls it: kubectl runs a plugin by two words.
		Use:                program.Word(),
		Annotations:        map[string]string{cobra.CommandDisplayNameAnnotation: program.Name()},
		Short:              "Find out why an Argo CD application fails",
		Version:            programVersion(),
		SilenceErrors:      true,
		SilenceUsage:       true,
		DisableSuggestions: true, // cobra's take several lines; see unknownCommand
		PersistentPreRun:   func(*cobra.Command, []string) { *begun = true },
	}
	root.SetVersionTemplate(versionLine() + "\n")
	root.SetFlagErrorFunc(flagError)
	root.SetHelpCommand(newHelp())
	root.AddCommand(newWhy(), newInit(), newServe(), newCheck(), newDigest(), newGenerate(), newRules(), newDemo(), newStories(), &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArgs(nil),
		Run: func(cmd *cobra.Command, _ []string) {
			fmt.Fprintln(cmd.OutOrStdout(), versionLine())
		},
	})
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			onlyCommands(c)
		}
	}
	callByName(root)
	completeRest(root)
	return root
}

// callByName makes the help say what the program is called. The texts are written with the name of this directory.
func callByName(root *cobra.Command) {
	commands := strings.Join(names(root.Commands()), "|")
	mention := regexp.MustCompile(`\bbot ((help )?(` + commands + `))\b`)
	rename := func(s string) string { return mention.ReplaceAllString(s, program.Name()+" $1") }
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		c.Short, c.Long, c.Example = rename(c.Short), rename(c.Long), rename(c.Example)
		c.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = rename(f.Usage) })
		for _, below := range c.Commands() {
			walk(below)
		}
	}
	walk(root)
}
