package action

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// oldComparison is when the last comparison is worth a word: Argo CD compares every 3 minutes by default.
const oldComparison = 5 * time.Minute

// sync shows everything, even of a sync that is refused: so one sees what is waited for.
func (p *Plan) sync(s *Situation) {
	all := differences(s)
	p.Revision, p.Moved = s.Application.Status.Sync.At(), s.Moved
	if s.Report != nil {
		p.Verdict, p.Reason, p.Newer = s.Report.Sync.Verdict, s.Report.Sync.Why, s.Report.Sync.Newer
	}
	p.Changes = changes(all, p.Sync)
	if len(p.Sync.Resources) == 0 && !p.Sync.DryRun {
		p.Hooks = hooksOf(s.Manifests)
	}
	p.Ignored = ignoredDifferences(s)
	p.refuseSync(s, all)
	p.Steps = syncSteps(p)
	p.Notes = p.notes(s)
	p.Fingerprint = fingerprintOf(p.Request, s, all)
}

// refuseSync checks first what can be seen without a diagnosis, which may be some seconds older than the rest.
func (p *Plan) refuseSync(s *Situation, all []difference) {
	app, op := s.Application, s.Application.Status.OperationState
	p.refuseDeleted(app)
	p.refuseUnattended(s.Report, "sync")
	switch {
	case op.Running():
		p.refuse("the %s is still running, and Argo CD will not start another one until it ends or is terminated", p.operation(op))
	case app.Operation != nil:
		p.refuse("%s", pendingOperation(app))
	}
	p.refuseMoved(s)
	if w := s.Windows; w != nil && w.CanSync != nil && !*w.CanSync {
		p.refuse("%s", closingWindow(w))
	}
	p.requireOffer(s.Report, "the cluster already matches Git")
	switch {
	case app.Stale():
		p.refuse("the source of the application was changed, and Argo CD has not compared with the new one yet. Try again when it has")
	case p.Revision == "":
		p.refuse("the revision to sync is unknown: Argo CD has not compared any yet")
	case s.Managed == nil && len(all) > 0:
		p.refuse("the changes could not be read%s", unreadReasons(s.Unread))
	}
	for _, ref := range p.Sync.Resources {
		if app.Resource(ref) == nil {
			p.refuse("%s is not a resource of the application", ref)
		}
	}
}

// closingWindow says which window forbids syncs by hand.
func closingWindow(w *evidence.SyncWindows) string {
	for _, a := range w.ActiveWindows {
		if a.Kind == "deny" && !a.ManualSync {
			return fmt.Sprintf("a deny window (%s for %s%s) also blocks manual syncs", a.Schedule, a.Duration, zone(a))
		}
	}
	for _, a := range w.AssignedWindows {
		if a.Kind == "allow" && !a.ManualSync {
			return fmt.Sprintf("syncs are only allowed in a sync window (%s for %s%s) that is not open now", a.Schedule, a.Duration, zone(a))
		}
	}
	return "a sync window of the project blocks it now"
}

func zone(w evidence.SyncWindow) string {
	if w.TimeZone == "" {
		return " UTC"
	}
	return " " + w.TimeZone
}

func unreadReasons(unread []string) string {
	if len(unread) == 0 {
		return ""
	}
	return ": " + strings.Join(unread, "; ")
}

func syncSteps(p *Plan) []string {
	what := text.Revisions(p.Revision)
	if n := len(p.Sync.Resources); n > 0 {
		what = text.Count(n, "resource", "resources") + " of " + what
	}
	steps := []string{"Dry run first, which changes nothing"}
	switch {
	case p.Sync.DryRun:
		return steps
	case p.Sync.Prune:
		return append(steps, "Sync "+what+" and delete what was removed from Git")
	}
	return append(steps, "Sync "+what)
}

// notes are further things to know before one agrees.
func (p *Plan) notes(s *Situation) []string {
	var out []string
	add := func(when bool, format string, args ...any) {
		if when {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	app := s.Application
	add(p.Still() != "", "%s", p.Still())
	add(p.Sync.DryRun, "Dry run only: nothing is changed and no hooks run. Argo CD checks the manifests, but a rejection by the API server, a webhook or a quota only shows up in a real sync.")
	add(len(p.Sync.Resources) > 0, "Only selected resources are synced: hooks do not run, and the sync does not appear in Argo CD's history.")
	kept := slices.DeleteFunc(slices.Clone(p.Changes), func(c Change) bool { return !slices.Contains(c.Fields, PruneOff) })
	add(len(kept) > 0, "Prune is off: %s, so the application stays out of sync.", text.Count(len(kept), "resource removed from Git stays in the cluster", "resources removed from Git stay in the cluster"))
	add(p.prunes("Prune=confirm"), "Argo CD waits for someone to confirm the deletion of resources with Prune=confirm.")
	if app.AutoSync() {
		add(true, "Auto-sync is on%s: Argo CD also syncs on its own.", autoSync(app))
	}
	add(openWindow(s.Windows), "A sync window blocks auto-sync now, but allows manual syncs.")
	if policy := app.Spec.SyncPolicy; policy != nil && policy.Retry != nil && policy.Retry.Limit != 0 && !p.Sync.DryRun {
		add(policy.Retry.Limit > 0, "If it fails, Argo CD retries it up to %s.", text.Count(int(policy.Retry.Limit), "time", "times"))
		add(policy.Retry.Limit < 0, "If it fails, Argo CD retries it until someone terminates it.")
	}
	if at := app.Status.ReconciledAt; !at.IsZero() {
		age := p.built.Sub(at.Time)
		add(age > oldComparison, "The comparison is stale: Argo CD last compared %s ago, at %s.", text.Duration(age), text.Moment(at.Time, p.built))
	}
	add(s.Manifests == nil && len(p.Sync.Resources) == 0 && !p.Sync.DryRun, "Could not read which hooks will run.")
	for _, what := range s.Unread {
		add(true, "Could not read: %s", what)
	}
	return out
}

// prunes reports whether anything is pruned with that option.
func (p *Plan) prunes(option string) bool {
	return slices.ContainsFunc(p.Changes, func(c Change) bool { return c.Effect == Pruned && slices.Contains(c.Fields, option) })
}

// autoSync is what auto-sync does beside syncing new commits: " (with prune and self-heal)".
func autoSync(app *evidence.Application) string {
	var with []string
	if app.Spec.SyncPolicy.Automated.Prune {
		with = append(with, "prune")
	}
	if app.Spec.SyncPolicy.Automated.SelfHeal {
		with = append(with, "self-heal")
	}
	if len(with) == 0 {
		return ""
	}
	return " (with " + strings.Join(with, " and ") + ")"
}

// openWindow reports whether an active deny window lets people sync.
func openWindow(w *evidence.SyncWindows) bool {
	return w != nil && (w.CanSync == nil || *w.CanSync) && slices.ContainsFunc(w.ActiveWindows, func(a evidence.SyncWindow) bool { return a.Kind == "deny" && a.ManualSync })
}
