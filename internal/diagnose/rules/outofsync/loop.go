package outofsync

import (
	"fmt"
	"slices"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

const (
	// loopTimes is how often the same commit must have been synced to be a loop: twice happens (a retry, a click).
	loopTimes = 3
	// loopPeriod is the longest time between two turns of a loop. Argo CD compares every three minutes by
	// itself, and backs off between self-heals up to five.
	loopPeriod = 10 * time.Minute
	// In a repository of many applications the commit changes between two turns without meaning this one. Then it takes
	// more turns in less time: nobody deploys every two minutes for long.
	busyTimes  = 5
	busyPeriod = 2 * time.Minute
	// loopGone is how long after its last turn a loop counts as over.
	loopGone = time.Hour
)

// loop is how often and how fast the application was synced over and over.
type loop struct {
	times  int
	period time.Duration
	// atLeast: the history is full, there were more before.
	atLeast bool
	// same: it was always the same commit.
	same bool
}

// findLoop finds a loop at the end of the history; ok is false where there is none, or it is over.
func findLoop(in *diagnose.In) (l loop, ok bool) {
	app := in.App()
	op, last, h := app.Status.OperationState, app.LastDeployment(), app.Status.History
	if op == nil || op.Failed() || last == nil || in.Since(last.DeployedAt) > loopGone {
		return loop{}, false
	}
	l = countBackwards(h, func(gap time.Duration, same bool) bool { return same && gap <= loopPeriod })
	l.same = true
	if healed := healAttempts(app); healed > l.times {
		l.times, l.atLeast = healed, false
	}
	if l.times >= loopTimes {
		return l, true
	}
	l = countBackwards(h, func(gap time.Duration, _ bool) bool { return gap <= busyPeriod })
	return l, l.times >= busyTimes && op.Operation.InitiatedBy.Automated
}

// countBackwards counts the deployments before the last one, as long as follows says that one belongs to the next.
func countBackwards(h []evidence.Deployment, follows func(gap time.Duration, same bool) bool) loop {
	var gaps []time.Duration
	for i := len(h) - 1; i > 0; i-- {
		gap := h[i].DeployedAt.Sub(h[i-1].DeployedAt.Time)
		if gap <= 0 || !follows(gap, sameRevisions(h[i], h[i-1])) {
			break
		}
		gaps = append(gaps, gap)
	}
	l := loop{times: len(gaps) + 1, atLeast: len(gaps)+1 == len(h) && len(h) > 1}
	if len(gaps) > 0 {
		var all time.Duration
		for _, gap := range gaps {
			all += gap
		}
		l.period = all / time.Duration(len(gaps))
	}
	return l
}

// sameRevisions reports whether two deployments are of the same commits, of all sources.
func sameRevisions(a, b evidence.Deployment) bool {
	return a.At() != "" && a.At() == b.At()
}

// healAttempts is how often self-heal has synced the same commit again.
func healAttempts(app *evidence.Application) int {
	if s := app.Status.OperationState.Operation.Sync; s != nil {
		return s.AutoHealAttemptsCount
	}
	return 0
}

func (l loop) String() string {
	least := ""
	if l.atLeast {
		least = "at least "
	}
	if l.period == 0 {
		return fmt.Sprintf("%s%d times", least, l.times)
	}
	return fmt.Sprintf("%s%d times, about every %s", least, l.times, text.Age(l.period))
}

// keepsComingBack reports whether a rule is about a difference that comes back after each sync, or that a sync leaves: such
// a one keeps a loop of syncs going.
func keepsComingBack(r *diagnose.Rule) bool {
	switch recognises := r.Recognises.(type) {
	case explains:
		return slices.ContainsFunc(recognises, func(e explanation) bool { return e.by.comesBack() })
	case presence:
		return true
	}
	return false
}

// loopFinding is the finding about a loop.
func loopFinding(in *diagnose.In, l loop, who string) diagnose.Finding {
	what := "the same commit"
	if !l.same {
		what = "the application"
	}
	f := diagnose.Finding{
		Confidence: diagnose.CertainIf(l.same), Recurs: true,
		Title:    who + " keeps syncing " + what,
		Why:      fmt.Sprintf("%s synced it %s, and something differs again after each sync.", who, l),
		Evidence: []diagnose.Quote{{From: "status.history", Text: l.String()}},
		Fix: []diagnose.Fix{
			{Text: "Between two syncs, show what differs", Command: diagnose.Shell("argocd app diff %s --refresh", advice.AppName(in))},
			{Text: "Find out who writes the field that differs. Then remove it from Git, or ignore it with RespectIgnoreDifferences=true"},
		},
	}
	if r, field, ok := contested(in); ok {
		f.Resource = r.Ref
		f.Title = fmt.Sprintf("%s: %s and %s undo each other", r.Ref, who, managerText(ownerOf(field)))
		f.Short = fmt.Sprintf("%s and %s undo each other", who, managerText(ownerOf(field)))
		f.Why = fmt.Sprintf("%s synced %s %s, and %s is out of sync again. %s.", who, what, l, field.Path.Short(), lastWritten(in, ownerOf(field)))
		f.Fix[1] = diagnose.Fix{Text: fmt.Sprintf("Let only one of the two set %s: stop %s from changing it, or put its value into Git%s", field.Path.Short(), managerText(ownerOf(field)), inGit(in))}
		return f
	}
	if ref := resourceOfLoop(in.App()); !ref.IsZero() {
		f.Resource = ref
		f.Short = "out of sync again after every sync"
		if l.period > 0 {
			f.Short += ", about every " + text.Age(l.period)
		}
		f.Title = ref.String() + ": " + f.Short
		f.Why = fmt.Sprintf("%s synced %s %s.", who, what, l)
		if s := autoscalerOf(in, ref); s != nil { // syncs may leave the replicas to it already
			if step := ignoreReplicas(in, ref); step.Text != "" {
				f.Why += fmt.Sprintf(" %s %s, so most likely the two undo each other.", s.Ref(), scaleRange(s))
				f.Fix[1] = step
			}
		}
	}
	return f
}

// contested is the first field that a person's tool keeps writing; what controllers write is a finding of its own.
func contested(in *diagnose.In) (*resource, drift.Field, bool) {
	if d := look(in); d != nil {
		for _, r := range d.resources {
			for _, f := range r.byRule[d.ruleFor(byPerson)] {
				if _, ok := foreignWriter(&f); ok {
					return r, f, true
				}
			}
		}
	}
	return nil, drift.Field{}, false
}

// resourceOfLoop is what is out of sync now, or what the last sync changed; zero where neither names one resource.
func resourceOfLoop(app *evidence.Application) evidence.Ref {
	for _, r := range app.Status.Resources {
		if r.Status == "OutOfSync" && !r.Hook {
			return r.Ref()
		}
	}
	if done := app.Status.OperationState.Results(); len(done) == 1 {
		return done[0].Ref()
	}
	return evidence.Ref{}
}
