package planted

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"
)

// Secret is one secret at one place.
type Secret struct {
	sample

	kind  *kind
	form  *form
	place *place
	id    int
}

// App is the name of the application that has the secret.
func (s *Secret) App() string { return fmt.Sprintf("shop-%d", s.id) }

// Case is the application as a case file; nil where the secret is in an answer.
func (s *Secret) Case() []byte {
	if s.place.put == nil {
		return nil
	}
	c := application(s.App())
	s.place.put(c, s.name, s.Shown())
	return []byte(jsonText(c))
}

// Shown is what stands at the place.
func (s *Secret) Shown() string { return s.form.put(newMaker(uint64(s.id), 2), s.sample) }

// Disguised reports whether its form is one that hides it.
func (s *Secret) Disguised() bool { return s.form.disguised }

// Kind is the kind of the secret.
func (s *Secret) Kind() string { return s.kind.name }

// Place is where it stands.
func (s *Secret) Place() string { return s.place.name }

// String names it: kind, form and place.
func (s *Secret) String() string {
	return fmt.Sprintf("%s · %s · %s", s.kind.name, s.form.name, s.place.name)
}

// Corpus are the secrets of a seed.
type Corpus struct {
	Secrets []*Secret
	finder  *finder
}

// How many forms of each kind are planted.
const (
	ordinaryForms  = 6
	disguisedForms = 4
)

// Seed is that of the environment, so that others can be tried: 1 without PLANTEDSEED.
func Seed(t testing.TB) uint64 {
	t.Helper()
	text := os.Getenv("PLANTEDSEED")
	if text == "" {
		return 1
	}
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("PLANTEDSEED=%s: give a number", text)
	}
	return seed
}

// New makes the secrets of a seed: every kind in several forms, each at a place. They are dealt like cards, so that every form and place
// has its turn. Then come those that stand alone in a field: URLs, and values with a name.
func New(seed uint64) *Corpus {
	m := newMaker(seed, 1)
	c := &Corpus{finder: newFinder()}
	for _, bird := range Canaries() {
		c.finder.take(string(bird.Case))
	}
	add := func(k *kind, f *form, at *place) {
		s := &Secret{id: len(c.Secrets), kind: k, form: f, place: at, sample: k.make(m)}
		for slices.ContainsFunc(s.secret, c.finder.isTaken) {
			s.sample = k.make(m)
		}
		c.Secrets = append(c.Secrets, s)
		for _, secret := range s.secret {
			c.finder.add(s, secret)
		}
	}
	kinds := slices.Concat(tokens, named(), written, pairs())
	plain, hidden, where := dealer(m, ordinary()), dealer(m, disguises), dealer(m, places)
	aText := func(at *place) bool { return !at.url }
	for i := range kinds {
		k := &kinds[i]
		for range ordinaryForms {
			if !k.isPair {
				add(k, plain(func(*form) bool { return true }), where(aText))
			}
		}
		for range disguisedForms {
			if !k.isPair {
				add(k, hidden(func(f *form) bool { return !f.long || k.long }), where(aText))
			}
		}
		for at := range places {
			if p := &places[at]; p.url && k.isURL || p.fields && k.isPair {
				add(k, &alone, p)
				add(k, &alone, p)
			}
		}
	}
	return c
}

// dealer deals the values in random order, all of them before one comes again, but those first that suit.
func dealer[T any](m *maker, all []T) func(suits func(*T) bool) *T {
	var left []int
	return func(suits func(*T) bool) *T {
		for {
			for i, at := range left {
				if suits(&all[at]) {
					left = slices.Delete(left, i, i+1)
					return &all[at]
				}
			}
			left = append(left, m.Perm(len(all))...)
		}
	}
}

// Canary is a harmless text, and the case of an application that has it at a place: what shows it would show a secret.
type Canary struct {
	Place, Text string
	// Quoted: reports show what stands there. Saved: case files have it.
	Quoted, Saved bool
	Case          []byte
}

// Canaries are one for each place.
func Canaries() []Canary {
	var out []Canary
	for i := range places {
		p := &places[i]
		if p.put == nil {
			continue
		}
		text := fmt.Sprintf("canary-%d.example.com", i)
		shown := text + " does not answer"
		if p.url {
			shown = "https://" + text + "/shop.git"
		}
		c := application(fmt.Sprintf("bird-%d", i))
		p.put(c, "", shown)
		out = append(out, Canary{Place: p.name, Text: text, Quoted: !p.hidden && !p.never, Saved: !p.never, Case: []byte(jsonText(c))})
	}
	return out
}
