package planted

import (
	"encoding/base64"
	"math/rand/v2"
	"strings"
)

const (
	digits = "0123456789"
	hexa   = digits + "abcdef"
	lowers = "abcdefghijklmnopqrstuvwxyz"
	uppers = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	alnum  = digits + lowers + uppers
	base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
)

// maker makes secrets. The same seed gives the same ones, and none is in the source, where scanners of secrets would find it.
type maker struct{ *rand.Rand }

func newMaker(seed, stream uint64) *maker {
	return &maker{rand.New(rand.NewPCG(seed, stream))} //nolint:gosec // the same seed has to give the same secrets, and nobody uses them
}

// of makes n random characters. They begin with a digit and a letter, so that they are neither a number nor a word.
func (m *maker) of(alphabet string, n int) string {
	for {
		var b strings.Builder
		for range n {
			b.WriteByte(alphabet[m.IntN(len(alphabet))])
		}
		s := b.String()
		mixed := strings.ContainsAny(s, digits) && strings.ContainsAny(strings.ToLower(s), lowers)
		if mixed || n < 8 || !strings.ContainsAny(alphabet, digits) || !strings.ContainsAny(strings.ToLower(alphabet), lowers) {
			return s
		}
	}
}

// pick returns one of the values.
func pick[T any](m *maker, all []T) T { return all[m.IntN(len(all))] }

func base64Of(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

// sample is a text as somebody writes it, with a secret in it.
type sample struct {
	text string
	// secret are the random parts: nothing else of the text has to be hidden.
	secret []string
	// name is what the value is called where the place has a field for it: a variable, a key, a parameter. Then text is only the value.
	name string
}

// bare is a sample that is a secret with a known beginning.
func bare(prefix, random string) sample {
	return sample{text: prefix + random, secret: []string{random}}
}

// within is a text with the secret at every "§".
func within(text, random string) sample {
	return sample{text: strings.ReplaceAll(text, "§", random), secret: []string{random}}
}
