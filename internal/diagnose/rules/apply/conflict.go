package apply

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/evidence/clean"
	"github.com/argo-why/argo-why/internal/text"
)

var Conflict = &diagnose.Rule{
	ID: "apply/conflict",
	Doc: diagnose.Doc{
		Title:    "Resource changed while being applied",
		What:     "Something else changed the resource between the moment Argo CD read it and the moment it applied it. This is a race, and the next sync usually succeeds. If it keeps happening, two controllers are fighting over the resource.",
		Decisive: "\"the object has been modified\".",
		Example:  "Operation cannot be fulfilled on horizontalpodautoscalers.autoscaling \"web\": the object has been modified; please apply your changes to the latest version and try again",
		Fix:      "Sync again. If it keeps happening, find out what else changes the resource.",
	},
	Sync:  diagnose.Advice{Verdict: diagnose.SyncSafe, Why: "it was a race, and a new sync reads the latest version first"},
	Needs: statement.RefusalNeeds,
	Check: refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		ref := statement.Subject(s)
		gone := vanished(&s.Failure, ref)
		if !gone && !s.Failure.Has("object has been modified", "apply your changes to the latest version", "uid in precondition", "precondition failed", "resourceversion conflict", "too many conflicts", "the resourceversion") {
			return diagnose.Finding{}, false
		}
		f := diagnose.Finding{
			Resource: ref, Confidence: diagnose.Certain,
			Title: sentence(statement.Name(s), "changed while being applied"),
			Why:   "Something else changed it at the same time, so the API server refused the outdated version that Argo CD sent.",
			Fix: []diagnose.Fix{
				advice.Sync(in, "Sync again"),
				{Text: "If it keeps happening, check that Git has no metadata.resourceVersion or uid for it, and what else changes it", Command: showManagers(ref, s.Failure.Text)},
			},
		}
		op := in.App().CurrentOperation()
		if m := outdated.FindStringSubmatch(s.Failure.Text); m != nil && ref.Name == "" && m[1] == "applications.argoproj.io" && m[2] == in.App().Metadata.Name {
			f.Resource = evidence.Ref{Group: "argoproj.io", Kind: "Application", Namespace: in.App().Metadata.Namespace, Name: m[2]}
			f.Title = "The Application itself changed during the sync"
			f.Why = "Something else changed the Application at the same time as Argo CD, so the API server refused the outdated version."
			f.Fix[1] = diagnose.Fix{Text: "If it keeps happening, find what else changes it, such as a script or a second controller", Command: diagnose.Shell("kubectl -n %s get applications.argoproj.io %s --show-managed-fields -o yaml", cmp.Or(in.App().Metadata.Namespace, advice.ArgoNamespace(in)), m[2])}
			return f, true
		}
		switch field := serverField(in, ref); {
		case field != "":
			f.Title = of(statement.Name(s), "Git has metadata."+field)
			f.Why = "The API server sets this field. The value in Git is out of date, so it refuses the manifest each time."
			f.Sync = advice.Pointless("the API server will refuse the outdated metadata in Git again")
			f.Fix = advice.Steps("Remove metadata.resourceVersion, uid, creationTimestamp and generation, and status, from the manifest in Git, then push")
		case gone:
			f.Title = sentence(statement.Name(s), "was deleted while being applied")
			f.Why = "Argo CD was about to change it when something else deleted it."
			f.Sync = diagnose.Advice{Verdict: diagnose.SyncSafe, Why: "it creates the resource again"}
			f.Fix[1] = diagnose.Fix{Text: "If it keeps happening, find out what deletes it", Command: diagnose.Shell("kubectl %sget events --field-selector involvedObject.name=%s", advice.InNamespace(ref), cmp.Or(ref.Name, "NAME"))}
		case op.Failed() && op.RetryCount > 0:
			f.Why += fmt.Sprintf(" %s failed as well, so it may not be a race.", text.UpperFirst(text.Count(int(op.RetryCount), "retry", "retries")))
			f.Sync = diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "the retries failed as well"}
			f.Fix[0], f.Fix[1] = f.Fix[1], f.Fix[0]
			f.Fix[0].Text = "Check that Git has no metadata.resourceVersion or uid for it, and what else changes it"
		}
		return f, true
	}),
}

// outdated is what the API server refused to overwrite.
var outdated = pattern.MustCompile(`cannot be fulfilled on ([\w.-]+) "([^"]+)"`)

// showManagers is the command that shows who writes an object: the resource, or else what the message names, whose namespace is not known.
func showManagers(ref evidence.Ref, said string) string {
	if ref.Name != "" {
		return diagnose.Shell("kubectl %sget %s --show-managed-fields -o yaml", advice.InNamespace(ref), ref.Resource())
	}
	if m := outdated.FindStringSubmatch(said); m != nil {
		return diagnose.Shell("kubectl get %s -A --field-selector metadata.name=%s --show-managed-fields -o yaml", m[1], m[2])
	}
	return ""
}

// vanished reports whether the resource that was to be changed was not there any longer.
func vanished(f *message.Failure, ref evidence.Ref) bool {
	m := absent.FindStringSubmatch(f.Cause)
	return m != nil && ref.Name != "" && m[2] == ref.Name && strings.EqualFold(strings.TrimSuffix(m[1], "s"), ref.Kind) && !f.Has("prune")
}

// serverField is a field in Git that only the API server sets, where the manifest is known; empty without one.
func serverField(in *diagnose.In, ref evidence.Ref) string {
	managed, _ := diagnose.Peek(in, evidence.FactManaged)
	for _, d := range managed {
		if !d.Ref().Same(ref) {
			continue
		}
		target := clean.State(d.TargetState)
		for _, field := range []string{"resourceVersion", "uid"} {
			if target.At("metadata", field) != nil {
				return field
			}
		}
	}
	return ""
}
