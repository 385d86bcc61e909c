package planted

import (
	"fmt"
	"strings"
)

// Pack are secrets that stand at one place of one application, one below the other: a bot tells of few applications in a minute.
type Pack struct {
	App     string
	Secrets []*Secret
}

// perPack is how many there are in one.
const perPack = 8

// Packs are all secrets, in packs. Those of the same place are far from each other, so that the first packs are of all places, and the
// kinds are mixed.
func (c *Corpus) Packs() []Pack {
	var order []*place
	of := map[*place][]*Secret{}
	m := newMaker(uint64(len(c.Secrets)), 5)
	for _, at := range m.Perm(len(c.Secrets)) {
		s := c.Secrets[at]
		if of[s.place] == nil {
			order = append(order, s.place)
		}
		of[s.place] = append(of[s.place], s)
	}
	var out []Pack
	for len(order) > 0 {
		var left []*place
		for _, at := range order {
			all := of[at]
			n := min(perPack, len(all))
			if at.url || at.fields || at.short {
				n = 1
			}
			out = append(out, Pack{App: fmt.Sprintf("pack-%d", len(out)), Secrets: all[:n]})
			if of[at] = all[n:]; len(all) > n {
				left = append(left, at)
			}
		}
		order = left
	}
	return out
}

// marker begins the harmless text of a pack. Where it comes out, the secrets behind it could.
const marker = "marker-"

// Text is what stands at the place. A field has room for one.
func (p Pack) Text() string {
	if len(p.Secrets) == 1 {
		return p.Secrets[0].Shown()
	}
	all := []string{marker + p.App + ".example.com does not answer"}
	for _, s := range p.Secrets {
		all = append(all, s.Shown())
	}
	return strings.Join(all, "\n\n")
}

// Case is the application as a case file; nil where it is an answer.
func (p Pack) Case() []byte {
	at := p.Secrets[0].place
	if at.put == nil {
		return nil
	}
	c := application(p.App)
	at.put(c, p.Secrets[0].name, p.Text())
	return []byte(jsonText(c))
}

// Place is where they stand.
func (p Pack) Place() string { return p.Secrets[0].place.name }
