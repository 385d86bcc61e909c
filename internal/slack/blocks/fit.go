package blocks

import (
	"strings"

	"github.com/slack-go/slack"
)

// Keep marks a block in the middle of a body that is small and always there, like those of a foot: the buttons between the cause
// and the steps.
func Keep(b Block) Block { return kept{b} }

type kept struct{ Block }

// Fit puts a message together: body above foot. The foot (a line about the rule) and what is marked with Keep are small and always
// there. Of a body that is too long as much is kept as fits, and a note says that there was more and where it is: rest completes
// the sentence "Cut here, too long for Slack: …".
func Fit(body, foot []Block, rest string) []slack.Block {
	below := made(foot)
	reserved := append(made(always(body)), below...)
	room := maxMessage
	for _, b := range reserved {
		room -= size(b)
	}
	note := Context("Cut here, too long for Slack"+strings.TrimSuffix(": "+rest, ": "), "", never).full()
	return append(fill(body, room, maxBlocks-len(reserved), note), below...)
}

// Fits reports whether a message of these blocks is whole.
func Fits(list ...Block) bool {
	all := made(list)
	total := 0
	for _, b := range all {
		total += size(b)
	}
	return len(all) <= maxBlocks && total <= maxMessage
}

// fill takes blocks while there is room for them, or for a part of one and the note. What is always there has its room already.
func fill(body []Block, room, places int, note slack.Block) []slack.Block {
	var out []slack.Block
	for i, b := range body {
		whole := b.full()
		if whole == nil {
			continue
		}
		if _, ok := b.(kept); ok {
			out = append(out, whole)
			continue
		}
		left, free := room-size(whole), places-1
		if more(body[i+1:]) {
			left, free = left-size(note), free-1
		}
		if left >= 0 && free >= 0 {
			out = append(out, whole)
			room, places = room-size(whole), places-1
			continue
		}
		if part := b.within(room - size(note)); part != nil && places > 1 {
			out = append(out, part)
		}
		out = append(out, note)
		return append(out, made(always(body[i+1:]))...)
	}
	return out
}

// made are the blocks that have something in them.
func made(list []Block) []slack.Block {
	var out []slack.Block
	for _, b := range list {
		if block := b.full(); block != nil {
			out = append(out, block)
		}
	}
	return out
}

// always are the blocks of a body that are marked with Keep.
func always(body []Block) []Block {
	var out []Block
	for _, b := range body {
		if _, ok := b.(kept); ok {
			out = append(out, b)
		}
	}
	return out
}

// more reports whether any of the blocks has something in it and needs room.
func more(rest []Block) bool {
	for _, b := range rest {
		if _, ok := b.(kept); !ok && b.full() != nil {
			return true
		}
	}
	return false
}
