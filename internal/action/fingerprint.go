package action

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/evidence"
)

// facts are what a person agrees to. Options are no part of them, nor words, nor how long ago something was.
type facts struct {
	Kind Kind
	App  App
	// UID tells an application from a later one of the same name.
	UID string
	// Project decides who may act on the application; To is its destination.
	Project   string
	To        evidence.Destination
	Operation operationFacts
	// Job is that of DeleteHookJob.
	Job *Job

	// Of Sync. The sources have values of their own, so that the same commit can render to something else; Whole has what is not read of them.
	Revision string
	Sources  []evidence.ApplicationSource
	Whole    evidence.Digest
	// Policy is one of the sync policy and of what is ignored: Argo CD takes of them what it has when the sync begins.
	Policy  evidence.Digest
	Verdict diagnose.SyncVerdict
	Window  string
	Changes []changeFacts
	Hooks   []Hook
	Ignored []string
	// Manifests are digests of what Git wants of the hooks.
	Manifests []string
	// Confirm is what the person says is true, and Cause what it is about.
	Confirm string
	Cause   causeFacts
	// Auto is what auto-sync does, "" while it is off; Retries how often Argo CD tries a sync again, below 0 without an end.
	Auto    string
	Retries int64
	// Secrets are the versions of the live ones: what is in them is not shown, so that nothing else tells of an edit.
	Secrets []string `json:",omitempty"`
}

// causeFacts tell a cause from another one.
type causeFacts struct {
	Rule     string
	Resource evidence.Ref
}

type operationFacts struct {
	StartedAt time.Time
	Phase     string
	Pending   bool
}

// changeFacts are what a sync with prune does to a resource, and out of what it follows.
type changeFacts struct {
	Ref            evidence.Ref
	Effect, Option string
	InSync         bool
	// UID is that of the live object, Target a digest of what Git wants, and Diff of how what is live differs from it.
	UID, Target, Diff string
}

// fingerprintOf is equal for situations in which the same would happen. It does not depend on the options of the
// request, so that one can be shown a plan and then tick them.
func fingerprintOf(req Request, s *Situation, all []difference) string {
	app := s.Application
	f := facts{Kind: req.Kind, App: req.App, UID: app.Metadata.UID, Project: app.ProjectName(), To: app.Spec.Destination, Operation: operationFacts{Pending: app.Operation != nil}}
	if op := app.Status.OperationState; op != nil {
		f.Operation.StartedAt, f.Operation.Phase = op.StartedAt.UTC(), op.Phase
	}
	if req.Kind == DeleteHookJob {
		f.Job = s.Job
	}
	if req.Kind == Sync {
		f.sync(req, s, all)
	}
	return digest(f)
}

func (f *facts) sync(req Request, s *Situation, all []difference) {
	app := s.Application
	f.Sources, f.Whole, f.Policy = app.Spec.Sources, app.Wanted, app.Policy
	if app.Spec.Source != nil {
		f.Sources = append(slices.Clone(f.Sources), *app.Spec.Source)
	}
	f.Revision, f.Window = app.Status.Sync.At(), windowOf(s.Windows)
	f.Hooks, f.Manifests, f.Ignored = hooksOf(s.Manifests), hookDigests(s.Manifests), ignoredDifferences(s)
	if s.Report != nil {
		f.Verdict = s.Report.Sync.Verdict
	}
	// Where nothing is to be confirmed another cause is no news: what it means for a sync is the verdict.
	if a, _ := offer(s.Report, req); a != nil && a.Once != "" {
		f.Confirm = a.Once
		if root := s.Report.Root(); root != nil {
			f.Cause = causeFacts{root.Rule, root.Resource}
		}
	}
	if app.AutoSync() {
		f.Auto = "on" + autoSync(app)
	}
	if policy := app.Spec.SyncPolicy; policy != nil && policy.Retry != nil {
		f.Retries = policy.Retry.Limit
	}
	for _, d := range all {
		f.Changes = append(f.Changes, d.facts())
	}
	f.Secrets = secretVersions(s.Managed)
}

func secretVersions(managed []evidence.ResourceDiff) []string {
	var out []string
	for _, m := range managed {
		if ref := m.Ref(); ref.Kind == "Secret" && ref.Group == "" {
			if version := decoded(m.LiveState).Text("metadata", "resourceVersion"); version != "" {
				out = append(out, ref.String()+" "+version)
			}
		}
	}
	slices.Sort(out)
	return out
}

// hookDigests are what the hooks do, in no order but their own.
func hookDigests(manifests []evidence.Object) []string {
	var out []string
	for _, o := range manifests {
		if hookOf(o) != "" {
			out = append(out, digest(o))
		}
	}
	slices.Sort(out)
	return out
}

func windowOf(w *evidence.SyncWindows) string {
	switch {
	case w == nil || w.CanSync == nil:
		return "unknown"
	case *w.CanSync:
		return "allows"
	}
	return "forbids"
}

func (d difference) facts() changeFacts {
	f := changeFacts{Ref: d.Ref, Effect: string(d.Effect), Option: d.Option, InSync: d.InSync}
	live := decoded(d.diff.LiveState)
	f.UID = live.Text("metadata", "uid")
	f.Target = digest(cmp.Or(d.diff.TargetState, "null"))
	if target := decoded(d.diff.TargetState); target != nil {
		f.Target = digest(target)
	}
	f.Diff = digest(d.diffFacts(live))
	return f
}

// diffFacts are the fields that differ, with both values. The rest of what is live is no part of the diff: its status, the
// counter of its versions and what its controllers write into it change all the time. Where no field is known to differ, or not all of them,
// all that people write counts.
func (d difference) diffFacts(live evidence.Object) any {
	if d.compared == nil || len(d.compared.Fields) == 0 || d.compared.Further > 0 {
		if normalized := decoded(d.diff.NormalizedLiveState); normalized != nil {
			live = normalized
		}
		if live == nil {
			return d.diff.LiveState
		}
		return written(live)
	}
	type field struct {
		Path              string
		Desired, Live     any
		InDesired, InLive bool
		// Original are the values with the secrets in them, which the others lack: a new password is a change.
		Original []any
	}
	var original []func(drift.Path) (any, bool)
	for _, o := range []evidence.Object{decoded(d.diff.TargetState), live, decoded(d.diff.PredictedLiveState), decoded(d.diff.NormalizedLiveState)} {
		original = append(original, drift.Lookups(o))
	}
	var out []field
	for _, f := range d.compared.Fields {
		values := make([]any, len(original))
		for i, lookup := range original {
			values[i], _ = lookup(f.Path)
		}
		out = append(out, field{f.Path.String(), f.Desired, f.Live, f.InDesired, f.InLive, values})
	}
	return out
}

// written is an object without its status and its metadata, except labels.
func written(o evidence.Object) evidence.Object {
	out := evidence.Object{}
	for key, value := range o {
		switch key {
		case "status":
		case "metadata":
			out["labels"] = o.At("metadata", "labels")
		default:
			out[key] = value
		}
	}
	return out
}

// decoded is an object, nil where there is none or it cannot be read.
func decoded(text evidence.State) evidence.Object {
	o, err := evidence.DecodeObject([]byte(text))
	if err != nil {
		return nil
	}
	return o
}

// digest is 128 bits in hex of the JSON form, in which the keys of maps are sorted.
func digest(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		// A time after the year 9999. Other facts must not look equal by it.
		text = fmt.Appendf(nil, "%+v", v)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}
