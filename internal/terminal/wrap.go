package terminal

import (
	"strings"

	"github.com/rivo/uniseg"
)

// tab is how wide a tab becomes in running text.
const tab = "    "

// wrap breaks a text into lines of at most width columns, at most limit of them (0: as many as it takes), and returns
// what is left over. Lines of the text stay lines; a word that is too long is broken.
func wrap(text string, width, limit int) (lines []string, rest string) {
	text = strings.TrimRight(strings.ReplaceAll(text, "\t", tab), " \n")
	for text != "" {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		line = strings.TrimRight(line, " ")
		for {
			if limit > 0 && len(lines) == limit {
				return lines, strings.TrimSpace(line + "\n" + text)
			}
			end := lineEnd(line, width)
			lines = append(lines, strings.TrimRight(line[:end], " "))
			if line = strings.TrimLeft(line[end:], " "); line == "" {
				break
			}
		}
	}
	return lines, ""
}

// lineEnd is how many bytes of the line go before the break: up to the last space that fits, else as much as fits.
func lineEnd(line string, width int) int {
	end := fit(line, width)
	if end == len(line) || line[end] == ' ' {
		return end
	}
	space := strings.LastIndexByte(line[:end], ' ')
	if space > 0 && strings.TrimLeft(line[:space], " ") != "" { // not inside of the line's indentation
		return space
	}
	return end
}

// fit is the length in bytes of the longest start of s that is at most width columns wide; at least one character, so
// that wrapping always ends. uniseg rather than go-runewidth, which counts "…" as one or two by the user's locale.
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
