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

// Stale reports whether the sources were changed since Argo CD compared with them.
func (a *Application) Stale() bool {
	return a.Compared != Digest{} && a.Wanted != Digest{} && a.Compared != a.Wanted
}
