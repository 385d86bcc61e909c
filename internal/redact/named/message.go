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

func wordsOf(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}
