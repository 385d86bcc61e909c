package apply

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/evidence"
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
		fields := immutableFields(in, ref, &s.Failure)
		if len(fields) == 0 {
			return someField(in, ref, s), true
		}
		return fixedFields(in, ref, s, fields), true
	}),
}

// fixedFields is the finding about fields that are known.
func fixedFields(in *diagnose.In, ref evidence.Ref, s *diagnose.Statement, fields []string) diagnose.Finding {
	all, is, this, it := list(fields), "is", "this field", "value in Git and push; this prints it"
	if len(fields) > 1 {
		is, this, it = "are", "these fields", "values in Git and push; this prints them"
	}
	f := diagnose.Finding{
		Resource: ref, Confidence: diagnose.Certain,
		Title: of(statement.Name(s), all+" "+is+" immutable"),
		Why:   fmt.Sprintf("Git and the live %s differ in %s, and %s %s to change after creation.", cmp.Or(ref.Kind, "resource"), all, whoFixes(ref), this),
		Fix: []diagnose.Fix{
			{Text: "Restore the live " + it, Command: diagnose.Shell("kubectl %sget %s -o jsonpath=%s", advice.InNamespace(ref), ref.Resource(), jsonPath(fields))},
			deletion(ref, fields),
		},
	}
	if len(fields) == 1 && ref.Kind != "" && !in.Fits(of(ref.Kind, all+" is immutable")) {
		f.Short = of(ref.Kind, wrongField{path: fields[0]}.last()+" is immutable")
	}
	if reason := ownReason(&s.Failure); reason != "" && !statement.BuiltIn(ref.Group) {
		f.Says = diagnose.Said{Who: "The CRD says", Text: reason}
	}
	adaptToKind(&f, ref, fields, &s.Failure)
	keepUnset(in, &f, &s.Failure)
	return f
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
	if statement.BuiltIn(ref.Group) {
		return "Kubernetes does not allow"
	}
	return "the CRD does not allow"
}

// someField is the finding where the API server says only what may change.
func someField(in *diagnose.In, ref evidence.Ref, s *diagnose.Statement) diagnose.Finding {
	f := diagnose.Finding{
		Resource: ref, Confidence: diagnose.Certain,
		Title: of(statement.Name(s), "Git changes an immutable field"),
		Why:   "Kubernetes lets only some fields of this kind change after creation.",
		Says:  statement.Says(s),
		Fix: []diagnose.Fix{
			{Text: "Find the field that Git changes, restore its live value in Git and push; this shows what differs", Command: diagnose.Shell("argocd app diff %s --exit-code=false", advice.AppName(in))},
			deletion(ref, nil),
		},
	}
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
func immutableFields(in *diagnose.In, ref evidence.Ref, f *message.Failure) []string {
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
	if ref.Kind == "StatefulSet" {
		for _, field := range changedInSpec(in, ref) {
			if !slices.Contains(changeable, field) {
				add("spec." + field)
			}
		}
	}
	return out
}

// changeable are the fields of a StatefulSet's spec that may change.
var changeable = []string{"replicas", "ordinals", "template", "updateStrategy", "revisionHistoryLimit", "persistentVolumeClaimRetentionPolicy", "minReadySeconds"}

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
