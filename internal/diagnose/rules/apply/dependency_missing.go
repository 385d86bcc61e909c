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
)

var DependencyMissing = &diagnose.Rule{
	ID: "apply/dependency-missing",
	Doc: diagnose.Doc{
		Title:    "Referenced resource is missing",
		What:     "The resource cannot be applied because it references another one that does not exist: a Secret, a ServiceAccount, a class. Often both are in the same sync wave, and the order within a wave is not guaranteed.",
		Decisive: "\"… \"name\" not found\" about a different resource than the one being applied.",
		Example:  "pods \"seed\" is forbidden: error looking up service account shop/seeder: serviceaccount \"seeder\" not found",
		Fix:      "Create the missing resource, or move it to an earlier sync wave.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/sync-waves/"},
	},
	Sync:  advice.Pointless("the referenced resource has to exist first"),
	Needs: statement.RefusalNeeds,
	Check: refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		m := absent.FindStringSubmatch(f.Cause)
		if c := noClass.FindStringSubmatch(f.Cause); c != nil {
			m = c
		}
		if m == nil || s.Derived() || s.Refusal && f.Code != "" { // what a pod lacks is reported by the hook and health rules
			return diagnose.Finding{}, false
		}
		if strings.Contains(m[1], "appproject") || vanished(f, statement.Subject(s)) {
			return diagnose.Finding{}, false
		}
		missing := evidence.Ref{Kind: cmp.Or(kinds[strings.ToLower(m[1])], m[1]), Name: m[2]}
		where := evidence.Ref{Namespace: statement.Namespace(in, s)}
		if statement.ClusterScoped(missing.Kind) {
			where.Namespace = ""
		}
		check := diagnose.Fix{Text: "Check whether it exists now, or under another name", Command: diagnose.Shell("kubectl %sget %s", advice.InNamespace(where), strings.ToLower(m[1]))}
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      of(statement.Name(s), fmt.Sprintf("%s is missing", missing)),
		}
		if other := statement.OwnElsewhere(in, m[1], where.Namespace, m[2]); other != nil && !statement.ClusterScoped(missing.Kind) {
			why, fix := statement.InWrongNamespace(other, where.Namespace)
			fix.Text = fmt.Sprintf("In Git, give %s namespace %s as well; if both namespaces need it, add a second one", other.Ref(), where.Namespace)
			out.Why, out.Fix = why, []diagnose.Fix{fix, check}
			return out, true
		}
		res := statement.OwnIn(in, m[1], where.Namespace, m[2])
		if res == nil {
			if step, ok := statement.Misnamed(in, &out, evidence.Ref{Kind: missing.Kind, Namespace: where.Namespace, Name: missing.Name}, statement.Name(s)); ok {
				out.Fix = []diagnose.Fix{step, check}
				return out, true
			}
			out.Why = fmt.Sprintf("%s is not part of this application.", missing)
			out.Fix = []diagnose.Fix{{Text: fmt.Sprintf("Create %s, or correct its name in Git", missing)}, check}
			return out, true
		}
		if res.Status == "Synced" {
			out.Sync = diagnose.Advice{Verdict: diagnose.SyncSafe, Why: "the missing resource exists now"}
		}
		out.Why = "Both belong to this application, and the order within a sync wave is not guaranteed."
		wave := int64(0)
		if needy := in.Resource(s.Resource); needy != nil {
			wave = needy.SyncWave
		}
		switch {
		case s.Result != nil && s.Result.HookType == "PreSync" && !res.Hook:
			out.Why = fmt.Sprintf("Both belong to this application, but %s is a PreSync hook, and these run before all resources.", statement.Name(s))
			out.Fix = []diagnose.Fix{{Text: fmt.Sprintf("Make %s a Sync hook in a wave after that of %s, or make %s a PreSync hook of an earlier wave as well", statement.Name(s), missing, missing)}, check}
		case res.SyncWave < wave:
			out.Why = fmt.Sprintf("Both belong to this application, and %s is in an earlier wave (%d): it was deleted again, or not applied.", missing, res.SyncWave)
			out.Fix = []diagnose.Fix{check}
		default:
			out.Fix = []diagnose.Fix{{Text: fmt.Sprintf("Move %s to an earlier sync wave", missing), Patch: fmt.Sprintf("# on %s\n", res.Ref()) + waveAnnotation(wave-1)}, check}
		}
		return out, true
	}),
}

// kinds are the kinds that the API server writes in lower case.
var kinds = map[string]string{"serviceaccount": "ServiceAccount", "configmap": "ConfigMap", "secret": "Secret", "priorityclass": "PriorityClass", "ingressclass": "IngressClass", "runtimeclass": "RuntimeClass", "storageclass": "StorageClass", "persistentvolumeclaim": "PersistentVolumeClaim", "service": "Service", "role": "Role", "clusterrole": "ClusterRole"}

// noClass is how an admission plugin reports a missing class: "no PriorityClass with name high was found".
var noClass = pattern.MustCompile(`no ([A-Z][A-Za-z]+) with name "?([^ "]+)"? was found`)

var absent = pattern.MustCompile(`(?i)([a-z][a-z0-9.]*?)s?(?:\.[a-z0-9.\-]+)? "([^"]+)" not found`)
