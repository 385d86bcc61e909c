package diagnose

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/text"
)

// MaxHeadline is how wide a headline may be, in characters: a line of a terminal, two of a phone.
const MaxHeadline = 80

// Said is the clause that decides, in the words of a tool, a server or a log, and who said it. A report shows it once: as much of
// its end as fits in the headline, and the rest in Why.
type Said struct {
	// Who begins the sentence that quotes it: "Its log says", "The API server says".
	Who  string `json:"who"`
	Text string `json:"text"`
}

// SetInstance says which of several Argo CDs the application belongs to. The headline begins with it.
func (r *Report) SetInstance(name string) {
	r.App.Instance = name
	r.compose()
}

// Title is the headline without the application in front.
func (r *Report) Title() string {
	if _, title, ok := strings.Cut(r.Headline, ": "); ok {
		return title
	}
	return r.Headline
}

// compose makes the titles, the whys and the headline out of what the rules said, so that each thing is said once and the headline
// fits its line.
func (r *Report) compose() {
	subject := r.subject()
	room := MaxHeadline - utf8.RuneCountInString(subject+": ")
	for i := range r.Findings {
		r.Findings[i].compose(room)
	}
	title := r.state
	if title == "" {
		title = r.Findings[0].Title
	}
	r.Headline = subject + ": " + title
}

// subject is the application with the environment in front: the Argo CD instance where there are several, else the name of the
// cluster that it is deployed to. Argo CD's own cluster has no name that anybody knows.
func (r *Report) subject() string {
	name, environment := r.App.Name, r.App.Instance
	if name == "" {
		name = "application"
	}
	if to := r.Context.Destination.Name; environment == "" && to != "in-cluster" {
		environment = to
	}
	if environment == "" || name == environment {
		return name
	}
	return environment + "/" + name
}

// compose makes the title and the why of what the rule wrote.
func (f *Finding) compose(room int) {
	if f.written == nil {
		f.written = &written{title: f.Title, why: f.Why}
	}
	f.Title, f.Why = f.written.title, f.written.why
	said := text.OneLine(f.Says.Text)
	if !fits(f.Title, room) && f.short != "" {
		f.Why = join(text.Sentence(text.UpperFirst(f.Title)), f.Why)
		f.Title = f.short
	}
	said = strings.TrimRight(said, ".;, ")
	if clause, lead, ok := endOf(said, room-utf8.RuneCountInString(f.Title+": ")); ok {
		f.Title += ": " + clause
		said = informative(lead)
	}
	if said != "" {
		f.Why = join(f.Why, text.Sentence(strings.TrimSpace(f.Says.Who+": "+said)))
	}
}

// aside is a remark in brackets at the end of a clause: a code, a count.
var aside = regexp.MustCompile(`\s+\([^()]*\)$`)

// endOf is the longest end of a chain of reasons that takes at most room characters, and what leads to it. A remark in brackets is
// left out where the clause fits without it.
func endOf(said string, room int) (clause, lead string, ok bool) {
	for end := range message.Tails(said) {
		for _, clause := range []string{end, aside.ReplaceAllString(end, "")} {
			if clause != "" && fits(clause, room) {
				return clause, strings.TrimRight(strings.TrimSuffix(said, end), ": "), true
			}
		}
	}
	return "", "", false
}

// written is what the rule wrote, before it was composed.
type written struct{ title, why string }

// informative is what leads to the clause that the headline has; empty where it says nothing of its own, as the name of an exception
// does.
func informative(lead string) string {
	const words = 3
	if n := len(strings.Fields(lead)); n < words && (n < 2 || !strings.Contains(lead, "/")) { // a path says where
		return ""
	}
	return lead
}

func fits(s string, room int) bool { return utf8.RuneCountInString(s) <= room }

// join puts one sentence behind another.
func join(a, b string) string { return strings.TrimSpace(a + " " + b) }
