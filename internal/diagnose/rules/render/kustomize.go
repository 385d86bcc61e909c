package render

import (
	"regexp"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
)

var Kustomize = &diagnose.Rule{
	ID: "render/kustomize",
	Doc: diagnose.Doc{
		Title:    "Kustomize build fails",
		What:     "Kustomize cannot build the overlay: a file or base is missing, a patch has no target, an ID is used twice, or a remote base cannot be fetched. Its message is a chain of reasons; the last one is the cause.",
		Decisive: "kustomize build ends with an error.",
		Example:  "Error: accumulating resources: … no matches for Id Deployment.v1.apps/web.[noNs]; failed to find unique target for patch",
		Fix:      "Correct the overlay; kustomize build shows the same error locally.",
	},
	Sync: nothingRenders,
	Check: during(message.CallKustomize, message.CallPlugin).rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if f.Command != nil && f.Command.TimedOut() || !kustomizeWords(f) {
			return diagnose.Finding{}, false
		}
		path := sourcePath(in.App().Source(f.Source))
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      "Kustomize cannot build " + path,
			Why:        strings.TrimSpace(inSource(s)),
			Says:       diagnose.Said{Who: "Kustomize says", Text: balanced(message.LastClause(kustomizeCause(f.Core())))},
			Fix:        []diagnose.Fix{{Text: "Reproduce it in a clone of the repository, with the kustomize.buildOptions of argocd-cm", Command: diagnose.Shell("kustomize build %s", path)}},
		}
		if path == "." {
			out.Title = "Kustomize cannot build the overlay"
		}
		return out, true
	}),
}

func kustomizeWords(f *message.Failure) bool {
	return f.Command != nil && f.Command.Tool == "kustomize" || f.Has("kustomize build", "kustomize: ", "accumulating resources", "accumulation err", "kustomize version", "kustomize edit") || f.Mentions("kustomization") && !f.Has("unmarshal")
}

// attempt introduces the error of the first of two attempts.
const attempt = "accumulation err='"

// asFile is what Kustomize says of a resource that it read as a file, and then tried as a directory, which it is not.
var asFile = regexp.MustCompile(attempt + `(.*)': got file '[^']*', but '[^']*' must be a directory`)

// kustomizeCause is the part of a chain that says what is wrong: the end, except where that is only the second attempt.
func kustomizeCause(said string) string {
	if m := asFile.FindStringSubmatch(said); m != nil {
		cause := m[1]
		if i := strings.LastIndex(cause, attempt); i >= 0 {
			cause = cause[i+len(attempt):]
		}
		return cause
	}
	if cause, _, ok := strings.Cut(said, "': must build at directory: not a valid directory"); ok {
		return cause
	}
	return said
}

// balanced is a clause without the quote behind it that ends what was cut away in front of it.
func balanced(clause string) string {
	clause = strings.TrimSuffix(strings.TrimRight(clause, ". "), `\"`)
	last := clause
	for tail := range message.Tails(clause) {
		last = tail
	}
	for _, quote := range []string{`"`, `'`} {
		if strings.HasSuffix(last, quote) && strings.Count(last, quote)%2 == 1 {
			return strings.TrimSuffix(clause, quote)
		}
	}
	return clause
}
