package foreign_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/argo-why/argo-why/internal/foreign"
)

// laughs is YAML in which each anchor stands for nine of the one before.
func laughs(levels int) string {
	bomb := "a: &a [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n"
	for i := range levels {
		last, c := string(rune('a'+i)), string(rune('b'+i))
		bomb += c + ": &" + c + " [" + strings.Repeat("*"+last+", ", 8) + "*" + last + "]\n"
	}
	return bomb
}

// scalar is YAML with one long text that stands in many places.
func scalar(size, times int) string {
	return "a: &a " + strings.Repeat("x", size) + "\nb: [" + strings.Repeat("*a, ", times) + "]\n"
}

// merged is YAML whose maps take in one another, which each time doubles them.
func merged(levels int) string {
	bomb := "m0: &m0 {k: " + strings.Repeat("x", 1000) + "}\n"
	for i := range levels {
		bomb += fmt.Sprintf("m%d: &m%d {<<: *m%d, x: *m%d, y: *m%d}\n", i+1, i+1, i, i, i)
	}
	return bomb
}

func TestWhatWouldBecomeTooLargeIsRefused(t *testing.T) {
	var tags strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&tags, "%%TAG !a%d! tag:a\n", i)
	}
	for name, c := range map[string]struct{ text, says string }{
		"anchors in anchors":           {laughs(9), "too large to read: more than 4 MiB with its YAML aliases replaced"},
		"one text in 4,000 places":     {scalar(80_000, 4_000), "too large to read: more than 4 MiB with its YAML aliases replaced"},
		"one text in 60,000 places":    {scalar(1_000, 60_000), "too large to read: more than 4 MiB with its YAML aliases replaced"},
		"merge keys":                   {merged(30), "too large to read: more than 4 MiB with its YAML aliases replaced"},
		"a list of merge keys":         {"a: &a {k: " + strings.Repeat("x", 10_000) + "}\nb: {<<: [" + strings.Repeat("*a, ", 2_000) + "]}", "too large to read: more than 4 MiB with its YAML aliases replaced"},
		"aliases as keys":              {"a: &a " + strings.Repeat("x", 100_000) + "\nb:\n" + strings.Repeat("- {*a : 1}\n", 2_000), "too large to read: more than 4 MiB with its YAML aliases replaced"},
		"many small values":            {"a: &a [" + strings.Repeat("1,", 1_000) + "]\nb: [" + strings.Repeat("*a, ", 1_000) + "]", "too large to read: more than 4 MiB with its YAML aliases replaced"},
		"a text that escapes lengthen": {`"` + strings.Repeat(`\0`, 1<<20) + `"`, "too large to read: more than 4 MiB"},
		"an alias of what it is in":    {"a: &a [b, *a]", "yaml: anchor 'a' value contains itself"},
		"two of them":                  {"a: &a [&b [*a, *b]]", "yaml: anchor 'a' value contains itself"},
		"values":                       {"[" + strings.Repeat("a,", 1<<20) + "]", "too large to read: more than 200,000 values"},
		"empty lists":                  {"[" + strings.Repeat("[],", 1<<20) + "]", "too large to read: more than 200,000 values"},
		"keys":                         {strings.Repeat("a:\n", 1<<20), "too large to read: more than 200,000 values"},
		"depth, by brackets":           {strings.Repeat("[", 5_000) + strings.Repeat("]", 5_000), "too large to read: nested more than 1,000 levels deep"},
		"depth, by brackets, a lot":    {strings.Repeat("[", 50_000) + strings.Repeat("]", 50_000), "too large to read: nested more than 1,000 levels deep"},
		"depth, by dashes":             {strings.Repeat("- ", 5_000) + "a", "too large to read: nested more than 1,000 levels deep"},
		"depth, by aliases":            {chain(600), "too large to read: more than 4 MiB with its YAML aliases replaced"},
		"directives":                   {tags.String() + "--- a", "too large to read: more than 100 YAML directives"},
		"bytes":                        {"a: " + strings.Repeat("x", 5<<20), "too large to read: more than 4 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			var into map[string]any
			if used := allocated(func() { checkError(t, foreign.Field.YAML([]byte(c.text), &into), c.says) }); used > 50*uint64(len(c.text))+64<<20 {
				t.Errorf("%d bytes took %d MiB", len(c.text), used>>20)
			}
		})
	}
}

// chain is YAML in which each list contains the one before, twice as long a text in all.
func chain(levels int) string {
	var out strings.Builder
	out.WriteString("- &a0 [" + strings.Repeat("x", 50) + "]\n")
	for i := range levels {
		fmt.Fprintf(&out, "- &a%d [x, %s, *a%d]\n", i+1, strings.Repeat("x", 50), i)
	}
	return out.String()
}

func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func checkError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if foreign.IsTooLarge(err) != strings.HasPrefix(want, "too large") {
		t.Errorf("%v: IsTooLarge is %v", err, foreign.IsTooLarge(err))
	}
}

func TestJSONThatIsTooLargeIsRefused(t *testing.T) {
	l := foreign.Limits{Bytes: 1 << 20, Nodes: 10_000, Members: 1_000}
	for name, c := range map[string]struct{ text, says string }{
		"members":               {"[" + strings.Repeat("{},", 1_000) + "{}]", "too large to read: more than 1,000 entries in its lists"},
		"members of two":        {`{"a":[` + strings.Repeat("{},", 600) + `{}],"b":[` + strings.Repeat("{},", 600) + "{}]}", "too large to read: more than 1,000 entries in its lists"},
		"lists in lists":        {strings.Repeat("[[],", 600) + "1" + strings.Repeat("]", 600), "too large to read: more than 1,000 entries in its lists"},
		"fields":                {"{" + strings.Repeat(`"a":1,`, 10_000) + `"a":1}`, "too large to read: more than 10,000 values"},
		"depth":                 {strings.Repeat("[", 1_001) + strings.Repeat("]", 1_001), "too large to read: nested more than 1,000 levels deep"},
		"depth that never ends": {strings.Repeat(`{"a":`, 20_000), "too large to read: nested more than 1,000 levels deep"},
		"bytes":                 {`"` + strings.Repeat("x", 1<<20) + `"`, "too large to read: more than 1 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			var into any
			checkError(t, l.JSON([]byte(c.text), &into), c.says)
			if _, err := l.Value([]byte(c.text)); true {
				checkError(t, err, c.says)
			}
			if _, _, err := l.Reader().JSON([]byte(c.text)); true {
				checkError(t, err, c.says)
			}
		})
	}
	for name, text := range map[string]string{
		"brackets in a text":         `"` + strings.Repeat("[", 5_000) + `"`,
		"commas in a text":           `["` + strings.Repeat(",", 20_000) + `"]`,
		"an escaped quote in a text": `{"a":"\"` + strings.Repeat("[", 5_000) + `"}`,
		"an escaped backslash":       `{"a":"\\","b":[1,2]}`,
		"as deep as allowed":         strings.Repeat("[", 999) + strings.Repeat("]", 999),
	} {
		t.Run(name, func(t *testing.T) {
			var into any
			if err := l.JSON([]byte(text), &into); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestDocumentsAreLimitedTogether: many small documents take what one large one does.
func TestDocumentsAreLimitedTogether(t *testing.T) {
	l := foreign.Limits{Bytes: 1 << 20, Nodes: 1_000, Members: 100}
	for name, c := range map[string]struct{ text, says string }{
		"values":  {`{"a":1,"b":2}`, "too large to read: more than "},
		"entries": {"[[],[],[]]", "too large to read: more than "},
	} {
		t.Run(name, func(t *testing.T) {
			for form, read := range map[string]func(*foreign.Reader) error{
				"JSON": func(r *foreign.Reader) error {
					doc, end, err := r.JSON([]byte(c.text + " x"))
					if err == nil && (string(doc) != c.text || end != len(c.text)) {
						t.Errorf("got %s, which ends at %d", doc, end)
					}
					return err
				},
				"YAML": func(r *foreign.Reader) error { _, err := r.YAML([]byte(c.text)); return err },
			} {
				r, n := l.Reader(), 0
				var err error
				for ; err == nil && n < 2_000; n++ {
					err = read(r)
				}
				if !foreign.IsTooLarge(err) || !strings.HasPrefix(err.Error(), c.says) || n < 10 {
					t.Errorf("%s: %d documents, then %v", form, n, err)
				}
			}
		})
	}
}

// TestADamagedDocumentEndsWhereThatShows: what follows it is read.
func TestADamagedDocumentEndsWhereThatShows(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		end  int
		cut  bool
	}{
		"cut off":                        {`{"a":[1,2`, 9, true},
		"not valid":                      {`{"a" 1} {"b":2}`, 6, false},
		"a bracket of the other kind":    {`{"a":[1}] {"b":2}`, 8, false},
		"a text that goes over the line": {"{\"a\":\"b\n\"} {}", 8, false},
	} {
		t.Run(name, func(t *testing.T) {
			_, end, err := foreign.File.Reader().JSON([]byte(c.text))
			if err == nil || errors.Is(err, io.ErrUnexpectedEOF) != c.cut || end != c.end {
				t.Errorf("ends at %d: %v", end, err)
			}
		})
	}
}

// TestItemsAreLimitedOneByOne: a list of any length is read, as long as each of its items is short enough.
func TestItemsAreLimitedOneByOne(t *testing.T) {
	l := foreign.Limits{Bytes: 100_000}
	list := func(items ...string) io.Reader {
		return strings.NewReader(`{"metadata":{"resourceVersion":"1"},"items":[` + strings.Join(items, ",") + `]}`)
	}
	short := make([]string, 1_000)
	for i := range short {
		short[i] = `{"a":"` + strings.Repeat("x", 1_000) + `"}`
	}
	read := 0
	count := func([]byte) error { read++; return nil }
	if err := l.Items(list(short...), count); err != nil || read != len(short) {
		t.Errorf("%d items, %v", read, err)
	}
	checkError(t, l.Items(list(short[0], `"`+strings.Repeat("x", 1<<20)+`"`), count), "too large to read: more than 0 MiB")
	if err := l.Items(strings.NewReader(`{"items":null}`), count); err != nil {
		t.Error(err)
	}
	if err := l.Items(strings.NewReader(`{"items":[{}`), count); err == nil {
		t.Error("a list that was cut off was taken for a whole one")
	}
}

// FuzzYAML: what is read is what the library reads, and nothing that was measured as small becomes large.
func FuzzYAML(f *testing.F) {
	for _, text := range []string{laughs(2), scalar(10, 3), merged(2), chain(3), "a: &a {b: 1}\nc: {<<: *a, d: 2}", "- &a x\n- *a\n...\n- y", "a: yes\nb: 0x1f\n? c\n: - d"} {
		f.Add(text)
	}
	small := foreign.Limits{Bytes: 2_000, Nodes: 500, Members: 500}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 500 {
			return
		}
		raw, err := small.FromYAML([]byte(text))
		if err != nil {
			return
		}
		want, err := yaml.YAMLToJSON([]byte(text))
		if err != nil || string(raw) != string(want) {
			t.Errorf("got  %s\nwant %s, %v", raw, want, err)
		}
		if !json.Valid(raw) {
			t.Errorf("not JSON: %s", raw)
		}
	})
}

// FuzzMeasured checks that YAML which passes never decodes to more than the limit allows.
func FuzzMeasured(f *testing.F) {
	for _, text := range []string{laughs(3), scalar(200, 30), merged(6), chain(9)} {
		f.Add(text)
	}
	small := foreign.Limits{Bytes: 2_000, Nodes: 500, Members: 500}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1_000 || foreign.CheckYAML(small, []byte(text)) != nil {
			return
		}
		// A byte takes six at the most in JSON, as \u0000.
		if raw, err := yaml.YAMLToJSON([]byte(text)); err == nil && len(raw) > 6*small.Bytes {
			t.Errorf("%d bytes became %d", len(text), len(raw))
		}
	})
}
