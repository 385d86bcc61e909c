package pattern

import (
	"fmt"
	"reflect"
	"regexp"
	"testing"
)

func TestNeeded(t *testing.T) {
	for expr, want := range map[string]string{
		`open (/\S+): no such`:                     `[{: no such false}]`,
		`(?:error|fatal): .*`:                      `[{error false} {fatal false}]`,
		`Error getting key|Error while decrypting`: `[{getting key false} {while decrypting false}]`,
		`(?i)"x" Not Found`:                        `[{"x" not found true}]`,
		`(?i)asks for`:                             `[{ for true}]`,
		`(?i)ss`:                                   `[]`,
		`\d+`:                                      `[]`,
		`a*b?`:                                     `[]`,
		`(abc)+d`:                                  `[{abc false}]`,
		`(?:abc){2,}`:                              `[{abc false}]`,
		`[Uu]ser "x"`:                              `[{ser "x" false}]`,
		`(?:https?|git)://`:                        `[{:// false}]`,
		`x|`:                                       `[]`,
	} {
		if got := fmt.Sprint(needed(expr)); got != want {
			t.Errorf("%s needs %s, want %s", expr, got, want)
		}
	}
}

// The results are those of package regexp, whatever the text.
func FuzzRegexp(f *testing.F) {
	for _, expr := range []string{`open (/\S+): no such`, `(?:error|fatal): (.*)`, `(?i)x y`, `(abc)+d`, `a{2,}b|cd`, `^a|b$`, `(?i)kelvin`, `(?i)not found|a task`} {
		f.Add(expr, "x open /a/b: no such file, fatal: y")
		f.Add(expr, "aab cd abcd X Y KELVIN NOT FOUND a Taſk")
	}
	f.Fuzz(func(t *testing.T, expr, text string) {
		want, err := regexp.Compile(expr)
		if err != nil || len(expr) > 50 || len(text) > 200 { // {1000} within {1000} takes seconds, with one result
			t.Skip()
		}
		got := MustCompile(expr)
		for name, pair := range map[string][2]any{
			"match":     {got.MatchString(text), want.MatchString(text)},
			"find":      {got.FindString(text), want.FindString(text)},
			"index":     {got.FindStringIndex(text), want.FindStringIndex(text)},
			"submatch":  {got.FindStringSubmatch(text), want.FindStringSubmatch(text)},
			"submatchi": {got.FindStringSubmatchIndex(text), want.FindStringSubmatchIndex(text)},
			"all":       {got.FindAllString(text, -1), want.FindAllString(text, -1)},
			"allindex":  {got.FindAllStringIndex(text, -1), want.FindAllStringIndex(text, -1)},
			"allsub":    {got.FindAllStringSubmatch(text, -1), want.FindAllStringSubmatch(text, -1)},
			"allsubi":   {got.FindAllStringSubmatchIndex(text, 2), want.FindAllStringSubmatchIndex(text, 2)},
			"replace":   {got.ReplaceAllString(text, "<$1>"), want.ReplaceAllString(text, "<$1>")},
		} {
			if !reflect.DeepEqual(pair[0], pair[1]) {
				t.Errorf("%s: got %q, want %q", name, pair[0], pair[1])
			}
		}
	})
}
