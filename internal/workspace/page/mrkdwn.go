package page

import (
	"html/template"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// mrkdwn renders Slack's markup: https://docs.slack.dev/messaging/formatting-message-text
func mrkdwn(s string, p *painter) template.HTML {
	var out strings.Builder
	for i, part := range strings.Split(s, "```") {
		if i%2 == 1 {
			out.WriteString("<pre>")
			out.WriteString(links(strings.Trim(part, "\n"), p))
			out.WriteString("</pre>")
			continue
		}
		// The line break before and after a fence is the fence's own.
		if i > 0 {
			part = strings.TrimPrefix(part, "\n")
		}
		out.WriteString(lines(part, p))
	}
	return template.HTML(out.String())
}

// lines keeps line breaks and gathers lines after > into a quote.
func lines(s string, p *painter) string {
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
		out.WriteString(inlineText(line, p))
	}
	if quoting {
		out.WriteString("</blockquote>")
	}
	return out.String()
}

var tags = map[byte]string{'*': "b", '_': "i", '~': "s"}

// inlineText renders what stands within a line.
func inlineText(s string, p *painter) string {
	var out strings.Builder
	for i := 0; i < len(s); {
		switch c := s[i]; c {
		case '<':
			if end := strings.IndexByte(s[i:], '>'); end > 1 {
				out.WriteString(entity(s[i+1:i+end], p))
				i += end + 1
				continue
			}
		case '`':
			if end := strings.IndexByte(s[i+1:], '`'); end > 0 {
				out.WriteString("<code>" + links(s[i+1:i+1+end], p) + "</code>")
				i += end + 2
				continue
			}
		case '*', '_', '~':
			if end := closing(s, i); end > 0 {
				out.WriteString("<" + tags[c] + ">" + inlineText(s[i+1:end], p) + "</" + tags[c] + ">")
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
func links(s string, p *painter) string {
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
		out.WriteString(escape(s[:start]) + entity(s[start+1:start+end], p))
		s = s[start+end+1:]
	}
	return out.String() + escape(s)
}

// entity renders what stands between < and >: a link, a mention, a date.
func entity(s string, p *painter) string {
	target, label, labelled := strings.Cut(s, "|")
	switch {
	case strings.HasPrefix(target, "@"):
		return p.person(target[1:])
	case strings.HasPrefix(target, "#"):
		return p.channelLink(target[1:])
	case strings.HasPrefix(target, "!subteam^"):
		return p.person(strings.TrimPrefix(target, "!subteam^"))
	case strings.HasPrefix(target, "!date^"):
		return dateEntity(strings.TrimPrefix(target, "!date^"), label, p)
	case strings.HasPrefix(target, "!"):
		return broadcast(target[1:])
	}
	if !labelled {
		label = target
	}
	return p.anchor(plainOf(target), escape(label))
}

// dateEntity is 1392734382^{date} at {time}^https://…|fallback: the address may be missing.
func dateEntity(s, fallback string, p *painter) string {
	unix, rest, _ := strings.Cut(s, "^")
	format, link, _ := strings.Cut(rest, "^")
	n, err := strconv.ParseInt(unix, 10, 64)
	if err != nil {
		return escape(fallback)
	}
	return p.date(n, plainOf(format), plainOf(fallback), plainOf(link))
}

var three = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")

// plainOf undoes the three escapes of Slack.
func plainOf(s string) string { return three.Replace(s) }

func escape(s string) string { return template.HTMLEscapeString(plainOf(s)) }

var emojiName = regexp.MustCompile(`^:[a-z0-9_+-]+:`)

// plainText renders a plain_text: emoji and nothing else.
func plainText(s string) template.HTML {
	return template.HTML(strings.ReplaceAll(template.HTMLEscapeString(emojiOnly(s)), "\n", "<br>"))
}

// emojiOnly puts pictures for the names of emoji.
func emojiOnly(s string) string {
	return emojiAnywhere.ReplaceAllStringFunc(s, func(name string) string {
		if e := emoji[strings.Trim(name, ":")]; e != "" {
			return e
		}
		return name
	})
}

var emojiAnywhere = regexp.MustCompile(`:[a-z0-9_+-]+:`)
