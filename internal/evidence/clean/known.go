package clean

import (
	"hash/maphash"
	"maps"
	"math/bits"
	"sync"
)

// known are the texts that were searched and have no secret. An application says at each look what it said before, and most
// others say the same: "Service web: unchanged". A search costs microseconds, a look-up a few nanoseconds.
var known = memo{most: 1 << 15}

// memo remembers hashes, the newest of them: twice most at the most, which is about a megabyte.
type memo struct {
	most       int
	mu         sync.RWMutex
	young, old map[uint64]struct{}
}

func (m *memo) has(key uint64) bool {
	m.mu.RLock()
	_, young := m.young[key]
	_, old := m.old[key]
	m.mu.RUnlock()
	if old && !young {
		m.add(key)
	}
	return young || old
}

func (m *memo) add(key uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.young) >= m.most || m.young == nil {
		m.young, m.old = make(map[uint64]struct{}, 64), m.young
	}
	m.young[key] = struct{}{}
}

// seed makes the hashes differ from process to process, so that nobody can find a text that has the hash of another.
var seed = maphash.MakeSeed()

func hash(s string) uint64 { return maphash.String(seed, s) }

// pairHash is the hash of two things in this order.
func pairHash(a, b uint64) uint64 {
	high, low := bits.Mul64(a^0x9e3779b97f4a7c15, bits.RotateLeft64(b, 32)^0xd1b54a32d192ed03)
	return high ^ low ^ b
}

// treeHash is the hash of decoded JSON. Entries of a map have no order, so theirs are added up.
func treeHash(v any) uint64 {
	switch v := v.(type) {
	case string:
		return hash(v)
	case map[string]any:
		sum := uint64(len(v))
		for key, value := range v {
			sum += pairHash(hash(key), treeHash(value))
		}
		return pairHash(1, sum)
	case []any:
		sum := uint64(2)
		for _, value := range v {
			sum = pairHash(sum, treeHash(value))
		}
		return sum
	}
	return maphash.Comparable(seed, v) // a number, true, false or nil
}

// treeCopy is a deep copy of decoded JSON.
func treeCopy(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := maps.Clone(v)
		for key, value := range out {
			out[key] = treeCopy(value)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, value := range v {
			out[i] = treeCopy(value)
		}
		return out
	}
	return v
}
