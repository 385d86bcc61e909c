package diagnose

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/text"
)

// Raw is text that is shell already: flags that a rule wrote itself.
type Raw string

// Shell writes a command to be pasted. Every argument is quoted where a shell would read more into it than a word: names,
// paths, revisions and URLs come from Git and from clusters, and a revision may be called "main; rm -rf ~".
func Shell(format string, args ...any) string {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = quote(s)
		}
	}
	return fmt.Sprintf(format, args...)
}

// quote makes one word of a text for a POSIX shell. Words that need none are left alone.
func quote(s string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-"
	if s != "" && strings.Trim(s, plain) == "" {
		return s
	}
	// A line break inside a word would be a command cut in two on the screen.
	s = text.OneLine(s)
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
