package sanitize

import (
	"fmt"
	"reflect"

	"github.com/argo-why/argo-why/internal/text"
)

// Clean is a text that is harmless to show. A constant of ours is one by itself, and a text from outside becomes one here: whatever
// tells people what others said takes a Clean, so that the compiler finds the place that forgets. Only this package converts to it
// (a test looks for others).
type Clean string

// Sprintf is a sentence of ours with values from outside in it: each text and each error is one line, not too long, and harmless. What
// is Clean already stays as it is, and so do numbers. The format must be a constant, which go vet checks.
func Sprintf(format string, args ...any) Clean {
	for i, arg := range args {
		args[i] = quoted(arg)
	}
	return Clean(fmt.Sprintf(format, args...))
}

// quoted is a value as a sentence of ours quotes it.
func quoted(arg any) any {
	switch arg := arg.(type) {
	case Clean:
		return arg
	case error:
		return Excerpt(arg.Error())
	}
	switch v := reflect.ValueOf(arg); {
	case v.IsValid() && (v.CanInt() || v.CanUint() || v.CanFloat() || v.Kind() == reflect.Bool):
		if _, words := arg.(fmt.Stringer); !words {
			return arg
		}
	}
	return Excerpt(fmt.Sprint(arg))
}

// Line is a text in one line, however long it is: for what was put into words from evidence.
func Line(s string) Clean { return Clean(text.OneLine(Text(s))) }

// Sentence is a text that ends as a sentence does.
func Sentence(c Clean) Clean { return Clean(text.Sentence(string(c))) }
