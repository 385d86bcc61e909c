package render

import (
	"regexp"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// fault is one way in which a tool fails, recognised by what it says: what the headline says of it, and what helps.
type fault struct {
	says *regexp.Regexp
	tell func(r rendered, m []string) diagnose.Finding
}

// rendered is what a fault is told of: a statement and the source that it is about.
type rendered struct {
	in  *diagnose.In
	s   *diagnose.Statement
	src evidence.ApplicationSource
}

func renderedOf(in *diagnose.In, s *diagnose.Statement) rendered {
	return rendered{in: in, s: s, src: in.App().Source(s.Failure.Source)}
}

// firstOf is the finding of the first fault that a text shows. It is certain: the tool states the cause.
func firstOf(faults []fault, r rendered, said string) (diagnose.Finding, bool) {
	for _, f := range faults {
		if m := f.says.FindStringSubmatch(said); m != nil {
			out := f.tell(r, m)
			out.Confidence = diagnose.Certain
			if in := inSource(r.s); !strings.HasPrefix(out.Why, in) {
				out.Why = in + out.Why
			}
			return out, true
		}
	}
	return diagnose.Finding{}, false
}

// inClone is where Argo CD unpacks a repository or a chart, which a reader has not: it is left out of paths.
var inClone = regexp.MustCompile(`(?:<path to cached (?:source|chart)>|/tmp/(?:_argocd-repo|_cmp_server)/[0-9a-f-]{2,}\b|/tmp/[0-9a-f-]{36}|/tmp/https?:?_[^/\s'"]+|/tmp/git@[^/\s'"]+|/tmp/kustomize-\d+)/?`)

// relative are paths as the repository has them.
func relative(said string) string { return inClone.ReplaceAllString(said, "") }
