// Package parts splits the members of a large incident, so that a change of one rewrites only the part that it is in. Where a part
// begins depends on the name of its first member alone: an application that joins or leaves moves no other boundary.
package parts

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/argo-why/argo-why/internal/incident"
)

const (
	// Plain is how many members an incident has in plain text beside its parts, for people.
	Plain = 20
	// usual is how many members a part has on average: fewer make more requests of a storm, more make each change of one dearer.
	usual = 512
	// most is the size of a part before it is packed, in bytes of JSON. Names that do not pack at all make it 4/3 of that in base64, of
	// the 1.5 MiB that etcd takes: https://etcd.io/docs/v3.5/dev-guide/limit/#request-size-limit
	most = 512 << 10
	// maxUnpacked is more than a part can be; what unpacks to more was not packed here.
	maxUnpacked = 8 << 20
)

// Part are some of the members, in their order.
type Part struct {
	// Digest is equal for equal members only; it can be part of an object's name.
	Digest  string
	Members int
	json    []byte
}

// Split are the parts of members that are sorted by application.
func Split(members []incident.Member) ([]Part, error) {
	var parts []Part
	var part bytes.Buffer
	count := 0
	end := func() {
		if count > 0 {
			part.WriteByte(']')
			parts = append(parts, newPart(bytes.Clone(part.Bytes()), count))
		}
		part.Reset()
		count = 0
	}
	for _, m := range members {
		raw, err := json.Marshal(m)
		if err != nil {
			return nil, fmt.Errorf("encode member %s: %w", m.App.Name, err)
		}
		if begins(m.App) || part.Len()+len(raw) > most {
			end()
		}
		if count > 0 {
			part.WriteByte(',')
		} else {
			part.WriteByte('[')
		}
		part.Write(raw)
		count++
	}
	end()
	return parts, nil
}

// begins reports whether a part begins with that application. Names differ little from one to the next, so that a simpler hash begins
// hardly any part.
func begins(app incident.App) bool {
	sum := sha256.Sum256([]byte(app.Instance + "\x00" + app.Namespace + "\x00" + app.Name))
	return binary.BigEndian.Uint64(sum[:])%usual == 0
}

func newPart(raw []byte, members int) Part {
	sum := sha256.Sum256(raw)
	digest := base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:10])
	return Part{Digest: strings.ToLower(digest), Members: members, json: raw}
}

// Pack is the part as it is stored.
func (p Part) Pack() ([]byte, error) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(p.json); err != nil {
		return nil, fmt.Errorf("pack members: %w", err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("pack members: %w", err)
	}
	return packed.Bytes(), nil
}

// Unpack are the members of what Pack returned.
func Unpack(packed []byte) ([]incident.Member, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("unpack its members: %w", err)
	}
	var members []incident.Member
	raw, err := io.ReadAll(io.LimitReader(r, maxUnpacked))
	if err == nil {
		err = json.Unmarshal(raw, &members)
	}
	if err != nil {
		return nil, fmt.Errorf("unpack its members: %w", err)
	}
	return members, nil
}
