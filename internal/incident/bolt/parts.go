package bolt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"go.etcd.io/bbolt"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/parts"
)

// members holds the parts of the members of large incidents, each under the ID of the incident and its digest. An incident and its
// parts change in one transaction, so that no part is left that nothing refers to.
var members = []byte("members")

// splitAbove is the number of members from which on an incident has parts: below, a document is smaller than the pages that the file
// writes around it.
const splitAbove = 100

// document is what is stored of an incident.
type document struct {
	*incident.Incident
	// Members are the first ones only where there are Parts.
	Members []incident.Member `json:"members"`
	Parts   []string          `json:"parts,omitempty"`
}

// encode is the document of an incident and its parts.
func encode(i *incident.Incident) (raw []byte, all []parts.Part, err error) {
	if len(i.Members) <= splitAbove {
		raw, err = json.Marshal(i)
		return raw, nil, err
	}
	if all, err = parts.Split(i.Members); err != nil {
		return nil, nil, err
	}
	d := document{Incident: i, Members: i.Members[:parts.Plain]}
	for _, p := range all {
		d.Parts = append(d.Parts, p.Digest)
	}
	raw, err = json.Marshal(d)
	return raw, all, err
}

// partKey is where a part of an incident is stored.
func partKey(id, digest string) []byte { return []byte(id + "\x00" + digest) }

// putParts writes the parts of an incident that are not stored yet, and removes those that it no longer has. It returns the size of all
// that it has now.
func putParts(tx *bbolt.Tx, id string, all []parts.Part) (size int, err error) {
	b := tx.Bucket(members)
	if b == nil {
		if len(all) == 0 {
			return 0, nil
		}
		if b, err = tx.CreateBucket(members); err != nil {
			return 0, err
		}
	}
	now := map[string]bool{}
	for _, p := range all {
		now[string(partKey(id, p.Digest))] = true
		if held := b.Get(partKey(id, p.Digest)); held != nil {
			size += len(held)
			continue
		}
		packed, err := p.Pack()
		if err != nil {
			return 0, err
		}
		if err := b.Put(partKey(id, p.Digest), packed); err != nil {
			return 0, err
		}
		size += len(packed)
	}
	var former [][]byte
	c := b.Cursor()
	for key, _ := c.Seek(partKey(id, "")); bytes.HasPrefix(key, partKey(id, "")); key, _ = c.Next() {
		if !now[string(key)] {
			former = append(former, bytes.Clone(key))
		}
	}
	for _, key := range former {
		if err := b.Delete(key); err != nil {
			return 0, err
		}
	}
	return size, nil
}

// errMissing: the entry refers to a part that is not in the file.
var errMissing = errors.New("some of its members are missing")

// decode is the incident of a document, with its members wherever they are.
func decode(tx *bbolt.Tx, id, stored []byte) (*incident.Incident, error) {
	if stored == nil {
		return nil, incident.ErrNotFound
	}
	d := document{Incident: &incident.Incident{}}
	err := json.Unmarshal(stored[min(versionSize, len(stored)):], &d)
	if err == nil {
		err = d.complete(tx, string(id))
	}
	if err != nil {
		return nil, fmt.Errorf("%s is damaged (%w); it stays in the file, and the other entries are not affected", id, err)
	}
	d.Incident.Members, d.Version = d.Members, versionOf(stored)
	d.Size += max(0, len(stored)-versionSize)
	return d.Incident, nil
}

// complete reads the members that are in parts.
func (d *document) complete(tx *bbolt.Tx, id string) error {
	if len(d.Parts) == 0 {
		return nil
	}
	b := tx.Bucket(members)
	d.Members = nil
	for _, digest := range d.Parts {
		var packed []byte
		if b != nil {
			packed = b.Get(partKey(id, digest))
		}
		if packed == nil {
			return errMissing
		}
		d.Size += len(packed)
		some, err := parts.Unpack(packed)
		if err != nil {
			return err
		}
		d.Members = append(d.Members, some...)
	}
	return nil
}
