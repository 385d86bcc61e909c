package redact

import (
	"hash/fnv"
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
)

// sampler makes texts that an expression matches.
type sampler struct{ *rand.Rand }

func newSampler(seed uint64) sampler { return sampler{rand.New(rand.NewPCG(seed, 16))} }

func (s sampler) text(re *syntax.Regexp) string {
	var b strings.Builder
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		b.WriteRune(s.char(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('.')
	case syntax.OpAlternate:
		return s.text(re.Sub[s.IntN(len(re.Sub))])
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range re.Sub {
			b.WriteString(s.text(sub))
		}
	case syntax.OpPlus:
		return s.text(re.Sub[0])
	case syntax.OpRepeat:
		n := re.Min
		if re.Max > re.Min {
			n += s.IntN(min(re.Max-re.Min, 3) + 1)
		}
		for range n {
			b.WriteString(s.text(re.Sub[0]))
		}
	default: // a boundary, or what may be missing
	}
	return b.String()
}

// char is a letter or a digit where the class has one, at best one of both cases.
func (s sampler) char(class []rune) rune {
	var choice []rune
	for _, r := range alnum {
		for i := 0; i < len(class); i += 2 {
			if class[i] <= r && r <= class[i+1] {
				choice = append(choice, r)
				break
			}
		}
	}
	if len(choice) == 0 {
		return class[0]
	}
	return choice[s.IntN(len(choice))]
}

// secretFor is a secret that the rule finds between two spaces, as gitleaks wrote it, with what must stand before it.
func secretFor(t *testing.T, r *compiled, seed uint64) (before, secret string) {
	t.Helper()
	theirs := regexp.MustCompile(r.pattern)
	parsed, err := syntax.Parse(r.pattern, syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	h := fnv.New64a()
	h.Write([]byte(r.id))
	s := newSampler(h.Sum64() + seed) // the same for a rule, wherever it stands in the list
	for range 200 {
		whole := s.text(parsed)
		m := r.expression().regexp().FindStringSubmatchIndex(" " + whole + " ")
		if !theirs.MatchString(" "+whole+" ") || m == nil {
			continue
		}
		start, end := r.secret(m)
		before, secret = (" " + whole)[1:start], (" " + whole + " ")[start:end]
		if entropy(secret) > r.entropy && !anyAllows(r.allowed, secret, whole, whole) && !anyAllows(shared().global, secret, whole, whole) {
			return before, secret
		}
	}
	t.Fatalf("no secret for %s", r.pattern)
	return "", ""
}

func TestATokenEndsAndBeginsAtWhateverASentencePutsThere(t *testing.T) {
	fronts := []string{"", "see ", "=", `"`, "'", "(", "[", "{", "<", ">", ":", ",", ";", "/", "|", "`", "\n", `\n`, `\"`, `\u0026`, "%3D", "a=", "key: ", "é"}
	backs := []string{"", ".", ")", ",", ":", "]", "}", ">", "&", "|", `"`, "'", ";", "\n", `\n`, `\"`, "<", "/", "?", "!", "`", " was rejected", ". Next", "...", "…", ") (", "é"}
	fixed := 0
	for i := range shared().rules {
		r := &shared().rules[i]
		if r.ours && !r.token || !r.expression().fixed {
			continue
		}
		fixed++
		t.Run(r.id, func(t *testing.T) {
			_, secret := secretFor(t, r, 0)
			about := "" // gitleaks wants to read the service's name on the same line for some
			if !slices.ContainsFunc(r.keywords, func(k string) bool { return strings.Contains(strings.ToLower(secret), k) }) {
				about = r.keywords[0] + " "
			}
			for _, front := range fronts {
				if about != "" && strings.Contains(front, "\n") {
					continue
				}
				wholly(t, about+front, secret, ". Next")
			}
			for _, back := range backs {
				wholly(t, about+"see ", secret, back)
			}
			if in := about + secret + " " + secret + "," + secret; strings.Contains(String(in), secret) {
				t.Errorf("one of three is left: %s", String(in))
			}
		})
	}
	if fixed < 100 {
		t.Errorf("only %d rules for tokens of a fixed form", fixed)
	}
}

func wholly(t *testing.T, front, secret, back string) {
	t.Helper()
	in := front + secret + back
	if got := String(in); got != front+Replacement+back {
		t.Errorf("between %q and %q:\n got %s\nfrom %s", front, back, got, in)
	}
}

func TestAValueEndsAtWhateverASentencePutsThere(t *testing.T) {
	for i := range shared().rules {
		r := &shared().rules[i]
		if r.ours || r.expression().fixed || r.expression().open {
			continue
		}
		before, secret := secretFor(t, r, 0)
		if !regexp.MustCompile(r.pattern).MatchString(before + secret + " ") {
			continue // it ends with more than a boundary
		}
		t.Run(r.id, func(t *testing.T) {
			for _, back := range []string{"", ".", ")", ",", "]", "}", ">", "&", "|", `"`, "'", ";", "\n", `\n`, `\"`, "<", " was rejected", ". Next", ": rejected"} {
				if got := String(before + secret + back); strings.Contains(got, secret) {
					t.Errorf("before %q: %s", back, got)
				}
			}
		})
	}
}
