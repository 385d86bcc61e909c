package conceal

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/redact/effort"
)

var (
	// kind begins a list of applications: "Application/web", "applications argocd/web and api", `Application.argoproj.io "web"`.
	kind = regexp.MustCompile(`(?i)(?:^|[^a-z0-9])(?:app|application)s?(?:\.argoproj\.io)?(?:[^a-z0-9]|$)`)
	// tracking is an ID by which Argo CD knows whose an object is: "web:apps/Deployment:shop/web".
	tracking = regexp.MustCompile(`([a-z0-9][a-z0-9._-]*):[a-z0-9.-]*/[A-Z][A-Za-z0-9]*:`)
	// label is one that says the same, in a text or in JSON.
	label = regexp.MustCompile(`(?:argocd\.argoproj\.io|app\.kubernetes\.io)/instance["'\]]*\s*[:=]+\s*["']?([a-z0-9][a-z0-9._-]*)`)
)

// mostSteps is what the search of one fact may cost, some seconds.
const mostSteps = 1 << 31

// notSearched stands for a text that could not be searched to its end.
const notSearched = "not shown: the text costs too much to search for private applications"

// text is a text without applications that the reader may not see, wherever it names one as an application. A word that is only called the
// same stays: applications are called like what they deploy.
func (s *Source) text(t string, m *effort.Meter) string {
	if len(t) < 3 {
		return t
	}
	for _, said := range s.messages {
		if m.Look(1 + len(t)); m.Done() {
			return notSearched
		}
		t = strings.ReplaceAll(t, said, notice)
	}
	t = s.children(t, m)
	if containsFold(t, "app") {
		t = s.listed(t, m)
		t = s.marked(t, label, false, m)
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

// children replaces the names of children that nothing else of the application has, wherever they stand.
func (s *Source) children(t string, m *effort.Meter) string {
	if len(s.names) == 0 {
		return t
	}
	m.Look(len(t))
	var out strings.Builder
	from := 0
	for at := 0; at < len(t) && !m.Done(); {
		w := wordAt(t[at:])
		if w == "" {
			at++
			continue
		}
		m.Look(len(w))
		if standIn := s.child(w); standIn != w {
			out.WriteString(t[from:at])
			out.WriteString(standIn)
			from = at + len(w)
		}
		at += len(w)
	}
	return out.String() + t[from:]
}

// child is a word without the name of a child.
func (s *Source) child(w string) string {
	namespace, name := split(w)
	if standIn, ok := s.names[name]; ok {
		if namespace != "" && namespace != s.self.Namespace {
			return namespace + "/" + standIn
		}
		return standIn
	}
	if standIn, ok := s.names[namespace]; ok {
		return standIn + "/" + name
	}
	return w
}

// listed replaces the names that follow the word application, one or several. Of a list that Argo CD writes of those who have the same
// resource, every name is one, also of an application that was never listed.
func (s *Source) listed(t string, m *effort.Meter) string {
	var out strings.Builder
	from := 0 // what is before it was written
	for at := 0; at < len(t) && !m.Done(); {
		found := kind.FindStringIndex(t[at:])
		if found == nil {
			m.Look(len(t) - at)
			break
		}
		m.Look(found[1])
		owners := strings.HasSuffix(t[:at+found[0]], "part of") || strings.HasSuffix(t[:at+found[0]], "part of ")
		at += found[1]
		if !isWord(t[at-1]) { // what ends the word begins the list
			_, size := utf8.DecodeLastRuneInString(t[:at])
			at -= size
		}
		for !m.Done() {
			gap := gapAt(t[at:])
			w := wordAt(t[at+gap:])
			m.Look(1 + gap + len(w))
			if w == "" {
				break
			}
			if !slices.Contains(connecting, w) {
				standIn, hidden := s.word(w, owners)
				if hidden {
					out.WriteString(t[from : at+gap])
					out.WriteString(standIn)
					from = at + gap + len(w)
				} else if !s.known(w) && !goesOn(t[at+gap+len(w):]) {
					break // the list is over
				}
			}
			at += gap + len(w)
		}
	}
	return out.String() + t[from:]
}

// connecting are words of a list that are no names.
var connecting = []string{"and", "or", "named", "called", "by", "of", "other", "another", "also", "child", "parent"}

// goesOn reports whether a list goes on behind a name.
func goesOn(rest string) bool {
	rest = strings.TrimLeft(rest[:min(len(rest), 8)], "'\"` ")
	return strings.HasPrefix(rest, ",") || strings.HasPrefix(rest, "and ")
}

// between is what stands between the names of a list.
const between = " \t,;:=/'\"`()[]<>*\u00a0\u200b“”‘’"

// longestGap and longestName bound how far is looked for the next name: else each word application would have all that follows it read.
const (
	longestGap  = 64
	longestName = 512
)

func gapAt(t string) int {
	near := t[:min(len(t), longestGap)]
	return len(near) - len(strings.TrimLeft(near, between))
}

// wordAt is what a text begins with that may be the name of an application, with its namespace or without.
func wordAt(t string) string {
	end, slash := 0, false
	for i := range min(len(t), longestName) {
		switch b := t[i]; {
		case b >= 'a' && b <= 'z' || b >= '0' && b <= '9':
			end = i + 1
		case i > 0 && (b == '.' || b == '-' || b == '_' && !slash):
		case b == '/' && i > 0 && end == i && !slash:
			slash = true
		default:
			return t[:end]
		}
	}
	return t[:end]
}

func isWord(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
}

// marked replaces what the first group of an expression finds. certain: nothing but an application stands there.
func (s *Source) marked(t string, expression *regexp.Regexp, certain bool, m *effort.Meter) string {
	m.Look(len(t))
	var out strings.Builder
	from := 0
	for _, at := range expression.FindAllStringSubmatchIndex(t, -1) {
		if m.Look(at[3] - at[2]); m.Done() {
			break
		}
		if standIn, hidden := s.word(strings.Replace(t[at[2]:at[3]], "_", "/", 1), certain); hidden {
			out.WriteString(t[from:at[2]])
			out.WriteString(standIn)
			from = at[3]
		}
	}
	return out.String() + t[from:]
}

// qualified replaces names behind the namespace of the application, or behind the path of Argo CD's pages: "argocd/web".
func (s *Source) qualified(t string, m *effort.Meter) string {
	for _, prefix := range []string{s.self.Namespace + "/", s.self.Namespace + "%2F", s.self.Namespace + "%2f", "applications/"} {
		if strings.HasPrefix(prefix, "/") || strings.HasPrefix(prefix, "%") || !strings.Contains(t, prefix) {
			continue
		}
		m.Look(len(t))
		var out strings.Builder
		for rest := t; ; {
			before, after, ok := strings.Cut(rest, prefix)
			if !ok || m.Done() {
				out.WriteString(rest)
				break
			}
			out.WriteString(before)
			out.WriteString(prefix)
			rest = after
			if before != "" && isWord(before[len(before)-1]) && !strings.HasSuffix(before, "%2F") {
				continue // the end of another word
			}
			w := wordAt(rest)
			m.Look(1 + len(w))
			standIn, hidden := s.word(w, false)
			if first, more, split := strings.Cut(w, "/"); !hidden && split {
				if standIn, hidden = s.word(first, false); hidden {
					standIn += "/" + more
				}
			}
			if hidden {
				out.WriteString(standIn)
				rest = rest[len(w):]
			}
		}
		t = out.String()
	}
	return t
}

// word is what stands for a name that may not be said; hidden is false where the word stays. The name may have its namespace in front.
// certain: it is that of an application, even if none is listed.
func (s *Source) word(w string, certain bool) (standIn string, hidden bool) {
	namespace, name := split(w)
	if name == s.self.Name && (namespace == "" || namespace == s.self.Namespace) {
		return w, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if n, met := s.numbers[[2]string{cmp.Or(namespace, s.self.Namespace), name}]; met {
		return evidence.PrivateName(n), true
	}
	hidden, listed := s.apps.Hidden(namespace, name)
	if !listed && certain {
		hidden, listed = s.apps.Hidden(cmp.Or(namespace, s.self.Namespace), name)
		listed = listed || hidden
	}
	if !hidden || !listed {
		return w, false
	}
	return evidence.Private, true
}

// known reports whether a word is the name of an application that the reader may see.
func (s *Source) known(w string) bool {
	namespace, name := split(w)
	_, listed := s.apps.Hidden(namespace, name)
	return listed || name == s.self.Name
}

func split(w string) (namespace, name string) {
	if before, after, ok := strings.Cut(w, "/"); ok {
		return before, after
	}
	return "", w
}
