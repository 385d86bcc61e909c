package apply

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var (
	storedVersion = pattern.MustCompile(`status\.storedVersions\[(\d+)\]: Invalid value: "([^"]+)": must appear in spec\.versions`)
	patchList     = pattern.MustCompile(`order in patch list:\s*\[(.*?)\]\s*doesn't match`)
	listName      = pattern.MustCompile(`name:(\S+?)[\s\]]`)
	converted     = pattern.MustCompile(`cannot convert (\w+) to (\w+)`)
)

// special are the refusals that have a remedy of their own.
var special = []func(*diagnose.In, evidence.Ref, *diagnose.Statement) (diagnose.Finding, bool){storedVersions, generatedName, notBase64, patchOrder, notConvertible, noResourceVersion, selectorMismatch, hostOfRoute, wrongInPatch, fieldOfLateCRD}

// storedVersions: Git removes a version of a CRD in which objects are still stored.
func storedVersions(_ *diagnose.In, ref evidence.Ref, s *diagnose.Statement) (diagnose.Finding, bool) {
	m := storedVersion.FindStringSubmatch(s.Failure.Text)
	if m == nil {
		return diagnose.Finding{}, false
	}
	return diagnose.Finding{
		Title: of(statement.Name(s), "objects are still stored as "+m[2]),
		Why:   fmt.Sprintf("Git removes version %s from the CRD, but status.storedVersions lists it: objects may still be stored in it.", m[2]),
		Sync:  advice.Pointless("the API server will refuse the CRD while it lists the version as stored"),
		Fix: []diagnose.Fix{
			{Text: fmt.Sprintf("Keep %s in spec.versions in Git, with storage: false next to the new version; push and sync", m[2])},
			{Text: "Rewrite all objects, so they are stored in the new version", Command: diagnose.Shell("kubectl get %s -A -o json | kubectl replace -f -", ref.Name)},
			{Text: fmt.Sprintf("Remove %s from the stored versions, then remove it from Git", m[2]), Command: diagnose.Shell(`kubectl patch customresourcedefinition %s --subresource=status --type=json -p %s`, ref.Name, fmt.Sprintf(`[{"op":"test","path":"/status/storedVersions/%s","value":%q},{"op":"remove","path":"/status/storedVersions/%s"}]`, m[1], m[2], m[1]))},
		},
	}, true
}

// generatedName: only what is created can have its name generated, and a sync applies.
func generatedName(_ *diagnose.In, _ evidence.Ref, s *diagnose.Statement) (diagnose.Finding, bool) {
	if !s.Failure.Has("cannot use generate name with apply") {
		return diagnose.Finding{}, false
	}
	return diagnose.Finding{
		Title: of(statement.Name(s), "generateName cannot be applied"),
		Why:   "Applying a resource needs a name. Only a hook is created each time it runs, so only a hook can have generateName.",
		Fix: []diagnose.Fix{
			{Text: "Give it a fixed metadata.name in Git, then push"},
			{Text: "Or make it a hook", Patch: "metadata:\n  annotations:\n    argocd.argoproj.io/hook: Sync\n"},
		},
	}, true
}

// notBase64: what is in data of a Secret is not encoded.
func notBase64(_ *diagnose.In, ref evidence.Ref, s *diagnose.Statement) (diagnose.Finding, bool) {
	if !s.Failure.Has("illegal base64") {
		return diagnose.Finding{}, false
	}
	f := diagnose.Finding{
		Title: of(statement.Name(s), "a value is not base64"),
		Why:   "Values in data have to be base64-encoded.",
		Fix:   advice.Steps("Encode the value with base64 in Git, then push"),
	}
	if ref.Kind == "Secret" {
		f.Fix[0].Text = "Encode the value with base64, or move it to stringData, in Git; then push"
	}
	return f, true
}

// patchOrder: a list has two entries with the same name, so no patch can be made of it.
func patchOrder(_ *diagnose.In, ref evidence.Ref, s *diagnose.Statement) (diagnose.Finding, bool) {
	if !s.Failure.Mentions("setelementorder") {
		return diagnose.Finding{}, false
	}
	f := diagnose.Finding{
		Confidence: diagnose.Likely,
		Title:      of(statement.Name(s), "a list has an entry twice"),
		Why:        "In Git or in the live object a list (usually env, ports or volumes) has two entries with the same name, so no patch can be made of it.",
		Fix: []diagnose.Fix{
			{Text: "Remove the duplicate in Git, then push"},
			{Text: "If only the live object has it, remove it there", Command: diagnose.Shell("kubectl %sedit %s", advice.InNamespace(ref), ref.Resource())},
		},
	}
	if m := patchList.FindStringSubmatch(s.Failure.Text); m != nil {
		seen := map[string]bool{}
		for _, n := range listName.FindAllStringSubmatch(m[1]+" ", -1) {
			if seen[n[1]] {
				f.Title = of(statement.Name(s), fmt.Sprintf("a list has %s twice", n[1]))
			}
			seen[n[1]] = true
		}
	}
	return f, true
}

// notConvertible: a value is a number or a boolean where the live object has a text, so no patch can be made.
func notConvertible(_ *diagnose.In, _ evidence.Ref, s *diagnose.Statement) (diagnose.Finding, bool) {
	m := converted.FindStringSubmatch(s.Failure.Text)
	if m == nil {
		return diagnose.Finding{}, false
	}
	kinds := map[string]string{"int64": "number", "float64": "number", "bool": "boolean"}
	is := cmp.Or(kinds[m[1]], m[1])
	f := diagnose.Finding{
		Title: of(statement.Name(s), fmt.Sprintf("a %s where a %s is expected", is, m[2])),
		Why:   "The text does not say where; usually it is a value of env, a label or an annotation.",
		Fix:   advice.Steps("Correct the type of this value in Git, then push"),
	}
	if m[2] == "string" {
		f.Fix[0].Text = quoteIt
	}
	return f, true
}

// noResourceVersion: what is replaced as a whole needs the version it replaces.
func noResourceVersion(_ *diagnose.In, _ evidence.Ref, s *diagnose.Statement) (diagnose.Finding, bool) {
	if !strings.Contains(s.Failure.Text, "metadata.resourceVersion: Invalid value") || !s.Failure.Has("must be specified for an update") {
		return diagnose.Finding{}, false
	}
	return diagnose.Finding{
		Title: of(statement.Name(s), "cannot be replaced without a resourceVersion"),
		Why:   "The sync replaces the whole object instead of patching it, usually because of Replace=true, and for that this kind needs metadata.resourceVersion, which does not belong in Git.",
		Fix:   advice.Steps("Remove Replace=true from the sync options of this resource (or use ServerSideApply=true instead) in Git, then push"),
	}, true
}

// selectorMismatch: the pods that a workload would create would not belong to it.
func selectorMismatch(_ *diagnose.In, ref evidence.Ref, s *diagnose.Statement) (diagnose.Finding, bool) {
	if !s.Failure.Mentions("`selector` does not match template `labels`") {
		return diagnose.Finding{}, false
	}
	return diagnose.Finding{
		Title: of(statement.Name(s), "its selector does not match its pods"),
		Why:   fmt.Sprintf("spec.template.metadata.labels has to contain every label of spec.selector.matchLabels. The selector of an existing %s cannot change.", ref.Kind),
		Fix:   advice.Steps("Set the labels of the selector in spec.template.metadata.labels in Git, then push"),
	}, true
}

// hostOfRoute: OpenShift lets only some accounts choose the host of a Route.
func hostOfRoute(_ *diagnose.In, ref evidence.Ref, s *diagnose.Statement) (diagnose.Finding, bool) {
	if !s.Failure.Has("do not have permission to set the host field", "do not have permission to update the host field") {
		return diagnose.Finding{}, false
	}
	return diagnose.Finding{
		Title: of(statement.Name(s), "Argo CD's account may not set spec.host"),
		Why:   "OpenShift requires the permission to create and update routes/custom-host for that.",
		Sync:  advice.Pointless("OpenShift will refuse the host until the account has the permission"),
		Fix: []diagnose.Fix{
			{Text: "Remove spec.host in Git, so OpenShift chooses one, then push"},
			{Text: "Or grant the permission to Argo CD's account (ACCOUNT is NAMESPACE:NAME of its service account)", Command: diagnose.Shell("kubectl %screate role routes-custom-host --verb=create,update --resource=routes.route.openshift.io/custom-host && kubectl %screate rolebinding routes-custom-host --role=routes-custom-host --serviceaccount=ACCOUNT", advice.InNamespace(ref), advice.InNamespace(ref))},
		},
	}, true
}

// wrongInPatch: a value has another type than its field, and the API server prints the whole patch instead of the field.
func wrongInPatch(in *diagnose.In, ref evidence.Ref, s *diagnose.Statement) (diagnose.Finding, bool) {
	m := unrecognized.FindStringSubmatch(s.Failure.Text)
	if m == nil {
		return diagnose.Finding{}, false
	}
	f := diagnose.Finding{
		Title: of(statement.Name(s), fmt.Sprintf("a value is not of type %s", m[1])),
		Why:   "The API server does not say which one.",
		Fix:   advice.Steps("Correct the type of this value in Git, then push"),
	}
	if m[1] == "string" {
		f.Why += " Usually it is a number or a boolean in env, a label or an annotation."
		f.Fix[0].Text = quoteIt
		if wrong := unquoted(in, ref); len(wrong) > 0 {
			f.Why = "The API server does not say which one. In Git, " + text.List(wrong, 3) + "."
		}
	}
	return f, true
}

// unrecognized: the type is the one of the field.
var unrecognized = pattern.MustCompile(`unrecognized type: (string|int32|int64|bool|float64|map|slice|struct)$`)

// fieldOfLateCRD: the application's own CRD adds the field, but Argo CD tries all of a sync before it applies any of it.
func fieldOfLateCRD(in *diagnose.In, ref evidence.Ref, s *diagnose.Statement) (diagnose.Finding, bool) {
	fields := wrongFields(&s.Failure)
	if s.Result == nil || s.Derived() || len(fields) == 0 || !fields[0].unknown {
		return diagnose.Finding{}, false
	}
	field := fields[0]
	crd, adds := statement.LateCRD(in, ref, field.last())
	if !adds {
		return diagnose.Finding{}, false
	}
	return diagnose.Finding{
		Title: of(statement.Name(s), "live CRD does not know "+field.last()+" yet"),
		Short: of(ref.Kind, "live CRD does not know a field yet"),
		Why:   fmt.Sprintf("Git sets %s. This application's own %s adds the field, but has not been applied: Argo CD first tries everything with the live CRD, and the sync ends there.", field.path, crd),
		Sync:  advice.Pointless("the same try fails again until the CRD is applied by itself"),
		Fix: []diagnose.Fix{
			advice.SyncOnly(in, crd, "Sync the CRD alone, which does not touch its objects"),
			advice.Sync(in, "Then sync the application"),
			{Text: "So that it does not happen with the next field, put the CRDs in an application of their own that is synced before this one"},
		},
		OutsideGit: true,
	}, true
}
