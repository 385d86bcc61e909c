package evidence

import (
	"crypto/sha256"
	"encoding/binary"
)

// Digest is 128 bits of a text, to tell it from others.
type Digest struct{ High, Low uint64 }

// DigestOf is the digest of a text.
func DigestOf(text []byte) Digest {
	sum := sha256.Sum256(text)
	return Digest{binary.BigEndian.Uint64(sum[:8]), binary.BigEndian.Uint64(sum[8:16])}
}

// Stale reports whether the sources were changed since Argo CD compared with them. A comparison that does not say with what was one with others:
// Argo CD writes both at once, and whoever may write the status could take one away.
func (a *Application) Stale() bool {
	if a.Wanted == (Digest{}) { // it was not read from Argo CD
		return false
	}
	if a.Compared == (Digest{}) {
		return a.Status.Sync.compared()
	}
	return a.Compared != a.Wanted
}

// compared reports whether the state is that of a comparison.
func (s *SyncStatus) compared() bool {
	return s.Status != "" && s.Status != "Unknown" || s.Revision != "" || len(s.Revisions) > 0
}
