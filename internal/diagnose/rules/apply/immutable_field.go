package apply

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var ImmutableField = &diagnose.Rule{
	ID: "apply/immutable-field",
	Doc: diagnose.Doc{
		Title:    "Change to an immutable field",
		What:     "Git changes a field that Kubernetes does not allow to change after creation: a selector, a Job's template, a StatefulSet's volume claims, a Service's clusterIP, a roleRef, a StorageClass's provisioner; or it makes a volume smaller. Every sync fails in the same way.",
		Decisive: "\"field is immutable\", \"updates to … are forbidden\", \"cannot change roleRef\".",
		Example:  "Deployment.apps \"web\" is invalid: spec.selector: Invalid value: …: field is immutable",
		Fix:      "Restore the live value in Git; or delete the resource and sync, if you can accept what is lost with it.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#replace-resource-instead-of-applying-changes"},
	},
	Sync:  advice.Pointless("the API server will refuse the change again unless the resource is deleted first"),
	Needs: append([]evidence.Kind{evidence.KindManaged}, statement.RefusalNeeds...),
	Check: refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		if s.Hook() {
			return diagnose.Finding{}, false
		}
		ref := statement.Subject(s)
		if f, ok := volumeSize(ref, s); ok {
			return f, true
		}
		switch {
		case !statement.Immutable(&s.Failure):
			return diagnose.Finding{}, false
		case s.Failure.Mentions("immutable is set", "`immutable` is set"):
			return immutableObjectFinding(ref, s), true
		}
		group := sameCause(in, ref)
		if len(group[0].fields) == 0 {
			return someField(in, ref, s, group), true
		}
		return fixedFields(in, ref, s, group), true
	}),
}

// fixedFields is the finding about fields that are known. group are all resources that are refused for the same reason: each of them says
// the same, so that they become one finding, with what to do about all of them.
func fixedFields(in *diagnose.In, ref evidence.Ref, s *diagnose.Statement, group []fixed) diagnose.Finding {
	fields := group[0].fields
	all, is, this := list(fields), "is", "this field"
	if len(fields) > 1 {
		is, this = "are", "these fields"
	}
	f := diagnose.Finding{
		Resource: ref, Confidence: diagnose.Certain,
		Title: of(statement.Name(s), all+" "+is+" immutable"),
		Why:   fmt.Sprintf("Git and the live %s differ in %s, and %s %s to change after creation.", cmp.Or(kindOf(group), "resource"), all, whoFixes(ref), this),
	}
	if differs := whatDiffers(group); differs != "" {
		f.Why = fmt.Sprintf("%s. %s %s to change after creation.", differs, text.UpperFirst(whoFixes(ref)), this)
		if labels := selectorLabels(group[0].changes); len(labels) > 0 && !slices.ContainsFunc(labels, func(l string) bool { return !versioned(l) }) {
			f.Why += " The label contains the version, so every upgrade changes it."
		}
	}
	restored, known := restoreLabels(in, group[0])
	if !known {
		restored = restore(group)
	}
	f.Fix = append([]diagnose.Fix{restored}, deletions(group)...)
	sayPrice(in, group, &f)
	if len(fields) == 1 && ref.Kind != "" && !in.Fits(of(ref.Kind, all+" is immutable")) {
		f.Short = of(ref.Kind, wrongField{path: fields[0]}.last()+" is immutable")
	}
	if len(fields) > 1 && ref.Kind != "" && !in.Fits(of(ref.Kind, all+" are immutable")) {
		f.Short = of(ref.Kind, fmt.Sprintf("%s and %s are immutable", wrongField{path: fields[0]}.last(), text.More(len(fields)-1)))
	}
	if reason := ownReason(&s.Failure); reason != "" && !evidence.BuiltIn(ref.Group) {
		f.Says = diagnose.Said{Who: "The CRD says", Text: reason}
	}
	adaptToKind(&f, ref, fields, &s.Failure)
	keepUnset(in, &f, &s.Failure)
	return f
}

// kindOf is the kind of all resources; empty where they have several.
func kindOf(group []fixed) string {
	for _, x := range group {
		if x.ref.Kind != group[0].ref.Kind {
			return ""
		}
	}
	return group[0].ref.Kind
}

// restore is the step that restores the live values: the lines of the manifest where they are known, else a command that prints them.
func restore(group []fixed) diagnose.Fix {
	x, more := group[0], ""
	if n := len(group) - 1; n > 0 {
		more = fmt.Sprintf("; do the same for %s", text.Count(n, "more resource", "more resources"))
	}
	what := "value in Git and push"
	if len(x.fields) > 1 {
		what = "values in Git and push"
	}
	if lines := liveLines(x); lines != "" && x.ref.Kind != "Job" {
		if more != "" {
			what += ", here in " + x.ref.String()
		}
		return diagnose.Fix{Text: fmt.Sprintf("Restore the live %s%s", what, more), Patch: lines}
	}
	if unset := unsetLive(x.changes); unset != nil && x.ref.Kind != "Job" {
		return diagnose.Fix{Text: fmt.Sprintf("Remove %s in Git and push%s", list(unset), more)}
	}
	prints := "; this prints it"
	if len(x.fields) > 1 {
		prints = "; this prints them"
	}
	if more != "" {
		prints += " of " + x.ref.String()
	}
	return diagnose.Fix{Text: "Restore the live " + what + more + prints, Command: diagnose.Shell("kubectl %sget %s -o jsonpath=%s", advice.InNamespace(x.ref), x.ref.Resource(), jsonPath(x.fields))}
}

// liveLines are the lines of the manifest with the live values of all that differs; empty where they are not known, too long or secret.
func liveLines(x fixed) string {
	const screen = 800
	for _, c := range x.changes {
		if !c.InLive || shortValue(x.ref, c, c.Live) == "" {
			return ""
		}
	}
	if len(x.changes) == 0 {
		return ""
	}
	out, err := yaml.Marshal(drift.Fragment(x.changes, true))
	if err != nil || len(out) > screen {
		return ""
	}
	return string(out)
}

// unsetLive are the fields that only Git sets, if that is all that differs; nil elsewhere.
func unsetLive(changes []drift.Field) []string {
	var out []string
	for _, c := range changes {
		if c.InLive {
			return nil
		}
		out = append(out, c.Path.String())
	}
	return out
}

// ownReason is what a CRD says of its own about a change; empty where it only says that a field is immutable.
func ownReason(f *message.Failure) string {
	v, _ := f.Invalid()
	_, reason, _ := strings.Cut(v.Reason, `": `)
	switch strings.ToLower(strings.TrimRight(reason, ".")) {
	case "value is immutable", "field is immutable", "is immutable", "immutable":
		return ""
	}
	return reason
}

// whoFixes is what does not allow a field to change: of a custom resource it is its definition.
func whoFixes(ref evidence.Ref) string {
	if evidence.BuiltIn(ref.Group) {
		return "Kubernetes does not allow"
	}
	return "the CRD does not allow"
}

// someField is the finding where the API server says only what may change.
func someField(in *diagnose.In, ref evidence.Ref, s *diagnose.Statement, group []fixed) diagnose.Finding {
	f := diagnose.Finding{
		Resource: ref, Confidence: diagnose.Certain,
		Title: of(statement.Name(s), "Git changes an immutable field"),
		Why:   "Kubernetes lets only some fields of this kind change after creation.",
		Says:  statement.Says(s),
		Fix: []diagnose.Fix{
			{Text: "Find the field that Git changes, restore its live value in Git and push; this shows what differs", Command: diagnose.Shell("argocd app diff %s --exit-code=false", advice.AppName(in))},
		},
	}
	f.Fix = append(f.Fix, deletions(group)...)
	f.Says.Text = after(f.Says.Text, ": Forbidden: ")
	return f
}

// jsonPath prints fields, a line each. It leaves out indexes, which jsonpath writes differently.
func jsonPath(fields []string) string {
	var out []string
	for _, field := range fields {
		field, _, _ = strings.Cut(field, "[")
		if at := "{." + field + "}"; !slices.Contains(out, at) {
			out = append(out, at)
		}
	}
	return strings.Join(out, `{"\n"}`)
}

// immutableFields are the fields that Git changes and that are fixed: those that the API server names, else what Argo CD's comparison
// finds among those that may not change. Empty where neither says.
func immutableFields(ref evidence.Ref, differ []drift.Field, f *message.Failure) []string {
	var out []string
	add := func(field string) {
		if !slices.Contains(out, field) {
			out = append(out, field)
		}
	}
	for _, v := range f.InvalidFields() {
		if statement.ImmutableReason(v.Reason) && v.Field != "spec" && v.Field != "spec.persistentvolumesource" {
			add(v.Field)
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, c := range dumped(f.Text) {
		add("spec." + c.field)
	}
	if len(out) > 0 {
		return out
	}
	if ref.Kind == "StatefulSet" || ref.Kind == "PersistentVolumeClaim" {
		for _, c := range differ {
			if len(c.Path) > 1 && c.Path[0].Field == "spec" && !slices.Contains(changeable[ref.Kind], c.Path[1].Field) {
				add("spec." + c.Path[1].Field)
			}
		}
	}
	return out
}

// changeable are the fields of a spec that may change, of the kinds of which the API server names only those.
var changeable = map[string][]string{
	"StatefulSet":           {"replicas", "ordinals", "template", "updateStrategy", "revisionHistoryLimit", "persistentVolumeClaimRetentionPolicy", "minReadySeconds"},
	"PersistentVolumeClaim": {"resources", "volumeAttributesClassName"},
}

// immutableObjectFinding is the finding about a ConfigMap or Secret that is marked immutable.
func immutableObjectFinding(ref evidence.Ref, s *diagnose.Statement) diagnose.Finding {
	return diagnose.Finding{
		Resource: ref, Confidence: diagnose.Certain,
		Title: sentence(statement.Name(s), "is immutable, but Git changes it"),
		Why:   "The live object has immutable: true, so Kubernetes refuses any change to its data.",
		Fix: []diagnose.Fix{
			{Text: "Give it a new name in Git (as Kustomize's generators do), and update what references it"},
			{Text: "Or delete it and sync; if its content was generated in the cluster, save that first", Command: diagnose.Shell("kubectl %sdelete %s", advice.InNamespace(ref), ref.Resource())},
		},
	}
}
