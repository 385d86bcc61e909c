package render

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
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

// source is the source that fails, as the Application has it; empty where several may be meant.
func (r rendered) source() string {
	spec, i := &r.in.App().Spec, r.s.Failure.Source
	switch {
	case i >= 1 && i <= len(spec.Sources):
		return fmt.Sprintf("spec.sources[%d]", i-1)
	case len(spec.Sources) == 1:
		return "spec.sources[0]"
	case len(spec.Sources) > 1:
		return ""
	case spec.Source == nil && spec.SourceHydrator != nil:
		return "spec.sourceHydrator.syncSource"
	}
	return "spec.source"
}

// field is a field of the source that fails.
func (r rendered) field(name string) string {
	if source := r.source(); source != "" {
		return source + "." + name
	}
	return name + " of the source (spec.sources)"
}

// place is where a fragment of YAML for the source belongs: in the Application, or in what generates it.
func (r rendered) place() string {
	if advice.Generator(r.in) != "" {
		return "the source in " + advice.Manifest(r.in)
	}
	return cmp.Or(r.source(), "the source in spec.sources") + " of the Application"
}

// renders is what renders the source, as Argo CD reports it: Helm, Kustomize, Directory or Plugin; empty where it does not.
func (r rendered) renders() string {
	status, i := &r.in.App().Status, r.s.Failure.Source
	if i >= 1 && i <= len(status.SourceTypes) {
		return status.SourceTypes[i-1]
	}
	return status.SourceType
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
