package apply

import (
	"unicode/utf8"

	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/text"
)

// roomy is how long a title may be, in characters, to fit in a headline beside the name of most applications.
const roomy = 60

// fits reports whether a title fits in a headline beside the name of most applications.
func fits(title string) bool { return utf8.RuneCountInString(title) <= roomy }

// of puts what is wrong with a resource behind its name.
func of(name, wrong string) string {
	if name == statement.Unnamed {
		return text.UpperFirst(wrong)
	}
	return text.UpperFirst(name) + ": " + wrong
}

// sentence is a resource and what is wrong with it as a sentence: "Deployment/web was denied by a policy".
func sentence(name, predicate string) string { return text.UpperFirst(name) + " " + predicate }
