package incident

import (
	"cmp"
	"strings"
)

// Compare orders applications: by instance, namespace, name.
func Compare(a, b App) int {
	return cmp.Or(cmp.Compare(a.Instance, b.Instance), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
}

// name makes a DNS label of a word for people and a text that is unique.
func name(word, unique string) string {
	const maxWord = 40 // a label has 63 characters, and ours has to fit into a column
	word = strings.Trim(strings.Map(labelled, strings.ToLower(word)), "-")
	if len(word) > maxWord {
		word = strings.TrimRight(word[:maxWord], "-")
	}
	id := strings.ToLower(digest(unique)[:8])
	if word == "" {
		return "incident-" + id
	}
	return word + "-" + id
}

func labelled(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
		return r
	}
	return '-'
}
