package page

import (
	"hash/fnv"
	"strconv"
	"strings"
)

// bars are the colors that an attachment can have beside it. The page allows no style of its own to a message, so a free
// color becomes the nearest of these classes.
var bars = []struct {
	tone    string
	r, g, b int
}{
	{"grey", 0xdd, 0xdd, 0xdd}, {"green", 0x2e, 0xb6, 0x7d}, {"yellow", 0xec, 0xb2, 0x2e}, {"orange", 0xe8, 0x6f, 0x1d},
	{"red", 0xe0, 0x1e, 0x5a}, {"blue", 0x12, 0x64, 0xa3}, {"purple", 0x7c, 0x3a, 0x8c}, {"black", 0x33, 0x33, 0x33},
}

// barTone knows Slack's three words and any color in hexadecimal digits.
func barTone(color string) string {
	switch color {
	case "good":
		return "green"
	case "warning":
		return "yellow"
	case "danger":
		return "red"
	}
	n, err := strconv.ParseUint(strings.TrimPrefix(color, "#"), 16, 24)
	if err != nil || len(strings.TrimPrefix(color, "#")) != 6 {
		return "grey"
	}
	r, g, b := int(n>>16), int(n>>8&0xff), int(n&0xff)
	best, least := "", 1<<30
	for _, bar := range bars {
		if d := square(r-bar.r) + square(g-bar.g) + square(b-bar.b); d < least {
			best, least = bar.tone, d
		}
	}
	return best
}

func square(n int) int { return n * n }

const tones = 8

// toneOf is the class of somebody's picture, the same wherever they are seen.
func toneOf(name string) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name))
	return "tone-" + strconv.Itoa(int(h.Sum32()%tones))
}
