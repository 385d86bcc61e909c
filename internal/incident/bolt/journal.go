// Package bolt keeps the journal of incidents in one file: for a bot outside a cluster, and for the demo. What Put has
// confirmed is on disk; a process killed in the middle leaves the previous state.
package bolt

import (
	"context"
	"encoding/binary"
	"fmt"
	"strconv"

	"go.etcd.io/bbolt"

	"github.com/argo-why/argo-why/internal/incident"
)

// Journal is an [incident.Journal] in a file.
type Journal struct{ db *bbolt.DB }

var _ incident.Journal = (*Journal)(nil)

// DB is the file, for what else is remembered in it, in buckets of its own. It is closed with the journal.
func (j *Journal) DB() *bbolt.DB { return j.db }

// Close lets go of the file. It waits for calls that are under way.
func (j *Journal) Close() error { return j.db.Close() }

// List implements [incident.Journal].
func (j *Journal) List(ctx context.Context) ([]*incident.Incident, error) {
	var all []*incident.Incident
	var damaged incident.Damaged
	err := j.read(ctx, func(tx *bbolt.Tx) error {
		return tx.Bucket(entries).ForEach(func(id, stored []byte) error { // in the order of the keys
			i, err := decode(tx, id, stored)
			if err != nil {
				damaged = append(damaged, incident.DamagedEntry{ID: string(id), Rest: incident.Salvage(stored[min(versionSize, len(stored)):]), Err: fmt.Errorf("list incidents: %w", err)})
				return nil
			}
			all = append(all, i)
			return nil
		})
	})
	if err != nil {
		return nil, fmt.Errorf("list incidents: %w", err)
	}
	return all, damaged.AsError()
}

// Get implements [incident.Journal].
func (j *Journal) Get(ctx context.Context, id string) (*incident.Incident, error) {
	var i *incident.Incident
	err := j.read(ctx, func(tx *bbolt.Tx) (err error) {
		i, err = decode(tx, []byte(id), tx.Bucket(entries).Get([]byte(id)))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("get incident %s: %w", id, err)
	}
	return i, nil
}

// Put implements [incident.Journal].
func (j *Journal) Put(ctx context.Context, i *incident.Incident) error {
	document, split, err := encode(i)
	if err != nil {
		return fmt.Errorf("put incident %s: %w", i.ID, err)
	}
	var version uint64
	var size int
	err = j.change(ctx, func(tx *bbolt.Tx) error {
		b := tx.Bucket(entries)
		if versionOf(b.Get([]byte(i.ID))) != i.Version {
			return incident.ErrConflict
		}
		if version, err = b.NextSequence(); err != nil {
			return err
		}
		if size, err = putParts(tx, i.ID, split); err != nil {
			return err
		}
		size += len(document)
		return b.Put([]byte(i.ID), append(binary.BigEndian.AppendUint64(nil, version), document...))
	})
	if err != nil {
		return fmt.Errorf("put incident %s: %w", i.ID, err)
	}
	i.Version, i.Size = strconv.FormatUint(version, 10), size
	return nil
}

// Delete implements [incident.Journal].
func (j *Journal) Delete(ctx context.Context, i *incident.Incident) error {
	err := j.change(ctx, func(tx *bbolt.Tx) error {
		b := tx.Bucket(entries)
		stored := b.Get([]byte(i.ID))
		if stored != nil && versionOf(stored) != i.Version {
			return incident.ErrConflict
		}
		if _, err := putParts(tx, i.ID, nil); err != nil {
			return err
		}
		return b.Delete([]byte(i.ID))
	})
	if err != nil {
		return fmt.Errorf("delete incident %s: %w", i.ID, err)
	}
	return nil
}

// read sees one state of the whole journal.
func (j *Journal) read(ctx context.Context, do func(*bbolt.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return j.db.View(do)
}

// change runs alone, and is on the disk when it returns: as a whole, or not at all.
func (j *Journal) change(ctx context.Context, do func(*bbolt.Tx) error) error {
	return j.db.Update(func(tx *bbolt.Tx) error {
		if err := ctx.Err(); err != nil { // given up while others wrote
			return err
		}
		return do(tx)
	})
}

// versionSize is that of the version in front of a stored document.
const versionSize = 8

// unversioned stands for the version of what is too short to have one: nobody has read it, so nobody replaces it.
const unversioned = "damaged"

// versionOf is the version of what is stored; "" where nothing is.
func versionOf(stored []byte) string {
	switch {
	case stored == nil:
		return ""
	case len(stored) < versionSize:
		return unversioned
	}
	return strconv.FormatUint(binary.BigEndian.Uint64(stored), 10)
}
