package planted

import (
	"strings"
	"testing"
)

// TestTheFinderFindsEveryPlantedSecret, in each form and place: what it does not find nobody would notice.
func TestTheFinderFindsEveryPlantedSecret(t *testing.T) {
	t.Parallel()
	c := New(Seed(t))
	if len(c.Secrets) < 1000 {
		t.Fatalf("only %d secrets", len(c.Secrets))
	}
	for _, s := range c.Secrets {
		if c.finder.find(s.Shown())[s] == "" {
			t.Errorf("not found in %q: %s", s.Shown(), s)
		}
		if text := s.Case(); text != nil && c.finder.find(string(text))[s] == "" {
			t.Errorf("not found in the case: %s", s)
		}
	}
}

// TestTheFinderUndoesEveryDisguise that is put on a text as a whole, such as an output.
func TestTheFinderUndoesEveryDisguise(t *testing.T) {
	t.Parallel()
	c := New(Seed(t))
	s := c.Secrets[0]
	for _, f := range disguises {
		shown := f.put(newMaker(1, 3), s.sample)
		for name, text := range map[string]string{
			"alone": shown, "in an output": "Why     It said: " + shown + ".\n", "in JSON": `{"why":` + jsonString(shown) + `}`,
			"in base64 that was cut": base64Of("x" + shown)[1:],
		} {
			if c.finder.find(text)[s] == "" {
				t.Errorf("%s, %s: not found in %q", f.name, name, text)
			}
		}
	}
}

// TestSixCharactersAreALeak, and five are not.
func TestSixCharactersAreALeak(t *testing.T) {
	t.Parallel()
	c := New(Seed(t))
	s := c.Secrets[0]
	if part := s.secret[0]; c.finder.find("AKIA[redacted]" + part[len(part)-6:])[s] == "" {
		t.Error("six characters were not found")
	}
	if part := s.secret[0]; c.finder.find(part[:5] + " " + part[5:10])[s] != "" {
		t.Error("five characters were found")
	}
}

// TestNothingIsFoundWhereNothingIs planted.
func TestNothingIsFoundWhereNothingIs(t *testing.T) {
	t.Parallel()
	c := New(Seed(t))
	for _, bird := range Canaries() {
		for s, what := range c.finder.find(string(bird.Case)) {
			t.Errorf("%s: %q of %s", bird.Place, what, s)
		}
	}
}

// TestTheSameSeedPlantsTheSame, and another one something else.
func TestTheSameSeedPlantsTheSame(t *testing.T) {
	t.Parallel()
	all := func(seed uint64) string {
		var b strings.Builder
		for _, s := range New(seed).Secrets {
			b.Write(s.Case())
		}
		return b.String()
	}
	one := all(1)
	if again := all(1); one != again {
		t.Error("the same seed plants something else")
	}
	if one == all(2) {
		t.Error("another seed plants the same")
	}
}
