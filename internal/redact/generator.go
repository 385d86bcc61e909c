package redact

import "strings"

// generatedSecrets appends the values of literals below secretGenerator: in a kustomization that s shows, whatever they are called.
func generatedSecrets(s string, found []span) []span {
	const key = "secretGenerator:"
	for at := 0; ; {
		i := strings.Index(s[at:], key)
		if i < 0 {
			return found
		}
		line := lineAround(s, at+i)
		depth := leading(s[line.start:line.end])
		if at+i-line.start > depth { // behind a sentence
			depth = 0
		}
		at = line.end + 1
		for at < len(s) {
			line = lineAround(s, at)
			text := s[line.start:line.end]
			lead := leading(text)
			if item := strings.TrimLeft(text[lead:], "- "); item != "" {
				if lead < depth || lead == depth && item == text[lead:] {
					break
				}
				if name, value, ok := strings.Cut(strings.Trim(item, `"'`), "="); ok && value != "" && !strings.ContainsAny(name, " :/") && !isMask(value) {
					start := line.start + strings.Index(text, "=") + 1
					found = append(found, span{start, start + len(strings.TrimRight(value, " \t\r"))})
				}
			}
			at = line.end + 1
		}
		if at >= len(s) {
			return found
		}
	}
}

// leading is the width of the indentation of a line.
func leading(line string) int { return len(line) - len(strings.TrimLeft(line, " \t+")) }
