package bolt

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"

	"github.com/argo-why/argo-why/internal/incident"
)

// The buckets of the file.
var (
	// about says what the file is, under the key format.
	about     = []byte("about")
	formatKey = []byte("format")
	// entries holds the incidents by ID: eight bytes of version, then the JSON document. Versions are drawn from the sequence
	// of the bucket, so that an entry that was deleted and made again is never taken for the former one.
	entries = []byte("incidents")
)

// format is the only one that there has been.
const format = "1"

// lockTimeout is how long to wait for a process that is just ending, as at a restart.
const lockTimeout = 2 * time.Second

// ErrInUse says that another process has the file open.
var ErrInUse = bbolterrors.ErrTimeout

// Open opens the file, and makes it (only the owner may read it) where there is none. Only one process can have it open.
func Open(path string) (*Journal, error) {
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: lockTimeout})
	if err != nil {
		return nil, fmt.Errorf("open journal %s: %w", path, explain(path, err))
	}
	if err := db.Update(prepare); err != nil {
		return nil, errors.Join(fmt.Errorf("open journal %s: %w", path, err), db.Close())
	}
	return &Journal{db}, nil
}

// Read returns what a file holds, without changing it; nothing where there is none. No other process can have it open.
func Read(ctx context.Context, path string) (all []*incident.Incident, err error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: lockTimeout, ReadOnly: true})
	if err != nil {
		return nil, fmt.Errorf("read journal %s: %w", path, explain(path, err))
	}
	j := &Journal{db}
	defer func() { err = errors.Join(err, j.Close()) }()
	if err := db.View(checkFormat); err != nil {
		return nil, fmt.Errorf("read journal %s: %w", path, err)
	}
	return j.List(ctx)
}

// explain says in one line what is wrong with a file, and what to do.
func explain(path string, err error) error {
	switch {
	case errors.Is(err, ErrInUse):
		return fmt.Errorf("another process has it open; stop that process, or give this one its own file (%w)", err)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("directory %s does not exist; create it, or choose another file", filepath.Dir(path))
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("permission denied; check the permissions of the file and of %s", filepath.Dir(path))
	case errors.Is(err, syscall.EISDIR):
		return errors.New("it is a directory; choose a file in it")
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EROFS):
		return fmt.Errorf("it cannot be written (%w); free some disk space, or choose a file elsewhere", err)
	}
	if info, statErr := os.Stat(path); statErr == nil && info.Mode().IsRegular() {
		return fmt.Errorf("it is not a journal, or is damaged (%w); choose another file, or move this one away", err)
	}
	return err
}

// errFuture: the file was written by somebody who knows more.
var errFuture = errors.New("it was written by a newer version of argo-why; use that version, or move the file away to start over")

// errForeign: a file of the same kind, of another program.
var errForeign = errors.New("it belongs to another program; choose another file")

// prepare makes the buckets of a new file, and refuses what is not a journal of this format.
func prepare(tx *bbolt.Tx) error {
	b := tx.Bucket(about)
	if b == nil {
		if name, _ := tx.Cursor().First(); name != nil {
			return errForeign
		}
		var err error
		if b, err = tx.CreateBucket(about); err != nil {
			return err
		}
		if _, err := tx.CreateBucket(entries); err != nil {
			return err
		}
		return b.Put(formatKey, []byte(format))
	}
	return checkFormat(tx)
}

// checkFormat refuses what is not a journal of this format.
func checkFormat(tx *bbolt.Tx) error {
	b := tx.Bucket(about)
	if b == nil {
		return errForeign
	}
	switch got := string(b.Get(formatKey)); {
	case got == "" || tx.Bucket(entries) == nil:
		return errForeign
	case got != format:
		return errFuture
	}
	return nil
}
