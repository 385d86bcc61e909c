package diagnose

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/argo-why/argo-why/internal/evidence"
)

// rank puts the findings in order: causes before effects before notes, and among causes the one that came first in a
// sync. It decides which statement belongs to which rule, and what is a symptom of what.
func (r *run) rank() {
	r.findings = dropTaken(claim(r.findings))
	r.findings = quietNotes(r.findings)
	r.findings = mergeSame(r.findings)
	r.findings = dropOverruled(r.findings)
	r.outage = slices.ContainsFunc(r.findings, func(f Finding) bool { return f.Outage })
	r.demote()
	r.dropBelated()
	slices.SortStableFunc(r.findings, func(a, b Finding) int {
		return cmp.Or(
			trueFirst(a.Overrules && a.Role != RoleEffect, b.Overrules && b.Role != RoleEffect),
			cmp.Compare(roleRank(a.Role), roleRank(b.Role)),
			cmp.Compare(r.placeOf(&a), r.placeOf(&b)),
			trueFirst(!r.isScaledBack(&a), !r.isScaledBack(&b)),
			trueFirst(a.Examined, b.Examined), // what was not examined comes behind what was
			cmp.Compare(a.order, b.order),
			cmp.Compare(a.statement, b.statement),
			cmp.Compare(a.Rank, b.Rank),
			cmp.Compare(a.Resource.String(), b.Resource.String()),
		)
	})
}

// trueFirst puts what is so before what is not.
func trueFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// claim leaves each statement to the first rule of the list that recognised it.
func claim(findings []Finding) []Finding {
	owner := map[int]int{}
	for _, f := range findings {
		if f.statement == 0 {
			continue
		}
		if first, ok := owner[f.statement]; !ok || f.order < first {
			owner[f.statement] = f.order
		}
	}
	return slices.DeleteFunc(findings, func(f Finding) bool { return f.statement != 0 && owner[f.statement] != f.order })
}

// dropTaken leaves out a finding that another rule reports as its own: see [In.At].
func dropTaken(findings []Finding) []Finding {
	i := slices.IndexFunc(findings, func(f Finding) bool { return f.source != "" })
	if i < 0 {
		return findings
	}
	taken := findings[i]
	return slices.DeleteFunc(findings, func(f Finding) bool { return f.Rule == taken.source && f.Resource == taken.Resource })
}

// quietNotes leaves out that a sync is under way where a finding says what that sync waits for.
func quietNotes(findings []Finding) []Finding {
	if len(findings) < 2 {
		return findings
	}
	explained := slices.ContainsFunc(findings, func(f Finding) bool {
		return f.Role == RoleCause || f.Kind == KindOverdue && !f.Resource.IsZero()
	})
	return slices.DeleteFunc(findings, func(f Finding) bool {
		return f.Kind == KindUnderWay || f.Kind == KindOverdue && f.Resource.IsZero() && explained
	})
}

// mergeSame makes one finding of several of one rule that say the same about different resources.
func mergeSame(findings []Finding) []Finding {
	var out []Finding
	named := map[int]map[evidence.Ref]bool{} // those that a finding of several has, by its place
	for _, f := range findings {
		i := slices.IndexFunc(out, func(o Finding) bool { return o.saysTheSame(f) })
		if i < 0 {
			out = append(out, f)
			continue
		}
		if f.Shared != "" && out[i].Shared != "" {
			out[i].Shared = min(out[i].Shared, f.Shared) // whichever is listed first
		}
		out[i].alsoStatements = append(append(out[i].alsoStatements, f.statement), f.alsoStatements...)
		if named[i] == nil {
			named[i] = map[evidence.Ref]bool{{}: true, out[i].Resource: true}
			for _, ref := range out[i].Others {
				named[i][ref] = true
			}
		}
		for _, ref := range append([]evidence.Ref{f.Resource}, f.Others...) {
			if !named[i][ref] {
				named[i][ref] = true
				out[i].Others = append(out[i].Others, ref)
			}
		}
	}
	return out
}

// saysTheSame reports whether two findings differ only in their resource, or in the words about one thing that everything depends on.
func (f Finding) saysTheSame(o Finding) bool {
	switch {
	case f.Rule != o.Rule || f.Role != o.Role:
		return false
	case f.Shared != "" && f.Shared == o.Shared && (f.Title == o.Title || f.Says.Text != "" && f.Says == o.Says):
		return true
	}
	return f.Why == o.Why && f.Says == o.Says && (f.Title == o.Title || f.nameless() == o.nameless())
}

// nameless is the title without the name of the resource.
func (f Finding) nameless() string {
	title := f.Title
	for _, name := range []string{f.Resource.String(), f.Resource.Name} {
		if name != "" {
			title = strings.ReplaceAll(title, name, "")
		}
	}
	return title
}

// demote makes effects of causes that another finding explains: by the rule's own word, or because an earlier group
// explains the application. What forbids a sync now, such as a window, is no effect of what failed before.
func (r *run) demote() {
	first, warned := len(groups), false
	for _, f := range r.findings {
		switch {
		case f.Role != RoleCause || f.Unattended != "" || r.explained(f):
		case f.Kind == KindWarning:
			warned = true
		default:
			first = min(first, r.place(f.Rule))
		}
	}
	another := first < len(groups)
	overruling := slices.IndexFunc(r.findings, func(f Finding) bool { return f.Overrules })
	unknown := sync.OnceValue(func() bool { return len(r.unclaimed()) > 0 })
	for i := range r.findings {
		f := &r.findings[i]
		switch {
		case f.Role != RoleCause:
		case overruling >= 0 && r.findings[overruling].overrules(f):
			f.Role = RoleNote
		case f.Kind == KindWarning && another, f.Unattended != "" && (another || warned):
			f.Role = RoleNote
		case f.Kind != KindWarning && f.Unattended == "" && (r.explained(*f) || r.place(f.Rule) > first && !r.beside(f.Rule, f.Earlier, first) && f.Kind != KindSyncForbidden || r.brokenByDrift(f)):
			f.Role = RoleEffect
		case f.Kind == KindBookkeeping && unknown(): // what Argo CD does about a failure that no rule knows
			f.Role = RoleEffect
		}
	}
}

// overrules reports whether another finding does not matter beside f, which does.
func (f *Finding) overrules(other *Finding) bool {
	return f.Overrules && !other.Overrules && !explains(other.Rule, f.explainedBy) && !GroupCompare.Has(other.Rule)
}

// dropOverruled leaves out that something is missing or not ready where all of it is being deleted.
func dropOverruled(findings []Finding) []Finding {
	i := slices.IndexFunc(findings, func(f Finding) bool { return f.Overrules })
	if i < 0 {
		return findings
	}
	all := slices.Clone(findings)
	return slices.DeleteFunc(findings, func(f Finding) bool { return AfterSync.Has(f.Rule) && all[i].overrules(&f) })
}

// place is the rank of a rule's group in this diagnosis. What is Degraded, or has not worked for long, hurts more than a difference does:
// then health comes before drift.
func (r *run) place(id string) int {
	n, drift, health := groupRank(id), GroupDrift.rank(), GroupHealth.rank()
	switch {
	case n != health && n != drift, r.app.Status.Health.Status != "Degraded" && !r.outage:
	case n == health:
		return drift
	case n == drift:
		return health
	}
	return n
}

// placeOf is the place of a finding: one about an autoscaler comes behind the fight about the replicas that it sets.
func (r *run) placeOf(f *Finding) int {
	if n := r.place(f.Rule); !r.isScaledBack(f) || n > r.place(string(GroupDrift)) {
		return n
	}
	return r.place(string(GroupDrift))
}

// isScaledBack reports whether what the autoscaler of a finding sets is undone again and again.
func (r *run) isScaledBack(f *Finding) bool {
	return !f.Scales.IsZero() && slices.ContainsFunc(r.findings, func(g Finding) bool {
		return g.Rescales && g.Role == RoleCause && (g.Resource.Same(f.Scales) || slices.Contains(g.Others, f.Scales))
	})
}

// beside reports whether a finding of the rule stands beside the first cause and not behind it: drift and health are two
// troubles of one application, and so is what is Degraded while something else cannot be rendered, applied or synced. earlier: what it is
// about did not work before the last sync began.
func (r *run) beside(id string, earlier bool, first int) bool {
	if first == GroupRender.rank() && GroupCompare.Has(id) { // the cluster that Argo CD reads has nothing to do with Git
		return true
	}
	if first >= len(groups) || !AfterSync.Has(id) {
		return false
	}
	switch {
	case groups[first].phase == AfterSync:
		return true
	case GroupDrift.Has(id) && groups[first].phase == DuringSync && r.app.CurrentOperation().Failed(): // what was applied differs all the same
		return true
	}
	switch r.app.Status.Health.Status {
	case "Degraded":
		return GroupHealth.Has(id)
	case "Progressing", "Missing": // it may be an effect of the sync that failed in the middle, but not of one that could not begin
		return GroupHealth.Has(id) && (groups[first].phase == BeforeSync || earlier)
	}
	return false
}

// brokenByDrift reports whether a health finding is about pods that were changed outside Git, or only guesses because pods come and go; or
// whether a server refuses a password that each render makes anew, and that a sync has replaced before.
func (r *run) brokenByDrift(f *Finding) bool {
	replaced := len(r.app.Status.History) > 1
	return GroupHealth.Has(f.Rule) && slices.ContainsFunc(r.findings, func(g Finding) bool {
		if !GroupDrift.Has(g.Rule) || g.Role != RoleCause {
			return false
		}
		if g.Regenerated && replaced && slices.ContainsFunc(f.Refused, func(s evidence.Ref) bool { return s == g.Resource || slices.Contains(g.Others, s) }) {
			return true
		}
		return (g.InPods || g.Rescales && f.Confidence == Possible) && (g.Resource == f.Resource || slices.Contains(g.Others, f.Resource))
	})
}

// explained reports whether f is a symptom of another finding.
func (r *run) explained(f Finding) bool {
	return slices.ContainsFunc(r.findings, func(g Finding) bool {
		if g.Unattended != "" {
			return g.explainsAge(&f)
		}
		return g.Rule != f.Rule && g.Role != RoleNote && explains(g.Rule, f.explainedBy)
	})
}

func roleRank(r Role) int { return slices.Index([]Role{RoleCause, RoleEffect, RoleNote}, r) }

// root is the first cause among ranked findings, nil when there is none.
func root(ranked []Finding) *Finding {
	if len(ranked) > 0 && ranked[0].Role == RoleCause {
		return &ranked[0]
	}
	return nil
}

// unclaimed are the statements about a failure that no rule recognised.
func (r *run) unclaimed() []Statement {
	claimed := map[int]bool{}
	for i := range r.findings {
		claimed[r.findings[i].statement] = true
		for _, n := range r.findings[i].alsoStatements {
			claimed[n] = true
		}
	}
	var out []Statement
	for _, s := range r.statements {
		if !claimed[s.number] {
			out = append(out, s)
		}
	}
	return out
}

// noMatch is the honest answer where no rule knows the text: the rawest text that decides, and where to look next.
func (r *run) noMatch() (Finding, bool) {
	op := r.app.Status.OperationState
	open := r.unclaimed()
	if root(r.findings) != nil || len(open) == 0 && !op.Failed() {
		return Finding{}, false
	}
	f := Finding{
		Rule: noRule, Role: RoleNote, Confidence: Possible,
		Title: "Failed, and no known cause matched",
		Why:   "This is all that Argo CD reports.",
		Sync:  Advice{SyncUnknown, "the cause is unknown"},
		Fix: []Fix{{
			Text:    "Check the full state of the application and its last operation",
			Command: Shell("argocd app get %s --show-operation", r.app.Argument()),
		}},
	}
	for _, s := range open {
		f.Evidence = append(f.Evidence, s.Quote())
		if f.Resource.IsZero() {
			f.Resource = s.Resource
		}
	}
	aboutPrivate(&f, open)
	if len(open) == 0 {
		f.Why = "Argo CD only reports that the operation failed; no resource has an error message."
		f.Evidence = append(f.Evidence, Quote{From: "operation", Text: op.Message})
	}
	return f, true
}
