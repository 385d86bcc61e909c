package diagnose

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// MaxHeadline is how wide a headline may be, in characters: a line of a terminal. It also takes two lines of a phone at most.
const MaxHeadline = 80

// phoneLine is how many letters a line of a phone has, of 360 pixels and in bold; marked is what the icon before a headline takes.
const (
	phoneLine = 40
	marked    = 3
)

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

// OfMany is a report as many applications that fail for one cause show it: its title is as long as it fits behind their number, which
// stands where the name of one would. One of a connection stays as it is, and so does one that was stored, which has forgotten what its
// rules wrote.
func (r *Report) OfMany() *Report {
	if r == nil || r.App.Name == "" || r.state != "" || len(r.Findings) == 0 || r.Findings[0].written == nil {
		return r
	}
	many := *r
	many.Findings = slices.Clone(r.Findings)
	for i := range many.Findings {
		many.Findings[i].compose("99 applications: ")
	}
	many.Headline = many.subject() + ": " + many.Findings[0].Title
	return &many
}

// compose makes the titles, the whys and the headline out of what the rules said, so that each thing is said once and the headline
// fits its line.
func (r *Report) compose() {
	subject := r.subject()
	for i := range r.Findings {
		r.Findings[i].compose(subject + ": ")
	}
	title := r.state
	if title == "" {
		title = r.Findings[0].Title
	}
	r.Headline = subject + ": " + title
}

// subject is the application with its environment: the Argo CD instance where there are several, else the name of the
// cluster that it is deployed to. Argo CD's own cluster has no name that anybody knows.
func (r *Report) subject() string {
	app := r.App
	app.Name = cmp.Or(app.Name, "application")
	return app.On(r.Context.Destination.Environment())
}

// compose makes the title and the why of what the rule wrote. before is what stands before the title in the headline.
func (f *Finding) compose(before string) {
	if f.written == nil {
		f.written = &written{title: f.Title, why: f.Why}
	}
	f.Title, f.Why = f.written.title, f.written.why
	if !fits(before + f.Title) {
		f.Title = shortKinds.Replace(f.Title)
	}
	if !fits(before+f.Title) && f.short != "" {
		short := cmp.Or(f.Short, f.anonymous())
		if f.Terse != "" && !fits(before+short) {
			short = f.Terse
		}
		if short != "" && fits(before+short) {
			f.Title, f.Why = short, text.Paragraph(f.affected(), f.Why)
		} else {
			f.Title, f.Why = f.short, text.Paragraph(text.Sentence(text.UpperFirst(f.written.title)), f.Why)
		}
	}
	said := strings.TrimRight(text.OneLine(f.Says.Text), ".;, ")
	clause, lead, ok := "", "", false
	if !f.Whole {
		clause, lead, ok = endOf(said, before+f.Title+": ")
	}
	if !ok && f.Brief != "" && !f.Whole {
		if clause, lead, ok = endOf(said, before+f.Brief+": "); ok {
			f.Title, f.Why = f.Brief, text.Paragraph(f.leftOut(), f.written.why)
		}
	}
	if ok {
		f.Title += ": " + clause
		said = "" // the headline has it
		if informative(lead) {
			said = systemCall.ReplaceAllString(lead, "") + ": …" // its end is in the headline
		}
	}
	if said != "" && !ok && f.Hollow {
		if begun := beginning(said, before+f.Brief+": "); begun != "" {
			f.Title, f.Why = f.Brief+": "+begun, text.Paragraph(f.leftOut(), f.written.why)
		}
	}
	if said != "" {
		f.Why = text.Paragraph(f.Why, text.Sentence(strings.TrimSpace(f.Says.Who+": "+said)))
	}
}

// leftOut says what the brief title leaves out of the whole one: "It exited 1." Empty where that is nothing.
func (f *Finding) leftOut() string {
	rest, ok := strings.CutPrefix(f.written.title, f.Brief+" ")
	switch {
	case !ok, f.Resource.Name == "", !strings.HasSuffix(f.Brief, f.Resource.Name):
		return text.Sentence(text.UpperFirst(f.written.title))
	case rest == "failed":
		return ""
	}
	return text.Sentence("It " + rest)
}

// anonymous is the title without the name of its resource: "Deployment: image not found", "Deployment is not available". Empty where
// the title does not begin with it.
func (f *Finding) anonymous() string {
	rest, ok := strings.CutPrefix(f.written.title, f.Resource.String())
	if !ok || f.Resource.Kind == "" || f.Resource.Name == "" || strings.HasPrefix(rest, " and ") { // and others
		return ""
	}
	return shortKinds.Replace(f.Resource.Kind) + rest
}

// affected names what a title without names is about: its resource, or what the whole title says where it is about none.
func (f *Finding) affected() string {
	if f.Resource.IsZero() {
		return text.Sentence(text.UpperFirst(f.written.title))
	}
	if n := len(f.Others); n > 0 {
		return fmt.Sprintf("Affected: %s and %s.", f.Resource, text.More(n))
	}
	if strings.Contains(f.Why, f.Resource.String()) { // it says so itself
		return ""
	}
	return fmt.Sprintf("Affected: %s.", f.Resource)
}

// shortKinds are the names of kinds that everybody shortens.
var shortKinds = strings.NewReplacer(
	"PersistentVolumeClaim", "PVC", "HorizontalPodAutoscaler", "HPA", "PodDisruptionBudget", "PDB", "CustomResourceDefinition", "CRD",
)

// fits reports whether a headline is no longer than it may be.
func fits(headline string) bool {
	if utf8.RuneCountInString(headline) > MaxHeadline {
		return false
	}
	lines, column := 1, marked
	for part := range parts(headline) {
		word := strings.TrimRight(part, " ")
		n := utf8.RuneCountInString(word)
		if column > 0 && column+n > phoneLine {
			lines, column = lines+1, 0
		}
		lines += (n - 1) / phoneLine // a longer word is broken
		column += (n-1)%phoneLine + 1 + len(part) - len(word)
	}
	return lines <= 2
}

// Fits reports whether a headline has room for a title behind the application. Whether the name of an Argo CD instance comes before
// that is not known to a rule: where the cluster has no name either, room is left for a short one.
func (in *In) Fits(title string) bool {
	environment := cmp.Or(in.App().Spec.Destination.Environment(), "prod")
	return fits(evidence.AppLabel(in.App().Metadata.Namespace, in.App().Metadata.Name) + "@" + environment + ": " + shortKinds.Replace(title))
}

// parts are what a line may end with: a word with the spaces behind it, or a part of one up to a hyphen.
func parts(headline string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for headline != "" {
			end := len(headline)
			if i := strings.IndexAny(headline, " -"); i >= 0 {
				end = len(headline) - len(strings.TrimLeft(headline[i:], headline[i:i+1]))
			}
			if !yield(headline[:end]) {
				return
			}
			headline = headline[end:]
		}
	}
}

// aside is a clause with one remark in brackets, at its end: a code, a count. One with a colon is a reason, and no remark.
var aside = pattern.MustCompile(`^([^()]*\S)\s+\([^():]*\)$`)

// endOf is the longest end of a chain of reasons that fits behind the start of a headline, and what leads to it. A remark in brackets
// is left out where the clause fits without it.
func endOf(said, before string) (clause, lead string, ok bool) {
	for end := range message.Ends(said) {
		clause := end
		if !fits(before+clause) && strings.HasSuffix(end, ")") {
			clause = aside.ReplaceAllString(end, "$1")
		}
		if fits(before + clause) {
			return clause, strings.TrimRight(strings.TrimSuffix(said, end), ": "), true
		}
	}
	return "", "", false
}

// beginning are as many words of the clause that decides as fit behind the start of a headline, where the whole of it does not; empty if
// they are too few to say anything. Why has all of it.
func beginning(said, before string) string {
	const least = 3
	clause := said
	for end := range message.Tails(said) {
		if moreWords(end, least) {
			clause = end
		}
	}
	if sentence, _, more := strings.Cut(clause, ". "); more && len(strings.Fields(sentence)) >= least && fits(before+sentence) {
		return sentence
	}
	words := strings.Fields(clause)
	for n := min(len(words)-1, MaxHeadline); n >= least; n-- { // a headline cannot have more words than characters
		if n > least && binding[words[n-1]] {
			continue
		}
		if begun := strings.TrimRight(strings.Join(words[:n], " "), ".,;:") + " …"; fits(before + begun) {
			return begun
		}
	}
	return ""
}

// moreWords reports whether a text has more than n words, without reading more of them.
func moreWords(s string, n int) bool {
	for range strings.FieldsSeq(s) {
		if n--; n < 0 {
			return true
		}
	}
	return false
}

// binding are words that say nothing without those that follow.
var binding = map[string]bool{
	"a": true, "an": true, "and": true, "at": true, "by": true, "for": true, "from": true, "in": true, "is": true, "of": true, "on": true,
	"or": true, "the": true, "to": true, "with": true,
}

// written is what the rule wrote, before it was composed.
type written struct{ title, why string }

// systemCall is what Go's network errors put between an address and the reason: "dial tcp 10.0.0.1:5432: connect: connection refused".
var systemCall = pattern.MustCompile(`: (connect|read|write|getsockopt|connectex)$`)

// informative reports whether what leads to the clause that the headline has says something of its own, unlike the name of an
// exception.
func informative(lead string) bool {
	const words = 3
	n := len(strings.Fields(systemCall.ReplaceAllString(lead, "")))
	return n >= words || n >= 2 && strings.Contains(lead, "/") // a path says where
}
