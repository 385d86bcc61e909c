package page

import (
	"html/template"
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// names turns the IDs of users, channels and groups into what people read.
type names func(id string) string

// mrkdwn renders Slack's markup: https://docs.slack.dev/messaging/formatting-message-text
func mrkdwn(s string, of names) template.HTML {
	var out strings.Builder
	for i, part := range strings.Split(s, "```") {
		if i%2 == 1 {
			out.WriteString("<pre>")
			out.WriteString(links(strings.Trim(part, "\n"), of))
			out.WriteString("</pre>")
			continue
		}
		// The line break before and after a fence is the fence's own.
		if i > 0 {
			part = strings.TrimPrefix(part, "\n")
		}
		out.WriteString(lines(part, of))
	}
	return template.HTML(out.String())
}

// lines keeps line breaks and gathers lines after > into a quote.
func lines(s string, of names) string {
	var out strings.Builder
	quoting := false
	for i, line := range strings.Split(s, "\n") {
		quoted, isQuote := strings.CutPrefix(line, "&gt;")
		if !isQuote {
			quoted, isQuote = strings.CutPrefix(line, ">")
		}
		switch {
		case isQuote && !quoting:
			out.WriteString("<blockquote>")
		case !isQuote && quoting:
			out.WriteString("</blockquote>")
		case i > 0:
			out.WriteString("<br>")
		}
		quoting = isQuote
		if isQuote {
			line = strings.TrimPrefix(quoted, " ")
		}
		out.WriteString(inlineText(line, of))
	}
	if quoting {
		out.WriteString("</blockquote>")
	}
	return out.String()
}

var tags = map[byte]string{'*': "b", '_': "i", '~': "s"}

// inlineText renders what stands within a line.
func inlineText(s string, of names) string {
	var out strings.Builder
	for i := 0; i < len(s); {
		switch c := s[i]; c {
		case '<':
			if end := strings.IndexByte(s[i:], '>'); end > 1 {
				out.WriteString(entity(s[i+1:i+end], of))
				i += end + 1
				continue
			}
		case '`':
			if end := strings.IndexByte(s[i+1:], '`'); end > 0 {
				out.WriteString("<code>" + links(s[i+1:i+1+end], of) + "</code>")
				i += end + 2
				continue
			}
		case '*', '_', '~':
			if end := closing(s, i); end > 0 {
				out.WriteString("<" + tags[c] + ">" + inlineText(s[i+1:end], of) + "</" + tags[c] + ">")
				i = end + 1
				continue
			}
		case ':':
			if m := emojiName.FindString(s[i:]); emoji[strings.Trim(m, ":")] != "" {
				out.WriteString(emoji[strings.Trim(m, ":")])
				i += len(m)
				continue
			}
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		// An entity of three stays together, so that it is understood as one.
		for _, e := range []string{"&amp;", "&lt;", "&gt;"} {
			if strings.HasPrefix(s[i:], e) {
				size = len(e)
			}
		}
		out.WriteString(escape(s[i : i+size]))
		i += size
	}
	return out.String()
}

// closing finds the mark that ends what the mark at i begins, or -1: marks hug words.
func closing(s string, i int) int {
	if before, _ := utf8.DecodeLastRuneInString(s[:i]); i > 0 && (unicode.IsLetter(before) || unicode.IsDigit(before)) {
		return -1
	}
	for end := i + 1; end < len(s); end++ {
		if s[end] != s[i] {
			continue
		}
		if end == i+1 || s[i+1] == ' ' || s[end-1] == ' ' {
			return -1
		}
		after, _ := utf8.DecodeRuneInString(s[end+1:])
		if end+1 == len(s) || !unicode.IsLetter(after) && !unicode.IsDigit(after) {
			return end
		}
	}
	return -1
}

// links renders code, in which only what stands in angle brackets is understood.
func links(s string, of names) string {
	var out strings.Builder
	for {
		start := strings.IndexByte(s, '<')
		if start < 0 {
			break
		}
		end := strings.IndexByte(s[start:], '>')
		if end < 2 {
			break
		}
		out.WriteString(escape(s[:start]) + entity(s[start+1:start+end], of))
		s = s[start+end+1:]
	}
	return out.String() + escape(s)
}

// entity renders what stands between < and >: a link, a mention, a date.
func entity(s string, of names) string {
	target, label, labelled := strings.Cut(s, "|")
	mention := func(text string) string { return `<span class="mention">` + escape(text) + "</span>" }
	switch {
	case strings.HasPrefix(target, "@"):
		return mention("@" + of(target[1:]))
	case strings.HasPrefix(target, "#"):
		return mention("#" + of(target[1:]))
	case strings.HasPrefix(target, "!subteam^"):
		return mention("@" + of(strings.TrimPrefix(target, "!subteam^")))
	case strings.HasPrefix(target, "!date^"):
		return escape(label)
	case strings.HasPrefix(target, "!"):
		return `<span class="mention loud">` + escape("@"+target[1:]) + "</span>"
	}
	if !labelled {
		label = target
	}
	return anchor(plainOf(target), escape(label))
}

// anchor is a link if the address is one that a browser should follow.
func anchor(address, label string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "mailto" {
		return label
	}
	return `<a href="` + template.HTMLEscapeString(u.String()) + `">` + label + "</a>"
}

var three = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")

// plainOf undoes the three escapes of Slack.
func plainOf(s string) string { return three.Replace(s) }

func escape(s string) string { return template.HTMLEscapeString(plainOf(s)) }

var emojiName = regexp.MustCompile(`^:[a-z0-9_+-]+:`)

// plainText renders a plain_text: emoji and nothing else.
func plainText(s string) template.HTML {
	out := emojiAnywhere.ReplaceAllStringFunc(template.HTMLEscapeString(s), func(name string) string {
		if e := emoji[strings.Trim(name, ":")]; e != "" {
			return e
		}
		return name
	})
	return template.HTML(strings.ReplaceAll(out, "\n", "<br>"))
}

var emojiAnywhere = regexp.MustCompile(`:[a-z0-9_+-]+:`)

// emoji that messages about deployments use. Others stay as they are written.
var emoji = map[string]string{
	"white_check_mark": "✅", "heavy_check_mark": "✔️", "x": "❌", "warning": "⚠️", "rotating_light": "🚨",
	"red_circle": "🔴", "large_green_circle": "🟢", "large_yellow_circle": "🟡", "large_orange_circle": "🟠",
	"large_blue_circle": "🔵", "white_circle": "⚪", "black_circle": "⚫", "hourglass": "⌛", "hourglass_flowing_sand": "⏳",
	"eyes": "👀", "mag": "🔍", "bulb": "💡", "wrench": "🔧", "hammer_and_wrench": "🛠️", "link": "🔗", "fire": "🔥",
	"rocket": "🚀", "tada": "🎉", "thumbsup": "👍", "+1": "👍", "-1": "👎", "thumbsdown": "👎", "arrow_right": "➡️",
	"arrow_up": "⬆️", "arrow_down": "⬇️", "repeat": "🔁", "arrows_counterclockwise": "🔄", "bell": "🔔", "no_bell": "🔕",
	"lock": "🔒", "clock1": "🕐", "stopwatch": "⏱️", "boom": "💥", "wave": "👋", "question": "❓", "exclamation": "❗",
	"information_source": "ℹ️", "octagonal_sign": "🛑", "no_entry": "⛔", "construction": "🚧", "bar_chart": "📊",
	"memo": "📝", "clipboard": "📋", "package": "📦", "ghost": "👻", "zzz": "💤", "green_heart": "💚", "broken_heart": "💔",
	"ballot_box_with_check": "☑️", "small_red_triangle": "🔺", "small_blue_diamond": "🔹", "pushpin": "📌", "speech_balloon": "💬",
}
