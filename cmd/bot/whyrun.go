package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/gateway"
)

// why is one run of the command.
type why struct {
	*whyOptions
	engine  *diagnose.Engine
	in      io.Reader
	errOut  io.Writer
	printer *printer
	// failed: something could not be diagnosed; bad: a diagnosed application is not healthy.
	failed, bad bool
}

func (o *whyOptions) run(cmd *cobra.Command) error {
	engine, err := diagnose.New(rules.All())
	if err != nil {
		return err
	}
	keepBelow(enoughMemory)
	engine.Timeout = min(o.timeout, engine.Timeout) // of one fact, after the application itself
	w := &why{
		whyOptions: o, engine: engine, in: cmd.InOrStdin(), errOut: cmd.ErrOrStderr(),
		printer: newPrinter(cmd.OutOrStdout(), o.output, o.color),
	}
	run := w.live
	if len(o.files) > 0 {
		run = w.offline
	}
	err = untilInterrupted(cmd.Context(), run)
	switch {
	case err != nil:
		return err
	case w.failed:
		return silentExit(exitFailed)
	case w.bad && o.exitCode:
		return silentExit(exitBad)
	}
	return nil
}

// untilInterrupted runs something that may compute for long without looking at its context, such as the rules on an application that was made to
// be expensive. When the context ends, it gets a moment to end by itself; then it is left behind, for the process ends.
func untilInterrupted(ctx context.Context, run func(context.Context) error) error {
	done := make(chan error, 1)
	go func() { done <- run(ctx) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	const moment = time.Second
	select {
	case err := <-done:
		return err
	case <-time.After(moment):
		return ctx.Err()
	}
}

// complain reports what could not be diagnosed, and lets the rest continue.
func (w *why) complain(err error) {
	w.failed = true
	complain(w.errOut, err)
}

// offline diagnoses files. If one cannot be read, the others are still reported.
func (w *why) offline(ctx context.Context) error {
	for _, file := range w.files {
		if err := w.file(ctx, file); ctx.Err() != nil {
			return ctx.Err()
		} else if err != nil {
			w.complain(err)
		}
	}
	return nil
}

func (w *why) file(ctx context.Context, file string) error {
	announce(w.errOut, file, w.in)
	contents, err := readInput(ctx, file, w.in)
	if err != nil {
		return err
	}
	cases := contents.Cases
	if w.save != "" && len(cases) > 1 {
		return fmt.Errorf("%s contains %d applications; --save takes one at a time", displayName(file), len(cases))
	}
	for i, c := range cases {
		cases[i] = nil // a large one is not kept longer than its turn
		if w.save == "" {
			c.Document = nil
		}
		report, err := w.diagnose(ctx, c.Source(), c.Now.Time)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, evidence.ErrAbsent):
			w.complain(problem(file, evidence.Problem{Says: "contains neither an application nor Argo CD's refusal to show one"}))
			continue
		case err != nil:
			w.complain(fmt.Errorf("%s: %w", displayName(file), err))
			continue
		}
		report.AsOf = c.AsOf.Time
		if err := w.print(report); err != nil {
			return fmt.Errorf("%s: %w", displayName(file), err)
		}
		if w.save != "" {
			w.keep(c)
		}
	}
	for _, note := range passedOver(file, contents.Passed) {
		complain(w.errOut, errors.New(note))
	}
	for _, p := range contents.Problems {
		w.complain(problem(file, p))
	}
	return nil
}

// keep writes the case file of a case that was read from a file. If it fails, that file is fine nevertheless.
func (w *why) keep(c *evidence.Case) {
	document, err := caseDocument(c)
	if err == nil {
		err = saveCase(w.save, document)
	}
	if err != nil {
		w.complain(err)
	}
}

// live asks Argo CD.
func (w *why) live(ctx context.Context) error {
	w.reach.Argo.UserAgent = "argo-why/" + programVersion()
	w.reach.Clusters.UserAgent = w.reach.Argo.UserAgent
	if file := w.reach.Argo.ConfigPath; file != "" { // argocd's own code takes a missing file for an empty one
		if _, err := os.Stat(file); err != nil {
			return fmt.Errorf("--config %s %w", file, inWords(file, err))
		}
	}
	if err := w.reach.CheckKubeconfig(); err != nil {
		return err
	}
	w.reach.Argo.ConnectTimeout = w.timeout + time.Second // the time-out must be what ends an attempt
	connection, err := w.connect(ctx)
	if err != nil {
		return err
	}
	for _, name := range w.apps {
		if err := w.app(ctx, connection, name); ctx.Err() != nil {
			return errors.Join(ctx.Err(), connection.Close())
		} else if err != nil {
			w.complain(err)
		}
	}
	return connection.Close()
}

// connect takes time only where an expired login has to be renewed.
func (w *why) connect(ctx context.Context) (*gateway.Connection, error) {
	ctx, cancel := context.WithTimeout(ctx, w.timeout)
	defer cancel()
	return gateway.Connect(ctx, w.reach)
}

func (w *why) app(ctx context.Context, connection *gateway.Connection, name string) error {
	ctx, cancel := gateway.WithTimeout(ctx, w.timeout, "raise --timeout")
	defer cancel()
	app := connection.App(name, w.namespaceFor(name), w.project)
	var recording *evidence.Recording
	if w.save != "" {
		recording = app.Record()
	}
	at := now()
	stop := progress(w.errOut, "reading "+name+" from "+connection.Argo.Server())
	report, err := w.diagnose(ctx, app.SourceUntil(ctx), at)
	stop()
	if err != nil {
		return inFlags(connection.LookElsewhere(ctx, name, w.namespaceFor(name), w.project, err))
	}
	if err := w.print(report); err != nil {
		return err
	}
	if w.save == "" {
		return nil
	}
	stop = progress(w.errOut, "reading all evidence of "+name)
	err = app.ReadAll(ctx)
	stop()
	if err != nil { // an incomplete case file is still worth having
		complain(w.errOut, fmt.Errorf("%s is incomplete: %w", w.save, err))
	}
	document, err := recording.Encode(at, "recorded with argo-why "+programVersion())
	if err != nil {
		return err
	}
	return saveCase(w.save, document)
}

// namespaceFor leaves the namespace of a qualified name to the name.
func (w *why) namespaceFor(name string) string {
	if strings.Contains(name, "/") {
		return ""
	}
	return w.namespace
}

// inFlags adds the flag that would find an application which is in another project.
func inFlags(err error) error {
	if found, ok := errors.AsType[*gateway.NotFoundError](err); ok && found.Elsewhere != "" {
		return fmt.Errorf("%w; leave --project out, or use --project %s", err, found.Elsewhere)
	}
	return err
}

// diagnose asks people to report an internal error.
func (w *why) diagnose(ctx context.Context, source evidence.Source, at time.Time) (*diagnose.Report, error) {
	report, err := gateway.Examine(ctx, w.engine, source, at)
	if _, ok := errors.AsType[*gateway.InternalError](err); ok {
		return nil, fmt.Errorf("%w; report it, if possible with the case file from --save", err)
	}
	return report, err
}

func (w *why) print(r *diagnose.Report) error {
	w.bad = w.bad || r.Verdict.Bad()
	return w.printer.print(r)
}

// now is the clock of a diagnosis, in whole seconds: that is what a case file keeps, and it must replay to the same report.
func now() time.Time { return time.Now().UTC().Truncate(time.Second) }
