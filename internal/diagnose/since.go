package diagnose

import "time"

// causeSince is when that began which the cause rests on, as Argo CD dates it: the condition that states it, or the application's health.
// Zero where Argo CD has no date for it (none for a difference from Git), or where the operation's is its date.
func (r *run) causeSince(root *Finding) time.Time {
	if root == nil {
		return time.Time{}
	}
	if n := root.statement; n > 0 && n <= len(r.statements) && r.statements[n-1].Condition != "" {
		for _, c := range r.app.Status.Conditions {
			if c.Type == r.statements[n-1].Condition {
				return c.LastTransitionTime.Time
			}
		}
	}
	health := r.app.Status.Health
	switch {
	case health.Status == "Healthy" || health.Status == "":
	case GroupHealth.Has(root.Rule), GroupDrift.Has(root.Rule) && health.Status == "Missing":
		return health.LastTransitionTime.Time
	}
	return time.Time{}
}
