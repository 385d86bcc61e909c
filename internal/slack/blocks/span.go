package blocks

import (
	"cmp"
	"net/url"
	"regexp"
	"time"

	"github.com/slack-go/slack"

	"github.com/argo-why/argo-why/internal/text"
)

// Span is a run of text in one style. Nothing in its text is ever taken for markup.
type Span struct {
	text  string
	style slack.RichTextSectionTextStyle
	// url makes it a link, at a date.
	url string
	at  time.Time
	// format is that of a date, ago where it is empty.
	format string
	// user, group and channel make it a mention.
	user, group, channel string
}

// Plain is text as it is.
func Plain(content string) Span { return Span{text: shown(content)} }

// Bold is text that is seen first.
func Bold(content string) Span {
	return Span{text: shown(content), style: slack.RichTextSectionTextStyle{Bold: true}}
}

// Struck is text that is no longer true.
func Struck(content string) Span {
	return Span{text: shown(content), style: slack.RichTextSectionTextStyle{Strike: true}}
}

// Mono is text to be copied, within a line.
func Mono(content string) Span {
	return Span{text: shown(content), style: slack.RichTextSectionTextStyle{Code: true}}
}

// Link is text that leads to an address; just the text where the address is none that a browser opens.
func Link(address, content string) Span {
	if !opens(address) {
		return Plain(content)
	}
	return Span{text: shown(content), url: address}
}

// Ago is a moment that ages by itself: "2 minutes ago" now, "3 hours ago" when somebody looks later.
// The zero time is no text.
func Ago(at time.Time) Span {
	if at.Unix() <= 0 {
		return Span{}
	}
	return Span{text: text.Timestamp(at), at: at}
}

// Clock is a moment as a time of day where the reader is: "today 3:15 AM". The zero time is no text.
func Clock(at time.Time) Span {
	s := Ago(at)
	s.format = clock
	return s
}

// clock is documented where ago is.
const clock = "{date_short_pretty} {time}"

// User mentions a person, by ID: in a new message that calls them, in one that is changed it does not. What is no ID is text.
func User(id string) Span {
	if !userID.MatchString(id) {
		return Plain(id)
	}
	return Span{text: "@" + id, user: id}
}

// Group mentions a group of people, by ID. What is no ID is text.
func Group(id string) Span {
	if !groupID.MatchString(id) {
		return Plain(id)
	}
	return Span{text: "@" + id, group: id}
}

// Channel names a channel, by ID, to those who may see it. What is no ID is text.
func Channel(id string) Span {
	if !channelID.MatchString(id) {
		return Plain(id)
	}
	return Span{text: "#" + id, channel: id}
}

// The forms of IDs. A mention goes by the ID alone, so no name can ever call anybody.
var (
	userID    = regexp.MustCompile(`^[UW][A-Z0-9]{1,30}$`)
	groupID   = regexp.MustCompile(`^S[A-Z0-9]{1,30}$`)
	channelID = regexp.MustCompile(`^[CG][A-Z0-9]{1,30}$`)
)

// ago is documented at https://docs.slack.dev/messaging/formatting-message-text#date-formatting.
const ago = "{ago}"

// opens reports whether an address is one for a browser, short enough for Slack.
func opens(address string) bool {
	u, err := url.Parse(address)
	return err == nil && valid(address) && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && length(address) <= maxURL
}

// fixed reports whether the span must not be cut.
func (s Span) fixed() bool {
	return s.url != "" || s.user != "" || s.group != "" || s.channel != "" || !s.at.IsZero()
}

func (s Span) element() slack.RichTextSectionElement {
	var style *slack.RichTextSectionTextStyle
	if s.style != (slack.RichTextSectionTextStyle{}) {
		style = &s.style
	}
	switch {
	case !s.at.IsZero():
		content := s.text
		return slack.NewRichTextSectionDateElement(s.at.Unix(), cmp.Or(s.format, ago), nil, &content)
	case s.user != "":
		return slack.NewRichTextSectionUserElement(s.user, nil)
	case s.group != "":
		return slack.NewRichTextSectionUserGroupElement(s.group)
	case s.channel != "":
		return slack.NewRichTextSectionChannelElement(s.channel, nil)
	case s.url != "":
		return slack.NewRichTextSectionLinkElement(s.url, s.text, style)
	}
	return slack.NewRichTextSectionTextElement(s.text, style)
}

// section makes the elements of a paragraph. Texts longer than Slack takes become several.
func section(spans []Span) []slack.RichTextSectionElement {
	var out []slack.RichTextSectionElement
	for _, s := range spans {
		if s.fixed() {
			s.text, _ = cut(s.text, maxText)
		}
		for length(s.text) > maxText {
			head := s
			head.text = s.text[:fits(s.text, maxText)]
			s.text = s.text[len(head.text):]
			out = append(out, head.element())
		}
		if s.text != "" {
			out = append(out, s.element())
		}
	}
	return out
}
