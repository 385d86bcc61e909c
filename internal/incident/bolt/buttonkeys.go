package bolt

import (
	"bytes"
	"context"
	"fmt"

	"go.etcd.io/bbolt"
)

// buttonKeys is the bucket with the keys that sign buttons, under keysKey. The file is only for its owner to read.
var (
	buttonKeys = []byte("button-keys")
	keysKey    = []byte("keys")
)

// ButtonKeys are those of the file; nil where there are none.
func (j *Journal) ButtonKeys(_ context.Context) (keys []byte, version string, err error) {
	err = j.db.View(func(tx *bbolt.Tx) error {
		if b := tx.Bucket(buttonKeys); b != nil {
			keys = bytes.Clone(b.Get(keysKey))
		}
		return nil
	})
	if err != nil {
		return nil, "", fmt.Errorf("read the key of buttons: %w", err)
	}
	return keys, "", nil
}

// PutButtonKeys keeps other ones. The process is the only one that has the file, and needs no version.
func (j *Journal) PutButtonKeys(_ context.Context, keys []byte, _ string) error {
	err := j.db.Update(func(tx *bbolt.Tx) error {
		b, err := tx.CreateBucketIfNotExists(buttonKeys)
		if err != nil {
			return err
		}
		return b.Put(keysKey, keys)
	})
	if err != nil {
		return fmt.Errorf("write the key of buttons: %w", err)
	}
	return nil
}
