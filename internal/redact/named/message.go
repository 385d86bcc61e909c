package named

import (
	"strings"

	"github.com/argo-why/argo-why/internal/redact/secretname"
)

// isProseOfFlags recognises what is said of a flag: "set --password or --token", "--password flag".
func isProseOfFlags(value string) bool {
	value = strings.ToLower(strings.Trim(value, ".,:;!?\"'()"))
	return value == "" || value[0] == '-' || flagWords[value] || secretname.IsMessage(value)
}

var flagWords = wordsOf(`flag flags and or option options argument arguments if when instead value values need needs requires given specified via file
	parameter stdin must`)

// shellMessages are what bash, dash, ash, zsh and ksh say of a variable behind its name and a colon.
var shellMessages = []string{
	"unbound variable", "parameter not set", "parameter null or not set", "readonly variable", "read-only variable", "bad substitution", "bad variable name",
	"not a valid identifier", "not an identifier", "ambiguous redirect", "command not found", "not found", "inaccessible or not found",
}

// isSaidByShell reports whether a text begins with such a message, and nothing else is in its sentence.
func isSaidByShell(s string) bool {
	for _, m := range shellMessages {
		if strings.HasPrefix(s, m) && (len(s) == len(m) || strings.IndexByte(" \t\r\n\"'`.,;)]}\\", s[len(m)]) >= 0) {
			return true
		}
	}
	return false
}

func wordsOf(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}
