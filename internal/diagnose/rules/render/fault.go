package render

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/evidence"
)

// fault is one way in which a tool fails, recognised by what it says: what the headline says of it, and what helps.
type fault struct {
	says *pattern.Regexp
	tell func(r rendered, m []string) diagnose.Finding
}

// rendered is what a fault has to go on: a statement, and the source it is about with its number in spec.sources.
type rendered struct {
	in     *diagnose.In
	s      *diagnose.Statement
	src    evidence.ApplicationSource
	number int
}

func renderedOf(in *diagnose.In, s *diagnose.Statement) rendered {
	number := s.Failure.Source
	if sources := in.App().Spec.Sources; number == 0 && len(sources) > 1 {
		number = onlyRendered(sources, s.Failure.Flat())
	}
	return rendered{in: in, s: s, src: in.App().Source(number), number: number}
}

// onlyRendered is the number of the one source that renders to manifests, or whose path a message names; 0 where there is none or several.
func onlyRendered(sources []evidence.ApplicationSource, said string) int {
	renders, named := 0, 0
	for i, src := range sources {
		if src.Chart == "" && src.Path == "" {
			continue // only there for its files
		}
		switch {
		case renders == 0:
			renders = i + 1
		default:
			renders = -1
		}
		if src.Path != "" && src.Path != "." && strings.Contains(said, src.Path) {
			if named != 0 {
				named = -1
			} else {
				named = i + 1
			}
		}
	}
	if renders > 0 {
		return renders
	}
	return max(named, 0)
}

// source is the source that fails, as the Application has it; empty where several may be meant.
func (r rendered) source() string {
	spec := &r.in.App().Spec
	switch {
	case r.number >= 1 && r.number <= len(spec.Sources):
		return fmt.Sprintf("spec.sources[%d]", r.number-1)
	case len(spec.Sources) == 1:
		return "spec.sources[0]"
	case len(spec.Sources) > 1:
		return ""
	case spec.Source == nil && spec.SourceHydrator != nil:
		return "spec.sourceHydrator.syncSource"
	}
	return "spec.source"
}

// known reports whether it is known which source fails.
func (r rendered) known() bool { return r.src.RepoURL != "" }

// field is a field of the source that fails.
func (r rendered) field(name string) string {
	if source := r.source(); source != "" {
		return source + "." + name
	}
	return name + " of the source that fails"
}

// edited is where a field of the source is changed: in the Application, or in what generates it.
func (r rendered) edited(name string) string {
	if advice.Generator(r.in) != "" {
		return name + " in " + advice.Manifest(r.in)
	}
	return r.field(name)
}

// place is where a fragment of YAML for the source belongs: in the Application, or in what generates it.
func (r rendered) place() string {
	if advice.Generator(r.in) != "" {
		return "the source in " + advice.Manifest(r.in)
	}
	return cmp.Or(r.source(), "the source that fails, in spec.sources") + " of the Application"
}

// renders is what renders the source, as Argo CD reports it: Helm, Kustomize, Directory or Plugin; empty where it does not.
func (r rendered) renders() string {
	status, i := &r.in.App().Status, r.number
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
var inClone = pattern.MustCompile(`(?:<path to cached (?:source|chart)>|/tmp/(?:_argocd-repo|_cmp_server)/[0-9a-f-]{2,}\b|/tmp/[0-9a-f-]{36}|/tmp/(?:https?|ssh|git):?_[^/\s'"]+|/tmp/git@[^/\s'"]+|/tmp/kustomize-\d+)/?`)

// relative are paths as the repository has them.
func relative(said string) string { return inClone.ReplaceAllString(said, "") }
