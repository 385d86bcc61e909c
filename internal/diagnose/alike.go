package diagnose

import (
	"strings"

	"github.com/argo-why/argo-why/internal/evidence"
)

const (
	// eachKept is how many tasks of one kind that failed in the same words are statements of their own. The thousandth tells a rule
	// nothing that these do not.
	eachKept = 20
	// allKept is how many statements are kept of a kind: of conditions, of failed tasks, of what the operation says, of warnings. Nobody
	// reads a hundred causes, and rules are asked about each statement. All of them together stay below [derived].
	allKept = 400
)

// alike are the failed tasks of a sync by what they say, so that a sync with fifty thousand of them has few statements.
type alike struct {
	by map[wording]*sayers
	// kept is how many tasks are statements; left is how many are in none.
	kept, left int
}

// wording is what is said of a kind of resource, without the name.
type wording struct{ status, kind, said string }

func wordingOf(r *evidence.ResourceResult) wording {
	return wording{r.Status, r.Kind, strings.ReplaceAll(r.Message, r.Name, "\x00")}
}

// sayers are the tasks that failed in the same words.
type sayers struct {
	statements int
	// first is the place of their first statement; -1 as long as there is none.
	first int
}

// admit reports whether a task becomes a statement of its own. If not, it is counted with the one at the place with, or with none
// where that is -1.
func (a *alike) admit(w wording) (own bool, with int) {
	if a.by == nil {
		a.by = map[wording]*sayers{}
	}
	s := a.by[w]
	switch {
	case s == nil && a.kept == allKept:
		a.left++
		return false, -1
	case s == nil:
		a.by[w] = &sayers{first: -1}
		return true, -1
	case s.statements < eachKept && a.kept < allKept:
		return true, -1
	}
	return false, s.first
}

// put notes where the statement of a task is; kept is false for one that repeats another or says nothing.
func (a *alike) put(w wording, place int, kept bool) {
	s := a.by[w]
	s.statements++
	if !kept {
		return
	}
	a.kept++
	if s.first < 0 {
		s.first = place
	}
}
