package preflight

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/argo-why/argo-why/internal/text"
)

// Secret is a place where a secret is.
type Secret interface {
	Read() (string, error)
	String() string
}

// ReadSecret reads a secret that is needed. The finding is a problem, or nothing of interest.
func ReadSecret(what string, s Secret) (string, Finding) {
	value, err := s.Read()
	if err != nil {
		return "", Finding{What: what, Problem: text.OneLine(err.Error())}
	}
	return value, Finding{What: what, Detail: s.String()}
}

// CheckWebhookToken looks at the token that the notifications of an Argo CD must send.
func CheckWebhookToken(instance string, given bool, s Secret) Finding {
	what := "argocd " + instance + " webhook"
	if !given {
		return Finding{What: what, Detail: "off: no webhookToken is set, so watch and sweep find the failures"}
	}
	value, f := ReadSecret(what, s)
	// 16 characters of a random text cannot be guessed over a network.
	if f.OK() && len(value) < 16 {
		return Finding{What: what, Problem: "the token is shorter than 16 characters", Remedy: "create one with openssl rand -hex 32, and set it here and in argocd-notifications-secret"}
	}
	return f
}

// CheckFile finds out whether a journal in a file can be written. It leaves nothing behind.
func CheckFile(path string) Finding {
	const what = "journal"
	failed := func(err error) Finding {
		return Finding{What: what, Problem: "file " + path + ": " + whyNotWritten(path, err), Remedy: "set journal.path to a file in a directory that the bot can write to"}
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err == nil {
		if err := file.Close(); err != nil {
			return failed(err)
		}
		return Finding{What: what, Detail: "file " + path}
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return failed(err)
	}
	trial, err := os.CreateTemp(filepath.Dir(path), ".argo-why-check-*")
	if err != nil {
		return failed(err)
	}
	if err := errors.Join(trial.Close(), os.Remove(trial.Name())); err != nil {
		return failed(err)
	}
	return Finding{What: what, Detail: "file " + path + ", created at the first start"}
}

// whyNotWritten says why a file cannot be written; the error may be about a trial file beside it.
func whyNotWritten(path string, err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "the directory " + filepath.Dir(path) + " does not exist"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	}
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return "cannot be written (" + text.OneLine(err.Error()) + ")"
}

// Journal is one that checks itself. Its errors are one line and say what to do; several are joined.
type Journal interface {
	Check(ctx context.Context) error
}

// CheckJournal asks the journal.
func CheckJournal(ctx context.Context, detail string, j Journal) []Finding {
	if err := j.Check(ctx); err != nil {
		return fromError("journal", err)
	}
	return []Finding{{What: "journal", Detail: detail}}
}
