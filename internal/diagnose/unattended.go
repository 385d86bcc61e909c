package diagnose

import (
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose/change"
)

// unattended is the finding that no application controller acts on the application; nil where one does. Rules give advice as if Argo CD did
// what it is asked. What is different as long as it does not is decided here, for all of them.
func (r *run) unattended() *Finding {
	i := slices.IndexFunc(r.findings, func(f Finding) bool { return f.Unattended != "" })
	if i < 0 {
		return nil
	}
	return &r.findings[i]
}

// dropBelated leaves out the notes that only repeat that nobody acts on the application: how old its state is.
func (r *run) dropBelated() {
	by := r.unattended()
	if by == nil {
		return
	}
	first := *by
	r.findings = slices.DeleteFunc(r.findings, func(f Finding) bool {
		return f.Rule != first.Rule && (f.Unattended != "" || f.Role == RoleNote && first.explainsAge(&f))
	})
}

// explainsAge reports whether all that another finding is about is that nobody acts on the application. A rule names such a cause: its group
// explains what else fails, and this does not.
func (f *Finding) explainsAge(other *Finding) bool {
	return f.Unattended != "" && slices.Contains(other.explainedBy, f.Rule)
}

// attend changes the steps so that none asks Argo CD for what it would not do, or is doing already.
func (r *run) attend() {
	by, pending := r.unattended(), r.app.RefreshRequested()
	if by == nil && pending == "" {
		return
	}
	for i := range r.findings {
		f := &r.findings[i]
		switch {
		case f.Unattended != "":
		case by != nil:
			f.Fix = attended(f.Fix, by.Fix, pending, i == 0)
		case len(f.Fix) > 0 && refreshes(f.Fix[0], pending):
			f.Fix = append([]Fix{{Text: "Wait for the refresh that is already requested"}}, f.Fix[1:]...)
		}
	}
}

// attended are steps behind those that have Argo CD act again, if any of them needs that. Refreshes are left out: as soon as it acts,
// Argo CD compares.
func attended(steps, first []Fix, pending string, root bool) []Fix {
	needs := func(step Fix) bool { return len(change.Requests(Printed(step.Command))) > 0 }
	if !root && !slices.ContainsFunc(steps, needs) {
		return steps
	}
	out := slices.Clone(first)
	for _, step := range steps {
		known := step.Command != "" && slices.ContainsFunc(first, func(f Fix) bool { return f.Command == step.Command })
		if !known && !refreshes(step, pending) {
			out = append(out, step)
		}
	}
	return out
}

// refreshes reports whether all that a step does is request a refresh which the pending one already covers.
func refreshes(step Fix, pending string) bool {
	requests := change.Requests(Printed(step.Command))
	return len(requests) > 0 && !slices.ContainsFunc(requests, func(request string) bool {
		return request != change.Refresh && (request != change.HardRefresh || pending != "hard")
	})
}

// StaysPending is what becomes of a sync that no controller starts, in front of [Finding.Unattended].
const StaysPending = "a sync stays pending "

// unattendedSync is the verdict where no controller would start the sync.
func (r *run) unattendedSync(by *Finding) Advice {
	switch {
	case r.app.Status.OperationState.Running():
		return Advice{SyncBlocked, "an operation is running, and will not continue " + by.Unattended}
	case r.app.Requested() != nil:
		return Advice{SyncBlocked, "an operation is already requested, and stays pending " + by.Unattended}
	}
	return Advice{SyncPointless, StaysPending + by.Unattended}
}

// refuses is why an action of a finding would do nothing; empty where it would.
func (r *run) refuses(a Action, unattended string) string {
	switch {
	case unattended != "" && (a.ID != ActionDeleteHookJob || r.app.Status.OperationState.Running()): // that is done without Argo CD
		return "it would stay pending " + unattended
	case a.ID == ActionHardRefresh && r.app.RefreshRequested() == "hard":
		return "a hard refresh is already requested"
	}
	return ""
}
