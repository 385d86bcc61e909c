package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/spf13/cobra"

	"github.com/argo-why/argo-why/internal/demo/script"
	"github.com/argo-why/argo-why/internal/program"
	"github.com/argo-why/argo-why/internal/story"
	"github.com/argo-why/argo-why/internal/text"
)

// newStories is a help topic, not a command.
func newStories() *cobra.Command {
	return &cobra.Command{
		Use:   "stories",
		Short: "The language of the stories that 'bot demo --script' plays",
		Long: `A story says what happens and what to show, one step per line. Replace the words in
upper case. # begins a comment.

` + story.Help() + `
For example:

  allow delete-hook-job alice approval bob 15m
  start
  fail payments-api hook/job-failed
  await Evidence
  details payments-api message`,
	}
}

// play plays a story.
func (o *demoOptions) play(cmd *cobra.Command, bot func(context.Context, ...string) *exec.Cmd, log io.Writer) error {
	raw, err := readStory(o.script, cmd.InOrStdin())
	if err != nil {
		return fmt.Errorf("--script %s %w", displayName(o.script), inWords(o.script, err))
	}
	parsed, err := story.Parse(raw)
	if err != nil {
		return fmt.Errorf("--script %s: %w", displayName(o.script), err)
	}
	err = script.Play(cmd.Context(), script.Options{
		Story: parsed, Bot: bot, Out: cmd.OutOrStdout(), Pictures: o.pictures, Look: o.look, Log: log,
		Waits: func(d time.Duration) {
			fmt.Fprintf(cmd.ErrOrStderr(), "%s: waiting %s, as the story says\n", program.Name(), text.Duration(d))
		},
	})
	if err != nil {
		return fmt.Errorf("--script %s: %w", displayName(o.script), err)
	}
	return nil
}

// readStory reads all of a story.
func readStory(file string, in io.Reader) ([]byte, error) {
	if file == stdin {
		return io.ReadAll(in)
	}
	return os.ReadFile(file)
}
