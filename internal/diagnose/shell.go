package diagnose

import (
	"fmt"
	"net/netip"
	"reflect"
	"strings"
	"unicode"

	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/invisible"
	"github.com/argo-why/argo-why/internal/text"
)

// Raw is text that is shell already: flags that a rule wrote itself.
type Raw string

// withheld is what [Shell] returns instead of a command that is not to be pasted. It survives whatever a rule puts in front of it or
// behind it, and no argument of a command can have it.
const withheld = "\x00"

// argument marks where a word of a command begins that comes from outside, until it is known what stands in front of it.
const argument = "\x01"

// Shell writes a command to be pasted. Every argument is quoted where a shell would read more into it than a word: names,
// paths, revisions and URLs come from Git and from clusters, and a revision may be called "main; rm -rf ~".
//
// Quotes do not help against a program that reads an option where a name was meant, as "--upload-pack=…" for git, or that runs what an
// address says, or that takes a name for a pattern where more is allowed the more it matches. A command with such a value, whole or part, is
// none: see [Printed].
func Shell(format string, args ...any) string {
	words := make([]any, len(args))
	for i, a := range args {
		if words[i] = word(a); words[i] == withheld {
			return withheld
		}
	}
	command := settleOptions(fmt.Sprintf(format, words...))
	if readsPattern(command, args) {
		return withheld
	}
	return command
}

// Printed is a command of [Shell], empty where it is not to be pasted. The engine does this for the steps of a report.
func Printed(command string) string {
	if strings.Contains(command, withheld) {
		return ""
	}
	return command
}

// notPrinted says why a step has no command.
const notPrinted = "no command is printed: a value in it would be read as an option, as a pattern or as a program to run, or has characters that are not shown"

// printed is the step as a report has it.
func (f Fix) printed() Fix {
	whole := Printed(f.Command) == f.Command
	f.Command, f.Text = Printed(f.Command), strings.ReplaceAll(f.Text, withheld, "(not printed)")
	switch {
	case whole:
	case f.Text == "":
		f.Text = strings.ToUpper(notPrinted[:1]) + notPrinted[1:]
	default:
		f.Text += " (" + notPrinted + ")"
	}
	return f
}

// word is an argument as it goes into the format. All but numbers and Raw is foreign, whatever its type.
func word(a any) any {
	if raw, ok := a.(Raw); ok {
		if Printed(string(raw)) != string(raw) {
			return withheld
		}
		return raw
	}
	v := reflect.ValueOf(a)
	if v.IsValid() && (v.CanInt() || v.CanUint()) {
		return a
	}
	s := fmt.Sprint(a)
	if v.IsValid() && v.Kind() == reflect.String {
		s = v.String() // not what a method makes of it
	}
	switch {
	case strings.Contains(s, withheld) || runs(s) || strings.ContainsFunc(s, isUnseen):
		return withheld
	case strings.HasPrefix(strings.TrimSpace(visible(s)), "-"):
		return argument + quote(s)
	}
	return quote(s)
}

// isUnseen reports whether a character is removed from what is shown: what is pasted would be another value than the one that was judged.
func isUnseen(r rune) bool {
	return r != '\n' && r != '\t' && unicode.IsControl(r) || invisible.Is(r)
}

// settleOptions removes the marks of the arguments that begin with a dash where that is within a word, as in --user=-x; elsewhere it is an
// option, which only a rule may write.
func settleOptions(command string) string {
	for {
		before, after, found := strings.Cut(command, argument)
		if !found {
			return command
		}
		// An empty word in quotes adds nothing to the one that it stands in front of.
		if front := strings.TrimRight(before, "'"); (len(before)-len(front))%2 == 0 && (front == "" || strings.ContainsAny(front[len(front)-1:], " \t\n(;|&")) {
			return withheld
		}
		command = before + after
	}
}

// wildcards are what patterns of Argo CD's projects, Git's paths and RBAC are made of.
const wildcards = "*?[{"

// readsPattern reports whether a command would take a foreign value for more than the thing of that name: an Application with the repository
// "*" is refused by its project, and adding "*" to it would let in every repository. The same for what nobody is to be given.
func readsPattern(command string, args []any) bool {
	grants := strings.HasPrefix(command, "argocd proj add-") || strings.HasPrefix(command, "argocd proj allow-") && strings.HasSuffix(command, " --list allow") ||
		strings.Contains(command, " --verb=")
	if strings.Contains(command, "binding ") && strings.Contains(command, "system:anonymous") {
		return true // rights for everybody who reaches the API server
	}
	for _, a := range args {
		v := reflect.ValueOf(a)
		if _, raw := a.(Raw); raw || v.Kind() != reflect.String {
			continue
		}
		switch s := strings.TrimSpace(visible(v.String())); {
		case grants && (strings.ContainsAny(s, wildcards) || strings.HasPrefix(s, "!")),
			strings.HasPrefix(command, "git rm ") && (strings.ContainsAny(s, wildcards) || strings.HasPrefix(s, ":")),
			strings.HasPrefix(command, "git fetch ") && (strings.HasPrefix(s, "+") || strings.Contains(s, ":")): // it would write a branch of the reader's clone
			return true
		}
	}
	return false
}

// visible is a text as it can be read and copied: what shows a report may leave out what cannot be seen.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) && !invisible.Is(r) {
			return r
		}
		return -1
	}, text.OneLine(s))
}

// transport begins the address of a repository that Git hands to a program: "ext::sh -c …".
var transport = pattern.MustCompile(`^[A-Za-z0-9][A-Za-z0-9+.-]*::`)

// runs reports whether an address makes Git run a program of the writer's choice: by a transport helper, or by a host that ssh would read as
// an option.
func runs(s string) bool {
	s = strings.TrimSpace(visible(s))
	if _, err := netip.ParseAddr(s); err == nil && !strings.HasPrefix(s, "fd::") { // which is a transport as well
		return false // fe80::1
	}
	return transport.MatchString(s) || strings.Contains(s, "://-")
}

// quote makes one word of a text for a POSIX shell. Words that need none are left alone.
func quote(s string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-"
	if s != "" && strings.Trim(s, plain) == "" {
		return s
	}
	// A line break inside a word would be a command cut in two on the screen. The mark of an argument is Shell's own.
	s = strings.ReplaceAll(text.OneLine(s), argument, "")
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
