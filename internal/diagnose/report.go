package diagnose

import (
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
)

// Verdict is the state of the application in one word.
type Verdict string

// The verdicts.
const (
	VerdictFailing     Verdict = "failing"
	VerdictDegraded    Verdict = "degraded"
	VerdictDrifted     Verdict = "drifted"
	VerdictBlocked     Verdict = "blocked"
	VerdictProgressing Verdict = "progressing"
	VerdictHealthy     Verdict = "healthy"
	VerdictUnknown     Verdict = "unknown"
)

// Bad reports whether somebody should look: everything but healthy and progressing.
func (v Verdict) Bad() bool { return v != VerdictHealthy && v != VerdictProgressing }

// Report is the answer: what is wrong with one application, why, and what helps. Its JSON form is the contract of
// `argo-why why -o json`.
type Report struct {
	App      AppName `json:"app"`
	Verdict  Verdict `json:"verdict"`
	Headline string  `json:"headline"`
	Context  Context `json:"context"`
	// AsOf is the time of which the report is, where that is the newest date in a saved Application; zero where it is the time of the
	// diagnosis, or of a case file.
	AsOf time.Time `json:"asOf,omitzero"`
	// Progress is how far the operation is that runs, in a line that changes with its state only; where none runs and nothing is
	// known to be wrong, what the application waits for; else empty.
	Progress string    `json:"progress,omitempty"`
	Findings []Finding `json:"findings"`
	// Effects say what the failure did and did not do, a sentence each.
	Effects  []string   `json:"effects"`
	Sync     Sync       `json:"sync"`
	Actions  []Action   `json:"actions"`
	Examined []Examined `json:"examined"`
	// Unattended is until when a refresh or a sync that is requested now stays pending: see [Finding.Unattended]. Empty where it does not.
	Unattended string `json:"unattended,omitempty"`
	// Unread are the ids of rules that could not tell for lack of evidence. Empty when a cause was found without them.
	Unread []string `json:"unread,omitempty"`

	// Unchecked are resources of a healthy application of which Argo CD's word is all that is known, and says little.
	Unchecked []evidence.Ref `json:"unchecked,omitempty"`

	// Undiagnosed is why the application could not be diagnosed, in words about its size; empty where it could. Then nothing else is known.
	Undiagnosed string `json:"undiagnosed,omitempty"`

	// Mentions are the other applications that it names, which its reader may see. Another reader may not.
	Mentions []AppName `json:"mentions,omitempty"`

	// Well is how a healthy application came to be so; nil of any other. It is for what compares two reports.
	Well *Well `json:"-"`

	// state is what the headline says of the application where no finding says it, empty where one does.
	state string
}

// Context is the line under the headline: where, which revision, since when, which attempt.
type Context struct {
	Project     string               `json:"project,omitempty"`
	Destination evidence.Destination `json:"destination"`
	// Revision is what the failing operation tried, else what was compared last.
	Revision    string `json:"revision,omitempty"`
	SyncStatus  string `json:"syncStatus,omitempty"`
	Health      string `json:"health,omitempty"`
	Phase       string `json:"phase,omitempty"`
	InitiatedBy string `json:"initiatedBy,omitempty"`
	// Since is when the operation ended, or began if it still runs.
	Since time.Time `json:"since,omitzero"`
	// Ago is how long ago that was at the time of the diagnosis, in nanoseconds.
	Ago      time.Duration `json:"-"`
	Attempt  int64         `json:"attempt,omitempty"`
	Attempts int64         `json:"attempts,omitempty"`
	// CauseSince is when that began which the cause rests on, where Argo CD dates it apart from the operation: a condition, the health.
	CauseSince time.Time `json:"causeSince,omitzero"`
	// DryRun: the last operation is, or was, a dry run. One that is over says nothing about the application: then none of
	// the above is of it.
	DryRun bool `json:"dryRun,omitempty"`
	// HooksSkipped: the last operation ran no hooks, so that it says nothing about one that failed before.
	HooksSkipped bool `json:"hooksSkipped,omitempty"`
}

// OfProject is "project team-a"; empty for Argo CD's default one.
func (c *Context) OfProject() string {
	if c.Project == "" || c.Project == "default" {
		return ""
	}
	return "project " + evidence.Name(c.Project).String()
}

// Sync is the verdict on pressing Sync now, and what it would touch.
type Sync struct {
	Verdict SyncVerdict `json:"verdict"`
	Why     string      `json:"why"`
	Affects []string    `json:"affects"`
	// Newer is a commit in Git that has not been tried, where a sync of it helps if it contains the fix. Empty without one.
	Newer string `json:"newer,omitempty"`
}

// Root is the first cause, nil when there is none.
func (r *Report) Root() *Finding { return root(r.Findings) }

// report makes the report of what the rules found.
func (r *run) report() *Report {
	r.rank()
	if f, ok := r.noMatch(); ok {
		r.findings = append([]Finding{f}, r.findings...)
	}
	if f, ok := r.uncompared(); ok {
		r.findings = append([]Finding{f}, r.findings...)
	}
	r.attend()
	root := root(r.findings)
	rep := &Report{
		App:      AppName{Namespace: r.app.Metadata.Namespace, Name: r.app.Metadata.Name},
		Verdict:  r.verdict(root),
		Context:  r.context(root),
		Findings: r.complete(),
		Effects:  r.effects(root),
		Examined: r.examined(),
	}
	if by := r.unattended(); by != nil {
		rep.Unattended = by.Unattended
	}
	rep.Progress = r.underWay(root)
	if rep.Progress == "" && rep.Verdict == VerdictProgressing && len(rep.Findings) == 0 {
		rep.Progress = r.awaitedHealth()
	}
	rep.state = r.state(rep)
	rep.compose()
	rep.Sync = r.sync(root)
	rep.Actions = r.actions(rep)
	if root == nil {
		for _, rule := range r.unread {
			rep.Unread = append(rep.Unread, rule.ID)
		}
	}
	if rep.Verdict == VerdictHealthy {
		rep.Unchecked = r.unchecked
	}
	rep.Well = r.well(rep.Verdict)
	return rep
}

// complete gives every list a value, so that the JSON has [] and not null, and says of commands for another cluster than
// Argo CD's own where they belong.
func (r *run) complete() []Finding {
	name := remote(r.app.Spec.Destination)
	argo := Shell("kubectl -n %s ", r.app.ArgoNamespace())
	out := make([]Finding, 0, len(r.findings))
	for _, f := range r.guarded(r.findings) {
		f.Evidence = append([]Quote{}, f.Evidence...)
		f.Fix = append([]Fix{}, f.Fix...)
		for i := range f.Fix {
			f.Fix[i] = f.Fix[i].printed()
			command := f.Fix[i].Command
			if name == "" || !strings.HasPrefix(command, "kubectl ") {
				continue
			}
			switch {
			case f.ArgoCluster:
				f.Fix[i].Text += " (on Argo CD's own cluster)"
			case !(strings.HasPrefix(command, argo) && r.isForArgo(&f, command)) && !strings.Contains(command, " application "):
				f.Fix[i].Text += " (on cluster " + name + ")"
			}
		}
		f.Links = append([]string{}, f.Links...)
		out = append(out, f)
	}
	return out
}

// isForArgo reports whether a command in the namespace that Argo CD runs in is for its own pods and settings. A destination can have a
// namespace of that name as well: Argo CD deploys another Argo CD.
func (r *run) isForArgo(f *Finding, command string) bool {
	if f.Resource.Namespace != r.app.ArgoNamespace() {
		return true
	}
	for _, ref := range append([]evidence.Ref{f.Resource}, f.Others...) {
		if ref.Name != "" && strings.Contains(command, ref.Name) {
			return false
		}
	}
	return !GroupHealth.Has(f.Rule) || strings.Contains(command, " -l app.kubernetes.io/")
}

// remote names the destination if it is not the cluster that Argo CD runs in.
func remote(to evidence.Destination) string {
	if to.Name == "in-cluster" || to.Server == "https://kubernetes.default.svc" {
		return ""
	}
	return to.Cluster()
}

// verdict is the state in one word. It says healthy only where Argo CD itself says so and nothing contradicts.
func (r *run) verdict(root *Finding) Verdict {
	st := r.app.Status
	if root != nil {
		switch {
		case root.Kind == KindForbidden, root.Kind == KindSyncForbidden:
			return VerdictBlocked
		case root.Kind == KindUnfinished:
			return VerdictProgressing
		case GroupDrift.Has(root.Rule):
			return VerdictDrifted
		case GroupHealth.Has(root.Rule):
			return VerdictDegraded
		}
		return VerdictFailing
	}
	switch {
	case len(r.unclaimed()) > 0, st.OperationState.Failed():
		return VerdictFailing
	case st.OperationState.Running(), r.app.Requested() != nil, r.leaving(), r.isUncompared():
		return VerdictProgressing
	case st.Health.Status == "Degraded":
		return VerdictDegraded
	case st.Sync.Status == "OutOfSync": // with health Missing, too: what is missing differs from Git
		return VerdictDrifted
	case st.Health.Status == "Missing":
		return VerdictDegraded
	case st.Health.Status == "Progressing", slices.ContainsFunc(r.findings, func(f Finding) bool { return f.Kind == KindUnfinished }):
		return VerdictProgressing
	case st.Sync.Status == "Synced" && (st.Health.Status == "Healthy" || st.Health.Status == "Suspended"):
		return VerdictHealthy
	}
	return VerdictUnknown
}

// leaving reports whether the application is being deleted.
func (r *run) leaving() bool { return !r.app.Metadata.DeletionTimestamp.IsZero() }

// state is what the headline says where no finding does.
func (r *run) state(rep *Report) string {
	if len(rep.Findings) > 0 && (rep.Findings[0].Role == RoleCause || rep.Verdict != VerdictHealthy) {
		return ""
	}
	st := r.app.Status
	switch rep.Verdict {
	case VerdictHealthy:
		if len(r.warnings) > 0 {
			return "Synced and healthy, with a warning"
		}
		return "Synced and healthy"
	case VerdictProgressing:
		switch {
		case r.leaving():
			return "Being deleted"
		case r.isNew():
			return "Just created, not compared by Argo CD yet"
		case r.app.Requested() != nil:
			return "Sync requested, not started yet"
		case r.app.Status.OperationState.DryRun():
			return "Dry run in progress"
		case r.isUncompared():
			return "Synced, not compared by Argo CD since"
		}
		return r.rollingOut(rep.subject())
	case VerdictDrifted:
		return r.differing()
	case VerdictDegraded:
		return st.Health.Status + ", cause not found in the evidence"
	case VerdictFailing, VerdictBlocked, VerdictUnknown:
	}
	return "State unknown, not enough evidence"
}

func (r *run) context(root *Finding) Context {
	st := r.app.Status
	c := Context{
		Project: r.app.Spec.Project, Destination: r.app.Spec.Destination, Revision: st.Sync.At(),
		SyncStatus: st.Sync.Status, Health: st.Health.Status, DryRun: r.tried != nil || st.OperationState.DryRun(),
		HooksSkipped: r.tried != nil || st.OperationState.SkipsHooks(),
		CauseSince:   r.causeSince(root),
	}
	op := st.OperationState
	if op == nil || op.Phase == evidence.OperationSucceeded {
		return c
	}
	c.Phase = op.Phase
	if rev := op.Revision(); rev != "" {
		c.Revision = rev
	}
	c.InitiatedBy = op.Operation.Starter()
	since := op.FinishedAt
	if since.IsZero() {
		since = op.StartedAt
	}
	c.Since = since.Time
	c.Ago = r.since(since)
	if limit := op.Operation.Retry.Limit; limit > 0 && op.RetryCount > 0 {
		// Argo CD counts retries: the first attempt is none.
		c.Attempt, c.Attempts = op.RetryCount+1, limit+1
	}
	return c
}
