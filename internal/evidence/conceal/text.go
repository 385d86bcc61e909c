package conceal

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/argo-why/argo-why/internal/invisible"
	"github.com/argo-why/argo-why/internal/redact"
	"github.com/argo-why/argo-why/internal/redact/effort"
)

var (
	// kind begins a list of applications: "Application/web", "applications argocd/web and api", `Application.argoproj.io "web"`.
	kind = regexp.MustCompile(`(?i)(?:^|[^a-z0-9])(?:app|application)s?(?:\.argoproj\.io)?(?:[^a-z0-9]|$)`)
	// projectKind begins a list of projects: `project "vault"`, "AppProject/vault".
	projectKind = regexp.MustCompile(`(?i)(?:^|[^a-z0-9])(?:app)?projects?(?:\.argoproj\.io)?(?:[^a-z0-9]|$)`)
	// tracking is an ID by which Argo CD knows whose an object is: "web:apps/Deployment:shop/web".
	tracking = regexp.MustCompile(`([a-z0-9][a-z0-9._-]*):[a-z0-9.-]*/[A-Z][A-Za-z0-9]*:`)
	// label is one that says the same, in a text or in JSON.
	label = regexp.MustCompile(`(?:argocd\.argoproj\.io|app\.kubernetes\.io)/instance["'\]]*\s*[:=]+\s*["']?([a-z0-9][a-z0-9._-]*)`)
)

// mostSteps is what the search of one fact may cost, some seconds.
const mostSteps = 1 << 31

// notSearched stands for a text that could not be searched to its end.
const notSearched = "not shown: the text costs too much to search for private applications"

// text is a text without applications that the reader may not see, as it is and as it will be shown: colors and what nobody sees are removed
// later, and would hide a name until then.
func (s *Source) text(t string, m *effort.Meter) string {
	if shown := invisible.Map(redact.WithoutSequences(t), func(rune) string { return "" }); shown != t {
		m.Look(len(t))
		if said := s.search(shown, m); said != shown {
			t = said
		}
	}
	return s.search(t, m)
}

// search is a text without those applications: a name that is nothing else goes wherever it stands, and a word that an application may be called
// as well only where the text speaks of applications.
func (s *Source) search(t string, m *effort.Meter) string {
	if len(t) < 3 {
		return t
	}
	t = s.messages.without(t, notice, m)
	t = s.everywhere(t, m)
	if containsFold(t, "app") {
		t = listed(t, speech{kind, s.word, s.known}, m)
		t = s.marked(t, label, false, m)
	}
	if containsFold(t, "project") {
		t = listed(t, speech{projectKind, s.projectWord, s.knownProject}, m)
	}
	if strings.Contains(t, ":") && strings.Contains(t, "/") {
		t = s.marked(t, tracking, true, m)
	}
	if t = s.qualified(t, m); m.Done() {
		return notSearched
	}
	return t
}

func containsFold(t, lower string) bool {
	return strings.Contains(t, lower) || strings.Contains(t, strings.ToUpper(lower[:1])+lower[1:]) || strings.Contains(t, strings.ToUpper(lower))
}

// speech is a way in which texts speak of what may be private.
type speech struct {
	// kind is the word that is said before names, or after one.
	kind *regexp.Regexp
	// word is what stands for a name. certain: nothing but a name stands there.
	word func(w string, certain bool) (standIn string, hidden bool)
	// known reports whether a word is a name that may be said.
	known func(w string) bool
}

// listed replaces the names beside a word of a kind: the one before it, and those that follow, one or several. Of a list that Argo CD writes of
// those who have the same resource, every name is one, also of an application that was never listed.
func listed(t string, of speech, m *effort.Meter) string {
	var out strings.Builder
	from := 0 // what is before it was written
	replace := func(start, end int, standIn string) {
		out.WriteString(t[from:start])
		out.WriteString(standIn)
		from = end
	}
	for at := 0; at < len(t) && !m.Done(); {
		found := of.kind.FindStringIndex(t[at:])
		if found == nil {
			m.Look(len(t) - at)
			break
		}
		m.Look(found[1])
		begin := at + found[0]
		if w, end := wordBefore(t[from:begin]); w != "" { // "web application is degraded"
			m.Look(len(w))
			if standIn, hidden := of.word(w, false); hidden {
				replace(from+end-len(w), from+end, standIn)
			}
		}
		owners := strings.HasSuffix(strings.TrimSuffix(t[:begin], " "), "part of")
		if at += found[1]; !isWord(t[at-1]) { // what ends the word begins the list
			_, size := utf8.DecodeLastRuneInString(t[:at])
			at -= size
		}
		at = of.names(t, at, owners, replace, m)
	}
	return out.String() + t[from:]
}

// names replaces the names that follow, and returns where they end.
func (of speech) names(t string, at int, owners bool, replace func(start, end int, standIn string), m *effort.Meter) int {
	last := "" // the word before, a name or one that connects
	for first := true; !m.Done(); first = false {
		gap := gapAt(t[at:])
		w := wordAt(t[at+gap:])
		if w == "" {
			w = titleAt(t[at+gap:]) // "Application, Name=web"
		}
		end := at + gap + len(w)
		m.Look(1 + gap + len(w))
		switch {
		case w == "" || !first && endsLine(t[at:at+gap]):
			return at
		case slices.Contains(connecting, strings.ToLower(w)), isPlace(last, t[end:]), standsIn(t, at+gap, end):
		default:
			if standIn, hidden := of.word(w, owners); hidden {
				replace(at+gap, end, standIn)
			} else if !of.known(w) && !goesOn(t[end:]) {
				return end // the list is over
			}
		}
		at, last = end, strings.ToLower(w)
	}
	return at
}

// connecting are words of a list that are no names.
var connecting = []string{
	"and", "or", "named", "called", "by", "of", "other", "another", "also", "child", "parent", "with", "name", "names", "in", "namespace", "kind", "resource",
	"argoproj.io", "argoproj.io/v1alpha1", "v1alpha1",
	"get", "create", "update", "delete", "sync", "override", "action", // "permission denied: applications, sync, shop/web"
}

// isPlace reports whether a word is where applications are, and not yet one of them: "applications in argocd: web". rest follows it.
func isPlace(before, rest string) bool {
	return before == "namespace" || before == "in" && strings.HasPrefix(strings.TrimLeft(rest[:min(len(rest), 4)], "'\"`)"), ":")
}

// endsLine reports whether a list ends with its line: what follows is no item of it.
func endsLine(gap string) bool {
	return strings.ContainsAny(gap, "\r\n") && !strings.ContainsAny(gap, ",-*")
}

// goesOn reports whether a list goes on behind a name.
func goesOn(rest string) bool {
	rest = strings.TrimLeft(rest[:min(len(rest), 8)], "'\"` ")
	return strings.HasPrefix(rest, ",") || strings.HasPrefix(rest, "and ")
}
