package conceal

import (
	"regexp"
	"strings"

	"github.com/argo-why/argo-why/internal/redact/effort"
)

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
