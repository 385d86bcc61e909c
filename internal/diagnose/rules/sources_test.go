package rules_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// valuesAt is the revision of the second source, a repository of values, that nothing happens to.
const valuesAt = "9999999999999999999999999999999999999999"

// ofTwoSources is a case as Argo CD would have it if its application took its values from a second source: revisions are lists.
func ofTwoSources(c *evidence.Case) *evidence.Case {
	two, app := *c, *c.Application
	app.Spec.Sources, app.Spec.Source = []evidence.ApplicationSource{*app.Spec.Source, {RepoURL: "https://git.example.com/team/values.git", TargetRevision: "main", Ref: "values"}}, nil
	both := func(one *string, several *[]string) {
		if *one != "" {
			*one, *several = "", []string{*one, valuesAt}
		}
	}
	both(&app.Status.Sync.Revision, &app.Status.Sync.Revisions)
	app.Status.History = slices.Clone(app.Status.History)
	for i := range app.Status.History {
		h := &app.Status.History[i]
		both(&h.Revision, &h.Revisions)
		if h.Source != nil {
			h.Sources, h.Source = []evidence.ApplicationSource{*h.Source, app.Spec.Sources[1]}, nil
		}
	}
	operation := func(o *evidence.Operation) {
		if o.Sync != nil {
			sync := *o.Sync
			both(&sync.Revision, &sync.Revisions)
			o.Sync = &sync
		}
	}
	if app.Operation != nil {
		asked := *app.Operation
		operation(&asked)
		app.Operation = &asked
	}
	if op := app.Status.OperationState; op != nil {
		state := *op
		operation(&state.Operation)
		if state.SyncResult != nil {
			result := *state.SyncResult
			both(&result.Revision, &result.Revisions)
			if result.Source != nil {
				result.Sources, result.Source = []evidence.ApplicationSource{*result.Source, app.Spec.Sources[1]}, nil
			}
			state.SyncResult = &result
		}
		app.Status.OperationState = &state
	}
	two.Rendered = map[string]string{}
	for revision, digest := range c.Rendered {
		two.Rendered[revision+", "+valuesAt] = digest
	}
	two.Application = &app
	return &two
}

// hole is a place of a sentence where a word is missing.
var hole = regexp.MustCompile(`\(,|\(\)| [,;:)]| \.( |$)|\S  \S|, ,| (at|to|of|on|for|with|from|compared|of,)[.,;]( |$)|%!`)

// TestTwoSourcesAreDiagnosedLikeOne: each recorded case of one source is told with a second one, which has its own revision. The cause, what a
// sync would do and the advice stay, and no sentence has a hole where a revision was.
func TestTwoSourcesAreDiagnosedLikeOne(t *testing.T) {
	e, n := engine(t), 0
	for _, r := range recordedCases(t) {
		if r.c.Application == nil || r.c.Application.Spec.Source == nil {
			continue
		}
		n++
		one, two := diagnosed(t, e, r.c), diagnosed(t, e, ofTwoSources(r.c))
		if a, b := gist(one), gist(two); a != b {
			t.Errorf("%s: of one source:\n%s\nof two:\n%s", r.name, a, b)
		}
		for _, said := range sentencesOf(two) {
			if hole.MatchString(said) && !slices.ContainsFunc(sentencesOf(one), func(s string) bool { return s == said }) {
				t.Errorf("%s: a hole: %s", r.name, said)
			}
		}
	}
	if n < 300 {
		t.Errorf("%d cases", n)
	}
}

// gist is what a person does by: the state, the cause, and whether a sync helps.
func gist(r *diagnose.Report) string {
	cause := ""
	if f := r.Root(); f != nil {
		cause = f.Rule
	}
	newer, _, _ := strings.Cut(r.Sync.Newer, ", ")
	return fmt.Sprintf("%s %s sync %s newer %s", r.Verdict, cause, r.Sync.Verdict, newer)
}

// sentencesOf are the texts of a report that are ours.
func sentencesOf(r *diagnose.Report) []string {
	out := append([]string{r.Headline, r.Progress, r.Sync.Why}, r.Effects...)
	for _, f := range r.Findings {
		out = append(out, f.Title, f.Why)
		for _, s := range f.Fix {
			out = append(out, s.Text)
		}
	}
	return out
}
