package apply

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
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

// brief is the first start of a headline that has room for the clause that decides, or else for its end; empty where none has. What a
// tool demands tells more than that it refused.
func brief(in *diagnose.In, said string, starts ...string) string {
	said = strings.TrimRight(said, ".;, ")
	whole := slices.IndexFunc(starts, func(start string) bool { return said != "" && in.Fits(text.UpperFirst(start)+": "+said) })
	if whole >= 0 {
		return text.UpperFirst(starts[whole])
	}
	for _, start := range starts {
		for end := range message.Ends(said) {
			if in.Fits(text.UpperFirst(start) + ": " + end) {
				return text.UpperFirst(start)
			}
		}
	}
	return ""
}
