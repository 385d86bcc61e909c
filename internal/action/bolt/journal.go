// Package bolt keeps the ActionLogs in the same file as the incidents: internal/incident/bolt opens it. What Put has
// confirmed is on disk; a process killed in the middle leaves the previous state.
package bolt

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"go.etcd.io/bbolt"

	"github.com/argo-why/argo-why/internal/action"
)

// The bucket of the file, and what is in it.
var (
	// actions holds, beside the bucket of the logs, the format of what is in there.
	actions   = []byte("actions")
	formatKey = []byte("format")
	// logs are by application (key): eight bytes of version, then the JSON document. Versions are drawn from the sequence of
	// the bucket.
	logs = []byte("logs")
)

// format is the only one that there has been.
const format = "1"

// Journal is a [action.Journal] in a file.
type Journal struct{ db *bbolt.DB }

var _ action.Journal = (*Journal)(nil)

// Open makes what is missing in the file. Who opened the file closes it.
func Open(db *bbolt.DB) (*Journal, error) {
	if err := db.Update(prepare); err != nil {
		return nil, fmt.Errorf("open the action log in %s: %w", db.Path(), err)
	}
	return &Journal{db}, nil
}

// errFuture: the file was written by somebody who knows more.
var errFuture = errors.New("it was written by a newer version of argo-why; use that version, or move the file away to start over")

// errDamaged: nobody who wrote the one would have left out the other.
var errDamaged = errors.New("it is damaged; move the file away to start over")

// prepare makes the buckets, and refuses those that are not of this format. The file itself was looked at already.
func prepare(tx *bbolt.Tx) error {
	b := tx.Bucket(actions)
	if b == nil {
		var err error
		if b, err = tx.CreateBucket(actions); err != nil {
			return err
		}
		if _, err := b.CreateBucket(logs); err != nil {
			return err
		}
		return b.Put(formatKey, []byte(format))
	}
	switch got := string(b.Get(formatKey)); {
	case got == "":
		return errDamaged
	case got != format:
		return errFuture
	case b.Bucket(logs) == nil:
		return errDamaged
	}
	return nil
}

// Get implements [action.Journal].
func (j *Journal) Get(ctx context.Context, app action.App) (*action.Log, error) {
	var l *action.Log
	err := j.read(ctx, func(b *bbolt.Bucket) (err error) {
		l, err = decode(b.Get(key(app)))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("get the actions of %s: %w", app.Name, err)
	}
	if l == nil {
		return &action.Log{App: app}, nil
	}
	return l, nil
}

// List implements [action.Journal].
func (j *Journal) List(ctx context.Context) ([]*action.Log, error) {
	all := []*action.Log{}
	var unread []error
	err := j.read(ctx, func(b *bbolt.Bucket) error {
		return b.ForEach(func(key, stored []byte) error { // in the order of the keys
			l, err := decode(stored)
			if err != nil {
				unread = append(unread, fmt.Errorf("list actions: %q: %w", key, err))
				return nil
			}
			all = append(all, l)
			return nil
		})
	})
	if err != nil {
		return nil, fmt.Errorf("list actions: %w", err)
	}
	return all, errors.Join(unread...)
}

// Put implements [action.Journal].
func (j *Journal) Put(ctx context.Context, l *action.Log) error {
	version, size, err := j.put(ctx, l)
	if err != nil {
		return fmt.Errorf("put the actions of %s: %w", l.App.Name, err)
	}
	l.Version, l.Size = strconv.FormatUint(version, 10), size
	return nil
}

// Delete implements [action.Journal].
func (j *Journal) Delete(ctx context.Context, l *action.Log) error {
	err := j.db.Update(func(tx *bbolt.Tx) error {
		if err := ctx.Err(); err != nil { // given up while others wrote
			return err
		}
		b := tx.Bucket(actions).Bucket(logs)
		if stored := b.Get(key(l.App)); stored != nil && versionOf(stored) != l.Version {
			return action.ErrConflict
		}
		return b.Delete(key(l.App))
	})
	if err != nil {
		return fmt.Errorf("delete the actions of %s: %w", l.App.Name, err)
	}
	return nil
}

func (j *Journal) put(ctx context.Context, l *action.Log) (version uint64, size int, err error) {
	if l.App.Name == "" {
		return 0, 0, errors.New("the application has no name")
	}
	document, err := json.Marshal(l)
	if err != nil {
		return 0, 0, err
	}
	err = j.db.Update(func(tx *bbolt.Tx) error {
		if err := ctx.Err(); err != nil { // given up while others wrote
			return err
		}
		b := tx.Bucket(actions).Bucket(logs)
		if versionOf(b.Get(key(l.App))) != l.Version {
			return action.ErrConflict
		}
		if version, err = b.NextSequence(); err != nil {
			return err
		}
		return b.Put(key(l.App), append(binary.BigEndian.AppendUint64(nil, version), document...))
	})
	return version, len(document), err
}

// read sees one state of the whole journal.
func (j *Journal) read(ctx context.Context, do func(*bbolt.Bucket) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return j.db.View(func(tx *bbolt.Tx) error { return do(tx.Bucket(actions).Bucket(logs)) })
}

// key sorts as applications do: by instance, namespace, name. None of these can hold the character between them.
func key(app action.App) []byte {
	return []byte(app.Instance + "\x00" + app.Namespace + "\x00" + app.Name)
}

// versionSize is that of the version in front of a stored document.
const versionSize = 8

// versionOf is the version of what is stored; "" where nothing is.
func versionOf(stored []byte) string {
	switch {
	case stored == nil:
		return ""
	case len(stored) < versionSize: // nobody has read it, so nobody replaces it
		return "damaged"
	}
	return strconv.FormatUint(binary.BigEndian.Uint64(stored), 10)
}

// decode is nil where nothing is stored.
func decode(stored []byte) (*action.Log, error) {
	switch {
	case stored == nil:
		return nil, nil
	case len(stored) < versionSize:
		return nil, errDamaged
	}
	l := &action.Log{}
	if err := json.Unmarshal(stored[versionSize:], l); err != nil {
		return nil, fmt.Errorf("decode: %w", err)
	}
	l.Version, l.Size = versionOf(stored), len(stored)-versionSize
	return l, nil
}
