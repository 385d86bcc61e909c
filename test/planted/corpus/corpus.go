// Package corpus makes texts as they stand in logs, messages and manifests, each with the exact strings that must be hidden and those that
// should stay legible. Its templates were written by somebody who had not read the code that hides secrets. Everything is made from a seed: two
// runs with one seed give the same texts.
package corpus

import (
	"bytes"
	"embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed templates
var tpls embed.FS

// Entry is one text.
type Entry struct {
	// Group is ordinary, odd, disguised or harmless.
	Group string
	// Kind is the form of the secret and the way in which it is written; Place is where it stands.
	Kind, Place string
	Text        string
	// Secrets are the parts of Text that must be hidden, Keep those that should stay.
	Secrets, Keep []string
}

type tpl struct{ group, place, kind, text, file string }

// load reads the template files. A line "=== group place" sets group and
// place; "kind :: text" is a template of one line; "kind ::" begins one of
// several lines that ends at a line "..".
func load() []tpl {
	names, err := tpls.ReadDir("templates")
	if err != nil {
		panic(err)
	}
	var out []tpl
	for _, n := range names {
		if !strings.HasSuffix(n.Name(), ".txt") {
			continue
		}
		b, err := tpls.ReadFile("templates/" + n.Name())
		if err != nil {
			panic(err)
		}
		var group, place string
		lines := strings.Split(string(b), "\n")
		for i := 0; i < len(lines); i++ {
			l := lines[i]
			if strings.TrimSpace(l) == "" || strings.HasPrefix(l, "## ") {
				continue
			}
			if strings.HasPrefix(l, "=== ") {
				f := strings.Fields(l)
				if len(f) != 3 {
					panicf("%s:%d: header", n.Name(), i+1)
				}
				group, place = f[1], f[2]
				continue
			}
			if k, ok := strings.CutSuffix(l, " ::"); ok {
				start := i
				var body []string
				for i++; i < len(lines) && lines[i] != ".."; i++ {
					body = append(body, lines[i])
				}
				if i == len(lines) {
					panicf("%s:%d: no end", n.Name(), start+1)
				}
				out = append(out, tpl{group, place, k, strings.Join(body, "\n"), fmt.Sprintf("%s:%d", n.Name(), start+1)})
				continue
			}
			k, t, ok := strings.Cut(l, " :: ")
			if !ok {
				panicf("%s:%d: no separator: %q", n.Name(), i+1, l)
			}
			out = append(out, tpl{group, place, k, unq(t), fmt.Sprintf("%s:%d", n.Name(), i+1)})
		}
	}
	return out
}

// products pairs secret forms with ways of writing them.
func products() []tpl {
	var out []tpl
	forms := rows("templates/forms.tsv")     // id, name of the setting, secret
	ways := rows("templates/ways.tsv")       // id, place, pattern
	vendors := rows("templates/vendors.tsv") // id, secret, natural text
	ctx := rows("templates/contexts.tsv")    // id, place, pattern
	for i, w := range ways {
		for j := 0; j < 2; j++ {
			f := forms[(i*2+j*20+i/len(forms))%len(forms)]
			t := strings.NewReplacer("@N", f[1], "@S", "«"+f[2]+"»").Replace(unq(w[2]))
			out = append(out, tpl{"ordinary", w[1], w[0] + "+" + f[0], t, "ways"})
		}
	}
	for i, v := range vendors {
		t := strings.ReplaceAll(unq(v[2]), "@S", "«"+v[1]+"»")
		out = append(out, tpl{"ordinary", "vendor.natural", v[0], t, "vendors"})
		if i%10 < 7 && !strings.Contains(v[0], "hook") && !strings.Contains(v[0], "otp") && v[0] != "azure-sas-sig" {
			c := ctx[(i*3+i/len(ctx))%len(ctx)]
			t := strings.ReplaceAll(unq(c[2]), "@S", "«"+v[1]+"»")
			out = append(out, tpl{"ordinary", c[1], c[0] + "+" + v[0], t, "contexts"})
		}
	}
	return out
}

func unq(s string) string { return unquoter.Replace(s) }

var unquoter = strings.NewReplacer("⏎", "\n", "␍", "\r", "␛", "\x1b", "␣", "\u00a0")

// rows are the lines of a file that has three columns.
func rows(name string) [][]string {
	b, err := tpls.ReadFile(name)
	if err != nil {
		panic(err)
	}
	var out [][]string
	for i, l := range strings.Split(string(b), "\n") {
		if strings.TrimSpace(l) == "" || strings.HasPrefix(l, "## ") {
			continue
		}
		f := strings.SplitN(l, " | ", 3)
		if len(f) != 3 {
			panicf("%s:%d: %q", name, i+1, l)
		}
		out = append(out, f)
	}
	return out
}

// fill makes the text of one template: «gen» is a secret, ‹gen› a value that
// is none, ⟦…⟧ a part to keep.
func fill(t tpl, seed int64) Entry {
	g := newGen(seed, t.place+"/"+t.kind)
	e := Entry{Group: t.group, Kind: t.place + "/" + t.kind, Place: t.place, Secrets: []string{}, Keep: []string{}}
	vars := map[string]value{}
	var b bytes.Buffer
	keepAt := -1
	s := t.text
	for s != "" {
		switch {
		case strings.HasPrefix(s, "«"), strings.HasPrefix(s, "‹"):
			secret := strings.HasPrefix(s, "«")
			open, closing := "‹", "›"
			if secret {
				open, closing = "«", "»"
			}
			s = s[len(open):]
			end := strings.Index(s, closing)
			if end < 0 {
				panicf("%s: open %s", t.file, open)
			}
			spec := s[:end]
			s = s[end+len(closing):]
			var v value
			if n, ok := strings.CutPrefix(spec, "$"); ok {
				n, filters, _ := strings.Cut(n, "|")
				if v, ok = vars[n]; !ok {
					panicf("%s: no %s", t.file, n)
				}
				if filters != "" {
					v = g.filter(v, filters, t.file)
				}
			} else {
				name := ""
				if i := strings.Index(spec, "="); i > 0 && i < 3 && !strings.ContainsAny(spec[:i], ":{|") {
					name, spec = spec[:i], spec[i+1:]
				}
				v = g.make(spec, t.file)
				if name != "" {
					vars[name] = v
				}
			}
			b.WriteString(v.text)
			if secret {
				for _, x := range v.secrets() {
					add(&e.Secrets, x)
				}
			}
		case strings.HasPrefix(s, "⟦"):
			if keepAt >= 0 {
				panicf("%s: nested keep", t.file)
			}
			s = s[len("⟦"):]
			keepAt = b.Len()
		case strings.HasPrefix(s, "⟧"):
			if keepAt < 0 {
				panicf("%s: keep end", t.file)
			}
			s = s[len("⟧"):]
			if k := b.String()[keepAt:]; len(k) > 2 {
				add(&e.Keep, k)
			}
			keepAt = -1
		default:
			n := strings.IndexAny(s[1:], "«‹⟦⟧")
			if n < 0 {
				n = len(s) - 1
			}
			b.WriteString(s[:n+1])
			s = s[n+1:]
		}
	}
	if keepAt >= 0 {
		panicf("%s: %s: keep open", t.file, t.kind)
	}
	e.Text = b.String()
	return e
}

func add(list *[]string, s string) {
	if !slices.Contains(*list, s) {
		*list = append(*list, s)
	}
}

// panicf is for a template that is wrong: a test makes all of them.
func panicf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

// Texts are all of the corpus.
func Texts(seed int64) []Entry {
	var out []Entry
	for _, t := range append(load(), products()...) {
		e := fill(t, seed)
		if e.Group == "harmless" && len(e.Keep) == 0 {
			e.Keep = []string{e.Text}
		}
		out = append(out, e)
	}
	return out
}
