package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/cli/browser"
	"github.com/spf13/cobra"

	"github.com/argo-why/argo-why/internal/demo"
	"github.com/argo-why/argo-why/internal/demo/script"
	"github.com/argo-why/argo-why/internal/demo/world"
)

// demoPort is the default port of the page: a tab that was left open finds the next demo.
const demoPort = 7070

// demoOptions are the command line of `bot demo`.
type demoOptions struct {
	port      int
	noBrowser bool
	cases     []string
	log       string
	script    string
	pictures  string
	look      script.Look
	live      string // a flag of the page that was given, "" if none
}

func newDemo() *cobra.Command {
	o := demoOptions{}
	cmd := &cobra.Command{
		Use:        "demo",
		SuggestFor: []string{"try", "play", "tour"},
		Short:      "Try everything in a browser, without Slack, Argo CD or a cluster",
		Long: `Show the whole bot in a browser: a page that works like Slack, a simulated Argo CD
whose applications fail the way real ones did, and between the two the same bot that
'bot serve' runs. Nothing has to be installed, and no account or cluster is used.
Everything listens on 127.0.0.1 only, and all files it writes are removed at the end.
Ctrl-C stops it.

With --script no page is opened: the bot plays a story and prints what it shows.
'bot help stories' describes the language.

Exit codes: 0 stopped on request, 1 could not run, 2 wrong usage.`,
		Example: `  bot demo
  bot why payments-api --save case.json && bot demo --case case.json
  bot demo --script docs/images/incident.txtar --pictures .`,
		Args: noArgs(func(arg string) string {
			return "use --case " + arg + " for a case file, --script " + arg + " for a story"
		}),
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, name := range []string{"port", "no-browser", "case"} {
				if cmd.Flags().Changed(name) {
					o.live = name
				}
			}
			return o.run(cmd)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.IntVar(&o.port, "port", demoPort, "`PORT` of the page, 0 for any free one; if the default is in use, another one is taken")
	flags.BoolVar(&o.noBrowser, "no-browser", false, "print the address, but do not open a browser")
	flags.StringArrayVar(&o.cases, "case", nil, "also show the failures in `FILE`: a case (bot why --save writes one) or whatever else why -f reads (repeatable)")
	flags.StringVar(&o.log, "log", "", "write the bot's log to `FILE`; - is standard error")
	flags.StringVar(&o.script, "script", "", "play the story in `FILE`, and print what it shows; - is standard input")
	flags.StringVar(&o.pictures, "pictures", "", "with --script: write a picture of everything shown to `DIR` (needs Chromium)")
	flags.IntVar(&o.look.Width, "width", 0, "with --pictures: width of the pictures in CSS `PIXELS` (default 400)")
	flags.BoolVar(&o.look.Dark, "dark", false, "with --pictures: use the dark theme")
	return cmd
}

func (o *demoOptions) run(cmd *cobra.Command) (err error) {
	if err := o.check(); err != nil {
		return err
	}
	cases, err := readCases(cmd.Context(), o.cases, cmd.InOrStdin(), cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	log, err := openLog(o.log, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	bot, err := itself()
	if err != nil {
		return err
	}
	// Closing the terminal stops it like Ctrl-C, so nothing stays behind; nohup prevents that.
	ctx := cmd.Context()
	if !signal.Ignored(syscall.SIGHUP) {
		hungUp, stop := signal.NotifyContext(ctx, syscall.SIGHUP)
		defer stop()
		ctx = hungUp
		cmd.SetContext(ctx)
	}
	if o.script != "" {
		return o.play(cmd, bot, log)
	}
	d, err := demo.Start(ctx, demo.Options{Port: o.port, Preferred: !cmd.Flags().Changed("port"), Bot: bot, Cases: cases, Log: log})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	fmt.Fprintf(cmd.OutOrStdout(), "The demo is at %s\nCtrl-C stops it.\n", d.URL())
	if !o.noBrowser {
		openBrowser(d.URL())
	}
	complainOfBot(ctx, d.World, cmd.ErrOrStderr())
	return nil
}

// complainOfBot reports each time why the bot ended without being killed, until the context ends.
func complainOfBot(ctx context.Context, w *world.World, errOut io.Writer) {
	said := 0
	for {
		changed := w.BotChanged()
		if s := w.Bot(); s.Problem != nil && s.Runs != said {
			said = s.Runs
			complain(errOut, fmt.Errorf("%w; restarting it", s.Problem))
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// check finds contradictions before anything is started.
func (o *demoOptions) check() error {
	const narrowest = 320
	switch {
	case o.port < 0 || o.port > 65535:
		return usageErrorf("--port %d is not a port: choose one from 1024 to 65535, or 0 for any free one", o.port)
	case o.script != "" && o.live != "":
		return usageErrorf("--%s has no effect with --script, which opens no page: leave one of the two out", o.live)
	case o.script == "" && o.pictures != "":
		return usageError("--pictures needs a story to take pictures of: give one with --script FILE")
	case o.pictures == "" && o.look != (script.Look{}):
		return usageError("--width and --dark need --pictures DIR")
	case o.look.Width != 0 && o.look.Width < narrowest:
		return usageErrorf("--width %d is too narrow: the page needs at least %d pixels", o.look.Width, narrowest)
	}
	return nil
}

// readCases reads what `bot why -f` reads. The page is about failures, so what cannot be shown is not started with.
func readCases(ctx context.Context, files []string, in io.Reader, errOut io.Writer) ([]demo.CaseFile, error) {
	var out []demo.CaseFile
	for _, file := range files {
		contents, err := readInput(ctx, file, in)
		if err == nil && len(contents.Problems) > 0 {
			err = problem(file, contents.Problems[0])
		}
		if err != nil {
			return nil, fmt.Errorf("--case %w", err)
		}
		for _, c := range contents.Cases {
			document, err := caseDocument(c)
			if err != nil {
				return nil, fmt.Errorf("--case %s: %w", file, err)
			}
			out = append(out, demo.CaseFile{Name: file, Text: document})
		}
		for _, note := range passedOver(file, contents.Passed) {
			complain(errOut, errors.New(note))
		}
	}
	return out, nil
}

// openLog is where the log of the bot goes.
func openLog(file string, errOut io.Writer) (io.WriteCloser, error) {
	switch file {
	case "":
		return nopCloser{io.Discard}, nil
	case stdin:
		return nopCloser{errOut}, nil
	}
	f, err := os.Create(file)
	if err != nil {
		return nil, fmt.Errorf("--log %s: %w", file, notWritten(err))
	}
	return f, nil
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// itself runs this program again: the bot of the demo is a process of its own, because it can be killed.
func itself() (func(ctx context.Context, args ...string) *exec.Cmd, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("the demo cannot find its own program file to start the bot: %w", err)
	}
	return func(ctx context.Context, args ...string) *exec.Cmd { return exec.CommandContext(ctx, program, args...) }, nil
}

// openBrowser opens the page where there is a browser. Where there is none, or it does not open, the address was printed.
func openBrowser(url string) {
	if runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return // what would open is a browser in this terminal
	}
	browser.Stdout, browser.Stderr = io.Discard, io.Discard
	go func() { _ = browser.OpenURL(url) }() // it returns when the browser does
}
