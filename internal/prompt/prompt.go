// Package prompt asks a person at a terminal, one question at a time: for a line, for a secret that is not shown, for yes or no.
package prompt

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// ErrEnded says that the terminal has no more input: Ctrl-D.
var ErrEnded = errors.New("the input ended before the last question was answered")

// Terminal asks on a terminal.
type Terminal struct {
	in    *os.File
	lines *bufio.Reader
	out   io.Writer
}

// New asks on a terminal; questions are written to out.
func New(in *os.File, out io.Writer) *Terminal {
	return &Terminal{in: in, lines: bufio.NewReader(in), out: out}
}

// Line asks for a line until it passes the check. Nothing typed means the fallback, if there is one.
func (t *Terminal) Line(ctx context.Context, question, fallback string, check func(string) error) (string, error) {
	if fallback != "" {
		question += " [" + fallback + "]"
	}
	return t.until(check, func() (string, error) {
		fmt.Fprint(t.out, question+": ")
		answer, err := t.read(ctx, func() (string, error) { return t.lines.ReadString('\n') })
		if answer == "" {
			answer = fallback
		}
		return answer, err
	})
}

// Secret asks for a secret, without showing it, until it passes the check.
func (t *Terminal) Secret(ctx context.Context, question string, check func(string) error) (string, error) {
	return t.until(check, func() (string, error) {
		fmt.Fprint(t.out, question+": ")
		defer fmt.Fprintln(t.out) // the end of the line that was typed is not shown either
		shown, err := term.GetState(int(t.in.Fd()))
		if err != nil {
			return "", fmt.Errorf("hide what is typed: %w", err)
		}
		// After Ctrl-C the reading goes on in its goroutine, and would leave the terminal as it is.
		defer term.Restore(int(t.in.Fd()), shown) //nolint:errcheck // nothing can be done about it
		return t.read(ctx, func() (string, error) {
			secret, err := term.ReadPassword(int(t.in.Fd()))
			return string(secret), err
		})
	})
}

// Yes asks for yes or no.
func (t *Terminal) Yes(ctx context.Context, question string, fallback bool) (bool, error) {
	hint, none := "y/N", "n"
	if fallback {
		hint, none = "Y/n", "y"
	}
	answer, err := t.until(isYesOrNo, func() (string, error) {
		fmt.Fprintf(t.out, "%s [%s]: ", question, hint)
		answer, err := t.read(ctx, func() (string, error) { return t.lines.ReadString('\n') })
		if answer == "" {
			answer = none
		}
		return answer, err
	})
	return isYes(answer), err
}

func isYes(answer string) bool {
	return strings.EqualFold(answer, "y") || strings.EqualFold(answer, "yes")
}

func isYesOrNo(answer string) error {
	if isYes(answer) || strings.EqualFold(answer, "n") || strings.EqualFold(answer, "no") {
		return nil
	}
	return errors.New("answer y or n")
}

// until asks again as long as the answer does not pass the check.
func (t *Terminal) until(check func(string) error, ask func() (string, error)) (string, error) {
	for {
		answer, err := ask()
		if err != nil {
			return "", err
		}
		if err = check(answer); err == nil {
			return answer, nil
		}
		fmt.Fprintf(t.out, "✗ %s\n", err)
	}
}

// read waits for an answer or for the end of the context. Reading from a terminal cannot be interrupted: after the end of the context it is left
// behind, so nothing can be asked after that.
func (t *Terminal) read(ctx context.Context, read func() (string, error)) (string, error) {
	type result struct {
		answer string
		err    error
	}
	done := make(chan result, 1)
	go func() {
		answer, err := read()
		done <- result{strings.TrimSpace(answer), err}
	}()
	select {
	case <-ctx.Done():
		fmt.Fprintln(t.out)
		return "", ctx.Err()
	case r := <-done:
		if errors.Is(r.err, io.EOF) {
			fmt.Fprintln(t.out)
			return "", ErrEnded
		}
		return r.answer, r.err
	}
}
