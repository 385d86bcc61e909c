package story

import (
	"strconv"
	"strings"
	"time"
	"unicode"
)

// fits reports whether arguments are written as a form wants them.
func (f Form) fits(args []string) bool { return fits(strings.Fields(f.Args), args) }

// fits takes one word of the notation after the other, and tries what there is to choose.
func fits(want, args []string) bool {
	if len(want) == 0 {
		return len(args) == 0
	}
	first := want[0]
	if inside, ok := strings.CutPrefix(first, "["); ok {
		group, rest := optional(append([]string{inside}, want[1:]...))
		return fits(append(group, rest...), args) || fits(rest, args)
	}
	word, repeated := strings.CutSuffix(first, "…")
	if len(args) == 0 || !accepts(word, args[0]) {
		return false
	}
	return fits(want[1:], args[1:]) || repeated && fits(want, args[1:])
}

// optional splits what follows an opening bracket at the closing one.
func optional(want []string) (group, rest []string) {
	depth := 1
	for i, word := range want {
		depth += strings.Count(word, "[") - strings.Count(word, "]")
		if depth == 0 {
			group = append(group, want[:i]...)
			return append(group, strings.TrimSuffix(word, "]")), want[i+1:]
		}
	}
	return want, nil
}

// accepts reports whether a word can stand for one of the notation.
func accepts(want, word string) bool {
	switch want {
	case "N":
		n, err := strconv.Atoi(word)
		return err == nil && n >= 0
	case "DURATION":
		d, err := time.ParseDuration(word)
		return err == nil && d >= 0
	case "METHOD": // else every misspelt step about Slack would be a code that nothing is refused with
		family, name, ok := strings.Cut(word, ".")
		return ok && family != "" && name != ""
	case "KEY=VALUE":
		key, value, ok := strings.Cut(word, "=")
		return ok && key != "" && value != ""
	}
	switch {
	case strings.HasPrefix(want, "@") && strings.IndexFunc(want, unicode.IsUpper) > 0:
		return strings.HasPrefix(word, "@") && len(word) > 1
	case strings.IndexFunc(want, unicode.IsUpper) >= 0:
		return true
	}
	for each := range strings.SplitSeq(want, "|") {
		if each == word {
			return true
		}
	}
	return false
}

// Application is the namespace and the name of an application as a story calls it: "pay", or "team-a/pay" outside of Argo CD's own namespace.
func Application(app string) (namespace, name string) {
	if namespace, name, ok := strings.Cut(app, "/"); ok {
		return namespace, name
	}
	return "argocd", app
}
