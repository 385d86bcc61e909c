package conceal

import (
	"cmp"
	"strings"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/redact/effort"
)

// distinctive reports whether a name is hardly anything else: it is put together of several words, as "payments-api" is.
func distinctive(name string) bool { return len(name) >= 5 && strings.ContainsAny(name, "-.") }

// everywhere replaces names wherever they stand as a word: those that are hardly anything else, and those of children.
func (s *Source) everywhere(t string, m *effort.Meter) string {
	var out strings.Builder
	from := 0 // what is before it was written
	for at := 0; at < len(t) && !m.Done(); {
		w := wordAt(t[at:])
		if w == "" {
			at++
			continue
		}
		m.Look(1 + len(w))
		if n := escaped(t[:at], w); n > 0 {
			at += n
			continue
		}
		if isImage(t[:at]) { // what a container is made of is no application
			at += imageAt(t[at:])
			continue
		}
		end, standIn := at+len(w), w
		if standsIn(t, at, end) {
			at = end
			continue
		}
		if name, length := joined(t[end:]); name != "" {
			if standIn = s.anywhere(w + "/" + name); standIn != w+"/"+name {
				w, end = "", end+length
			}
		}
		if w != "" {
			standIn = s.anywhere(w)
		}
		if standIn != w {
			out.WriteString(t[from:at])
			out.WriteString(standIn)
			from = end
		}
		at = end
	}
	m.Look(len(t))
	return out.String() + t[from:]
}

// escaped is how much of a word belongs to the escape before it: "\nweb", "%2fweb", "\u003cweb".
func escaped(before, w string) int {
	switch {
	case strings.HasSuffix(before, `\`) && w[0] == 'u' && len(w) > 5 && isHex(w[1:5]):
		return 5
	case strings.HasSuffix(before, `\`) && len(w) > 1 && strings.IndexByte("nrtbf", w[0]) >= 0:
		return 1
	case strings.HasSuffix(before, "%") && len(w) > 2 && isHex(w[:2]):
		return 2
	}
	return 0
}

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdef") == "" }

// joined is the name behind a namespace, where no slash is between them, and the length of both: "%2Fweb" in an address, "_web" as Argo CD marks
// what belongs to an application.
func joined(rest string) (name string, length int) {
	for _, by := range []string{"%2F", "%2f", "_"} {
		if behind, ok := strings.CutPrefix(rest, by); ok {
			name, _, _ = strings.Cut(wordAt(behind), "/")
			return name, len(by) + len(name)
		}
	}
	return "", 0
}

// isImage reports whether an image of a container follows.
func isImage(before string) bool {
	before = strings.TrimRight(before[max(0, len(before)-16):], " \"'`\\:=")
	return strings.HasSuffix(before, "image") || strings.HasSuffix(before, "Image") || strings.HasSuffix(before, "reference")
}

func imageAt(t string) int {
	n := 0
	for n < len(t) && (isWord(t[n]) || strings.IndexByte("/:@._-", t[n]) >= 0) {
		n++
	}
	return n
}

// anywhere is a word without what may not be named.
func (s *Source) anywhere(w string) string {
	namespace, name := split(w)
	if namespace != "" {
		if standIn, listed := s.pair(namespace, name); listed {
			return standIn
		}
	}
	if standIn, hidden := s.alone(name); hidden {
		if namespace == "" || namespace == s.self.Namespace {
			return standIn
		}
		return namespace + "/" + standIn
	}
	if standIn, hidden := s.alone(namespace); hidden {
		return standIn + "/" + name
	}
	return w
}

// pair is what stands for an application that a text names with its namespace, or itself where it may be named.
func (s *Source) pair(namespace, name string) (standIn string, listed bool) {
	w := namespace + "/" + name
	if s.own[name] {
		return w, false
	}
	standIn, hidden := s.word(w, false)
	return standIn, hidden || s.known(w)
}

// fileEnds are how the name of a file ends that is called like what it is about.
var fileEnds = []string{".yaml", ".yml", ".json", ".git", ".tgz", ".jsonnet", ".libsonnet", ".tpl", ".toml", ".txt"}

// alone is what stands for a name without a namespace.
func (s *Source) alone(name string) (standIn string, hidden bool) {
	for _, e := range fileEnds {
		if base, is := strings.CutSuffix(name, e); is {
			standIn, hidden = s.alone(base)
			return standIn + e, hidden
		}
	}
	if standIn, child := s.names[name]; child {
		return standIn, true
	}
	if !distinctive(name) || s.own[name] {
		return name, false
	}
	return s.word(name, false)
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
	if n, met := s.numbers[cmp.Or(namespace, s.self.Namespace)+"/"+name]; met {
		return evidence.PrivateName(n), true
	}
	hidden, listed := s.apps.Hidden(namespace, name)
	if !listed && namespace != "" { // "PROJECT/NAME", as permissions call one
		hidden, listed = s.apps.HiddenProject(namespace)
		hidden = hidden && namespace != s.project
	}
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

// projectWord is word for the name of a project.
func (s *Source) projectWord(w string, _ bool) (standIn string, hidden bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if hidden, listed := s.apps.HiddenProject(w); !hidden || !listed || w == s.project {
		return w, false
	}
	if n, met := s.numbers[projectKey(w)]; met {
		return evidence.PrivateName(n), true
	}
	return evidence.Private, true
}

func (s *Source) knownProject(w string) bool {
	_, listed := s.apps.HiddenProject(w)
	return listed
}
