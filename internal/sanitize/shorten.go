package sanitize

import (
	"strings"
	"unicode/utf8"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/text"
)

// What is foreign is shortened here and not with internal/text: the whole of it is made harmless first. A password in a URL is
// known by the host behind it, and a token by its length; without them nobody can tell that what is left is a secret.

// Excerpt is one line of what a server said, not too long: for an error or a result that quotes it.
func Excerpt(s string) Clean { return Clean(text.Excerpt(Text(s))) }

// Fit is a text in at most n bytes.
func Fit(s string, n int) string { return text.Fit(Text(s), n) }

// Clip is the start of a text in about n bytes, cut between words.
func Clip(s string, n int) string { return text.Clip(Text(s), n) }

// Start is the start of a text in at most n characters.
func Start(s string, n int) string { return text.Start(Text(s), n) }

// End is the end of a text in at most n characters.
func End(s string, n int) string { return text.End(Text(s), n) }

// App is the label of an application in about n characters, for where people decide by it. Of a long name the end is shown, where long names
// differ. What stands in front is never cut: it tells applications of one name apart.
func App(app diagnose.AppName, n int) string { return appLabel(app.Label(), app.Name, n) }

// FullApp is App with the Argo CD instance in front, where there are several.
func FullApp(app diagnose.AppName, n int) string { return appLabel(app.Full(), app.Name, n) }

func appLabel(label, name string, n int) string {
	const least = 20
	where := Name(strings.TrimSuffix(label, name))
	return where + End(Name(name), max(least, n-utf8.RuneCountInString(where)))
}
