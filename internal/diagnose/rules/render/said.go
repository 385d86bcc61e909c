package render

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
)

// said is the clause that decides, by the tool that said it.
func said(s *diagnose.Statement) diagnose.Said {
	return diagnose.Said{Who: teller(&s.Failure), Text: strings.TrimRight(uncut(s.Failure.Line(message.MaxClause)), ": ")}
}

// uncut is a clause without the quote or bracket at its end that was cut in the middle before it was read; empty where little else is
// left.
func uncut(said string) string {
	if !strings.HasSuffix(said, "…") {
		return said
	}
	at := -1
	for _, pair := range []string{"()", `""`} {
		begin, end := pair[:1], pair[1:]
		i := strings.LastIndex(said, begin)
		if begin == end && strings.Count(said, begin)%2 == 0 || i < strings.LastIndex(said, end) && begin != end {
			continue
		}
		at = max(at, i)
	}
	if at < 0 {
		return said
	}
	if said = strings.TrimSpace(said[:at]); strings.Contains(said, " ") {
		return said
	}
	return ""
}

// teller begins the sentence that quotes a failure.
func teller(f *message.Failure) string {
	if f.Command != nil {
		switch f.Command.Tool {
		case "git":
			return "Git says"
		case "helm":
			return "Helm says"
		case "kustomize":
			return "Kustomize says"
		case "jsonnet":
			return "Jsonnet says"
		}
	}
	if f.Call == message.CallPlugin {
		return "The plugin says"
	}
	return "Argo CD says"
}

// inSource says which of several sources a failure is about, as a sentence to put in front; empty when there is one.
func inSource(s *diagnose.Statement) string {
	if s.Failure.Sources > 1 {
		return fmt.Sprintf("Source %d of %d fails. ", s.Failure.Source, s.Failure.Sources)
	}
	return ""
}

// inApplication is a step that changes the Application itself. An ApplicationSet undoes that, so where one generates the Application, the
// step leads there.
func inApplication(in *diagnose.In, step diagnose.Fix) diagnose.Fix {
	if advice.Generator(in) == "" {
		return step
	}
	return diagnose.Fix{Text: strings.TrimSuffix(step.Text, ", in Git if the Application is defined there") + ", in " + advice.Manifest(in), Patch: step.Patch}
}

// sourcePath is the directory that is rendered, "." for the root of the repository.
func sourcePath(src evidence.ApplicationSource) string { return cmp.Or(src.Path, ".") }

// inPath continues a title: " of apps/web", or nothing for the root of the repository.
func inPath(preposition, path string) string {
	if path == "." || path == "" {
		return ""
	}
	return " " + preposition + " " + path
}
