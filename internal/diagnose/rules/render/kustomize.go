package render

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
)

var Kustomize = &diagnose.Rule{
	ID: "render/kustomize",
	Doc: diagnose.Doc{
		Title:    "Kustomize build fails",
		What:     "Kustomize cannot build the overlay: a file or base is missing, a patch has no target, an ID is used twice, an option is missing from kustomize.buildOptions, or a remote base cannot be fetched. Its message is a chain of reasons; the last one is the cause.",
		Decisive: "kustomize build ends with an error.",
		Example:  "Error: accumulating resources: … no matches for Id Deployment.v1.apps/web.[noNs]; failed to find unique target for patch",
		Fix:      "Correct the overlay; kustomize build shows the same error locally.",
	},
	Sync: nothingRenders,
	Check: during(message.CallKustomize, message.CallPlugin).rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if f.Command != nil && (f.Command.TimedOut() || f.Command.Killed()) || !kustomizeWords(f) {
			return diagnose.Finding{}, false
		}
		r := renderedOf(in, s)
		cause, from := kustomizeCause(f.Core())
		out, ok := undecrypted(r)
		if !ok {
			out, ok = remoteBase(r, cause, from)
		}
		if !ok {
			out, ok = inflationFails(r, cause)
		}
		if !ok {
			out, ok = firstOf(kustomizeFaults, r, within(from)+cause)
		}
		if !ok {
			out = diagnose.Finding{Confidence: diagnose.Certain, Title: "Kustomize cannot build the overlay", Brief: "Kustomize fails", Why: strings.TrimSpace(inSource(s))}
			if path := sourcePath(r.src); path != "." {
				out.Title = "Kustomize cannot build " + path
			}
			out.Says = diagnose.Said{Who: "Kustomize says", Text: balanced(message.LastClause(relative(cause)))}
		}
		if editing := f.Command != nil && f.Command.Verb == "edit"; !f.Plugin && !editing && !out.OutsideGit && r.known() {
			out.Fix = append(out.Fix, diagnose.Fix{Text: "Reproduce it in a clone of the repository", Command: buildLocally(r)})
		}
		return out, true
	}),
}

func kustomizeWords(f *message.Failure) bool {
	return f.Call == message.CallKustomize || f.Has("kustomize build", "kustomize: ", "accumulating resources", "accumulation err", "kustomize version", "kustomize edit") || f.Mentions("kustomization") && !f.Has("unmarshal")
}

// buildLocally is the command that builds the overlay with the options that Argo CD used.
func buildLocally(r rendered) string {
	return strings.TrimSpace(diagnose.Shell("kustomize build %s%s", sourcePath(r.src), diagnose.Raw(after(" ", buildOptions(r)))))
}

func after(separator, options string) string {
	if options == "" {
		return ""
	}
	return separator + options
}

// option is one that kustomize build takes.
var option = pattern.MustCompile(`^--?[a-z][a-z_-]*(?:=[\w-]+)?$`)

// runsPlugins is an option that lets what is in the repository run as a program. The message may be made up, and a step has no such option.
var runsPlugins = pattern.MustCompile(`^-+(?:enable[-_](?:alpha[-_]plugins|exec|star)|network|as[-_]current[-_]user)`)

// buildOptions are the options of the build that failed, as the command line has them.
func buildOptions(r rendered) string {
	c := r.s.Failure.Command
	if c == nil || c.Tool != "kustomize" || c.Verb != "build" {
		return ""
	}
	var out []string
	for _, word := range strings.Fields(c.Line) {
		switch {
		case restrictions[word] != "":
			if len(out) > 0 && restrictorOption.MatchString(out[len(out)-1]) {
				out = append(out, word)
			}
		case strings.HasPrefix(word, "--helm-command"): // where the repo-server has Helm, which is of no use elsewhere
		case runsPlugins.MatchString(word):
		case option.MatchString(word):
			out = append(out, word)
		}
	}
	return strings.Join(out, " ")
}

// attempt introduces the error of the first of two attempts: Kustomize reads a resource as a file, and then as a directory or a
// repository. secondAttempt separates it from the error of the second.
const attempt = "accumulation err='"

var secondAttempt = pattern.MustCompile(`'+: (must build at directory|not a valid directory|got file |recursed accumulation of path|failed to run |git cmd = |hit \d|new root |evalsymlink failure|unable to |couldn't |security; |trouble |URL |invalid |cycle detected)`)

var (
	resource = pattern.MustCompile(`^(?:accumulating|merging) (?:resources|components) from '([^']+)': `)
	recursed = pattern.MustCompile(`^recursed (?:merging|accumulation)[^:']*(?: of path)? '[^']*': `)
)

// kustomizeCause is the innermost error of a chain, and the resource that it is about where it is named. Of two attempts at one
// resource the first counts, unless it only found that the resource is a directory or a repository.
func kustomizeCause(said string) (cause, from string) {
	for {
		said = strings.TrimPrefix(said, "accumulating resources: ")
		if m := recursed.FindString(said); m != "" {
			said = said[len(m):]
			continue
		}
		if m := resource.FindStringSubmatch(said); m != nil {
			from, said = m[1], said[len(m[0]):]
			continue
		}
		i := strings.Index(said, attempt)
		if i < 0 {
			return strings.TrimSpace(said), from
		}
		rest := said[i+len(attempt):]
		if m := resource.FindStringSubmatch(rest); m != nil {
			from, rest = m[1], rest[len(m[0]):]
		}
		at := secondAttempt.FindStringSubmatchIndex(rest)
		if at == nil {
			return strings.TrimSpace(rest), from
		}
		first, second := rest[:at[0]], rest[at[2]:]
		switch {
		case strings.Contains(first, "HTTP "):
			said = first
		case strings.Contains(first, "must resolve to a file"), strings.Contains(first, "URL is a git repository"),
			strings.HasPrefix(second, "recursed"), strings.HasPrefix(second, "failed to run "), strings.HasPrefix(second, "git cmd "), strings.HasPrefix(second, "hit "):
			said = second
		default:
			said = first
		}
	}
}

// within names the resource that an error is about, in front of the error.
func within(from string) string {
	if from == "" {
		return ""
	}
	return "accumulating resources from '" + from + "': "
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
