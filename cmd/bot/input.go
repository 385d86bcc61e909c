package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/term"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/program"
)

const stdin = "-"

func displayName(file string) string {
	if file == stdin {
		return "standard input"
	}
	return file
}

// announce says at a terminal that input is expected: nothing else shows it.
func announce(w io.Writer, file string, in io.Reader) {
	if f, ok := in.(*os.File); ok && file == stdin && term.IsTerminal(int(f.Fd())) {
		fmt.Fprintln(w, program.Name()+": reading standard input from the terminal; end it with Ctrl-D")
	}
}

// readInput reads what is in a file or, for "-", in standard input. It ends with the context even where the reading does
// not (on a terminal, or a pipe that nobody writes to) and while a large file is decoded.
func readInput(ctx context.Context, file string, in io.Reader) (evidence.Contents, error) {
	type result struct {
		contents evidence.Contents
		err      error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		r.contents, r.err = decodeInput(file, in)
		done <- r
	}()
	select {
	case r := <-done:
		return r.contents, r.err
	case <-ctx.Done():
		return evidence.Contents{}, ctx.Err()
	}
}

// decodeInput is readInput without the context. Its error begins with the name of the file.
func decodeInput(file string, in io.Reader) (evidence.Contents, error) {
	name, read := displayName(file), readFile
	if file == stdin {
		read = func(string) ([]byte, error) { return readAll(in) }
	}
	text, err := read(file)
	if errors.Is(err, errNotFound) {
		name = "file " + name // it could be taken for an application
	}
	if err != nil {
		return evidence.Contents{}, fmt.Errorf("%s %w", name, err)
	}
	return evidence.Read(text, now()), nil
}

// problem says what is wrong with a file, or with an item of it.
func problem(file string, p evidence.Problem) error {
	if p.Where != "" {
		return fmt.Errorf("%s: %w%s", displayName(file), p, hint(p))
	}
	return fmt.Errorf("%s %w%s", displayName(file), p, hint(p))
}

// passedOver says what a file contains beside applications.
func passedOver(file string, passed []evidence.Passed) []string {
	if len(passed) == 0 {
		return nil
	}
	notes := []string{fmt.Sprintf("%s: not diagnosed: %s", displayName(file), evidence.Names(passed))}
	for _, p := range passed {
		if p.Fails != "" {
			notes = append(notes, fmt.Sprintf("%s: %s fails: %s", displayName(file), p.Name, p.Fails))
		}
	}
	return notes
}

func readFile(name string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, inWords(name, err)
	case info.IsDir():
		return nil, errors.New("is a directory; give each file in it with -f")
	case info.Size() > evidence.MaxCaseBytes:
		return nil, errTooLarge
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, inWords(name, err)
	}
	defer f.Close() //nolint:errcheck // closing what was only read: the reading has reported its error already
	return readAll(f)
}

var errTooLarge = fmt.Errorf("is larger than %d MiB, the limit; give one application at a time", evidence.MaxCaseBytes>>20)

// readAll stops one byte after what can be decoded: a device or a pipe may have no end.
func readAll(r io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, evidence.MaxCaseBytes+1))
	switch {
	case err != nil:
		return nil, inWords(stdin, err)
	case len(text) > evidence.MaxCaseBytes:
		return nil, errTooLarge
	}
	return text, nil
}

var errNotFound = errors.New("not found")

// inWords says why a file cannot be read: the end of a sentence that begins with its name.
func inWords(file string, err error) error {
	var path *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist) && !filepath.IsAbs(file):
		if where, err := filepath.Abs(file); err == nil {
			return fmt.Errorf("%w: looked for %s", errNotFound, where)
		}
		fallthrough
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: check the path", errNotFound)
	case errors.Is(err, fs.ErrPermission):
		return errors.New("cannot be read: permission denied; let your user read it (ls -l shows its permissions)")
	case errors.As(err, &path):
		err = path.Err
	}
	return fmt.Errorf("cannot be read (%w); check the path", err)
}

// notWritten says why a file cannot be written; the caller names it.
func notWritten(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("its directory does not exist; create it, or give another path")
	case errors.Is(err, fs.ErrPermission):
		return errors.New("permission denied; give a path that your user can write to")
	}
	return fmt.Errorf("cannot be written (%w); give another path", cause(err))
}

// hint says how to get a file that can be read, unless the error says what to do itself.
func hint(err error) string {
	if strings.Contains(err.Error(), ";") {
		return ""
	}
	return "; get a complete one with '" + program.Name() + " why APP --save FILE' or 'kubectl get application APP -o yaml'"
}
