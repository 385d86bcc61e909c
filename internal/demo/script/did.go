package script

import (
	"context"
	"strings"

	"github.com/argo-why/argo-why/internal/simulator"
	"github.com/argo-why/argo-why/internal/story"
	"github.com/argo-why/argo-why/internal/text"
)

// effects are what the simulated Argo CD has done so far, in the order in which it was seen.
type effects struct {
	seen                             []string
	refreshes, deletions, operations int
}

// look takes in what was done since the last time.
func (e *effects) look(s *simulator.Server) {
	for _, r := range s.Refreshes()[e.refreshes:] {
		e.refreshes++
		if how, app, _ := strings.Cut(r, " "); how == "hard" {
			e.seen = append(e.seen, app+": hard refresh")
		}
	}
	for _, ref := range s.Deleted()[e.deletions:] {
		e.deletions++
		e.seen = append(e.seen, "delete "+ref.String())
	}
	for _, o := range s.Operations()[e.operations:] {
		e.operations++
		e.seen = append(e.seen, describe(o))
	}
}

// describe is a sync in the words of test/story.
func describe(o simulator.Operation) string {
	what := o.App + ": sync "
	if o.DryRun {
		what = o.App + ": dry-run "
	}
	what += text.Revision(o.Revision)
	if o.Prune {
		what += " with prune"
	}
	return what
}

// did shows what was done to applications and their clusters.
func (s *Stage) did(ctx context.Context, step story.Step) error {
	s.effects.look(s.ArgoCD)
	out := "(nothing)\n"
	if len(s.effects.seen) > 0 {
		out = strings.Join(s.effects.seen, "\n") + "\n"
	}
	return s.show(ctx, story.Shown{Step: step, Name: step.Args[0], Text: out})
}
