package blocks

import (
	"strings"

	"github.com/slack-go/slack"
)

// Fit puts a message together: body above foot. The foot (buttons, a line about the rule) is small and always there. Of a
// body that is too long as much is kept as fits, and a note says that there was more and where it is: rest completes the
// sentence "Cut here, it was too long for Slack: …".
func Fit(body, foot []Block, rest string) []slack.Block {
	var below []slack.Block
	room := maxMessage
	for _, b := range foot {
		if made := b.full(); made != nil {
			below = append(below, made)
			room -= size(made)
		}
	}
	note := Context("Cut here, it was too long for Slack"+strings.TrimSuffix(": "+rest, ": "), "", never).full()
	out := fill(body, room, maxBlocks-len(below), note)
	return append(out, below...)
}

// fill takes blocks while there is room for them, or for a part of one and the note.
func fill(body []Block, room, places int, note slack.Block) []slack.Block {
	var out []slack.Block
	for i, b := range body {
		made := b.full()
		if made == nil {
			continue
		}
		left, free := room-size(made), places-1
		if more(body[i+1:]) {
			left, free = left-size(note), free-1
		}
		if left >= 0 && free >= 0 {
			out = append(out, made)
			room, places = room-size(made), places-1
			continue
		}
		if part := b.within(room - size(note)); part != nil && places > 1 {
			out = append(out, part)
		}
		return append(out, note)
	}
	return out
}

// more reports whether any of the blocks has something in it.
func more(rest []Block) bool {
	for _, b := range rest {
		if b.full() != nil {
			return true
		}
	}
	return false
}
