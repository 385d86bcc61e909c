package change

import "strings"

// commands are the words of each simple command of a line, as a POSIX shell makes them of what [diagnose.Shell] writes. What separates two
// commands, pipes among them, is not in it.
func commands(line string) [][]string {
	var out [][]string
	var current []string
	var word strings.Builder
	begun, quoted := false, false
	endWord := func() {
		if begun {
			current = append(current, word.String())
			word.Reset()
			begun = false
		}
	}
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\'':
			quoted, begun = !quoted, true
		case !quoted && c == '\\' && i+1 < len(line):
			i++
			fallthrough
		case quoted:
			word.WriteByte(line[i])
			begun = true
		case strings.IndexByte(" \t\n", c) >= 0:
			endWord()
		case strings.IndexByte(";|&()`", c) >= 0:
			endWord()
			if len(current) > 0 {
				out = append(out, current)
				current = nil
			}
		default:
			word.WriteByte(c)
			begun = true
		}
	}
	endWord()
	if len(current) > 0 {
		out = append(out, current)
	}
	return out
}
