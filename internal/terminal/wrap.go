package terminal

import (
	"strings"

	"github.com/rivo/uniseg"
)

// tab is how wide a tab becomes in running text.
const tab = "    "

// wrap breaks a text between words into lines of at most width columns. A word that is wider (an address, an image, the name of a
// resource) is a line of its own and sticks out, because people copy it. Lines of the text stay lines.
func wrap(text string, width int) []string {
	var lines []string
	text = strings.TrimRight(strings.ReplaceAll(text, "\t", tab), " \n")
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRight(line, " ")
		for {
			end := lineEnd(line, width)
			lines = append(lines, strings.TrimRight(line[:end], " "))
			if line = strings.TrimLeft(line[end:], " "); line == "" {
				break
			}
		}
	}
	if text == "" {
		return nil
	}
	return lines
}

// lineEnd is how many bytes of the line go before the break: up to the last space that fits, else to the end of the first word.
func lineEnd(line string, width int) int {
	end := fit(line, width)
	if end == len(line) || line[end] == ' ' {
		return end
	}
	indented := len(line) - len(strings.TrimLeft(line, " "))
	if space := strings.LastIndexByte(line[:end], ' '); space > indented {
		return space
	}
	if space := strings.IndexByte(line[indented:], ' '); space >= 0 {
		return indented + space
	}
	return len(line)
}

// fit is the length in bytes of the longest start of s that is at most width columns wide, at least one character. uniseg rather than
// go-runewidth, which counts "…" as one or two by the user's locale.
func fit(s string, width int) int {
	end, columns, state := 0, 0, -1
	for rest := s; rest != ""; {
		var cluster string
		var w int
		cluster, rest, w, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if columns += w; columns > width && end > 0 {
			return end
		}
		end += len(cluster)
	}
	return end
}
