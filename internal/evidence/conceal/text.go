package conceal

import (
	"regexp"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/evidence"
)

var (
	// word is what may be the name of an application, with its namespace or without.
	word = regexp.MustCompile(`[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?(?:/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)?`)
	// kind begins a list of applications: "Application/web", "applications argocd/web and api", `Application.argoproj.io "web"`.
	kind = regexp.MustCompile(`(?i)(?:^|[^a-z0-9])(?:app|application)s?(?:\.argoproj\.io)?(?:[^a-z0-9]|$)`)
	// between is what stands between the names of such a list.
	between = regexp.MustCompile("^[ \\t,;:=/'\"`()\\[\\]]*(?:(?:and|or|named|called|by|of|other|another|also|child|parent)[ \\t:'\"`]+)*$")
	// tracking is an ID by which Argo CD knows whose an object is: "web:apps/Deployment:shop/web".
	tracking = regexp.MustCompile(`([a-z0-9][a-z0-9._-]*):[a-z0-9.-]*/[A-Z][A-Za-z0-9]*:`)
	// label is one that says the same, in a text or in JSON.
	label = regexp.MustCompile(`(?:argocd\.argoproj\.io|app\.kubernetes\.io)/instance["'\]]*\s*[:=]+\s*["']?([a-z0-9][a-z0-9._-]*)`)
)

// text is a text without applications that the reader may not see, wherever it names one as an application. A word that is only called the
// same stays: applications are called like what they deploy.
func (s *Source) text(t string) string {
	if len(t) < 3 {
		return t
	}
	for _, m := range s.messages {
		if strings.Contains(t, m) {
			t = strings.ReplaceAll(t, m, notice)
		}
	}
	t = s.children(t)
	if containsFold(t, "app") {
		t = s.listed(t)
		t = s.marked(t, label)
	}
	if strings.Contains(t, ":") && strings.Contains(t, "/") {
		t = s.marked(t, tracking)
	}
	return s.qualified(t)
}

func containsFold(t, lower string) bool {
	return strings.Contains(t, lower) || strings.Contains(t, strings.ToUpper(lower[:1])+lower[1:])
}

// children replaces the names of children that nothing else of the application has, wherever they stand.
func (s *Source) children(t string) string {
	if len(s.names) == 0 {
		return t
	}
	found := false
	for name := range s.names {
		found = found || strings.Contains(t, name)
	}
	if !found {
		return t
	}
	return word.ReplaceAllStringFunc(t, func(w string) string {
		before, name, split := strings.Cut(w, "/")
		if !split {
			before, name = "", w
		}
		if standIn, ok := s.names[name]; ok {
			if before != "" && before != s.self.Namespace {
				return before + "/" + standIn
			}
			return standIn
		}
		if standIn, ok := s.names[before]; ok && split {
			return standIn + "/" + name
		}
		return w
	})
}

// listed replaces the names that follow the word application, one or several.
func (s *Source) listed(t string) string {
	var out strings.Builder
	at := 0
	for at < len(t) {
		m := kind.FindStringIndex(t[at:])
		if m == nil {
			break
		}
		end := at + m[1]
		if end > at+m[0]+1 && end <= len(t) && end > 0 && !isWord(t[end-1]) {
			end-- // what ends the word begins the list
		}
		out.WriteString(t[at:end])
		at = end
		for {
			next := word.FindStringIndex(t[at:])
			if next == nil || !between.MatchString(t[at:at+next[0]]) {
				break
			}
			w := t[at+next[0] : at+next[1]]
			if slices.Contains(connecting, w) {
				out.WriteString(t[at : at+next[1]])
				at += next[1]
				continue
			}
			standIn, hidden := s.word(w)
			if !hidden && !s.known(w) {
				break // the list is over
			}
			out.WriteString(t[at : at+next[0]])
			out.WriteString(standIn)
			at += next[1]
		}
	}
	out.WriteString(t[at:])
	return out.String()
}

// connecting are words of a list that are no names.
var connecting = []string{"and", "or", "named", "called", "by", "of", "other", "another", "also", "child", "parent"}

func isWord(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
}

// marked replaces what the first group of an expression finds.
func (s *Source) marked(t string, expression *regexp.Regexp) string {
	all := expression.FindAllStringSubmatchIndex(t, -1)
	for _, m := range slices.Backward(all) {
		if standIn, hidden := s.word(strings.Replace(t[m[2]:m[3]], "_", "/", 1)); hidden {
			t = t[:m[2]] + standIn + t[m[3]:]
		}
	}
	return t
}

// qualified replaces names behind the namespace of the application, or behind the path of Argo CD's pages: "argocd/web".
func (s *Source) qualified(t string) string {
	for _, prefix := range []string{s.self.Namespace + "/", "applications/"} {
		if prefix == "/" || !strings.Contains(t, prefix) {
			continue
		}
		var out strings.Builder
		rest := t
		for {
			before, after, ok := strings.Cut(rest, prefix)
			if !ok {
				out.WriteString(rest)
				break
			}
			out.WriteString(before + prefix)
			rest = after
			if before != "" && isWord(before[len(before)-1]) {
				continue // the end of another word
			}
			if at := word.FindStringIndex(rest); at != nil && at[0] == 0 {
				standIn, hidden := s.word(rest[:at[1]])
				if first, more, split := strings.Cut(rest[:at[1]], "/"); !hidden && split {
					if standIn, hidden = s.word(first); hidden {
						standIn += "/" + more
					}
				}
				if hidden {
					out.WriteString(standIn)
					rest = rest[at[1]:]
				}
			}
		}
		t = out.String()
	}
	return t
}

// word is what stands for a name that may not be said; hidden is false where the word stays. The name may have its namespace in front.
func (s *Source) word(w string) (standIn string, hidden bool) {
	namespace, name := split(w)
	if name == s.self.Name && (namespace == "" || namespace == s.self.Namespace) {
		return w, false
	}
	if h, listed := s.apps.Hidden(namespace, name); !h || !listed {
		return w, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := [2]string{namespace, name}
	if namespace == "" {
		key[0] = s.self.Namespace
	}
	if n, known := s.numbers[key]; known {
		return evidence.PrivateName(n), true
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
