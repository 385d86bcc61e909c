package outofsync

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
)

var ControllerOwned = &diagnose.Rule{
	ID:    "drift/controller-owned",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "A controller writes to the resource as well",
		What:     "A controller writes the field after Argo CD applied it: a CA bundle, the rules of an aggregated ClusterRole, a value that an operator chooses itself. Git sets something else, even if only an empty value, so every sync takes the field away from the controller, which writes it again.",
		Decisive: "managedFields show that another manager, which is not a tool that people use, wrote the live value.",
		Example:  "webhooks[name=x.example.com].clientConfig.caBundle: Cg== in Git, a string of 1,024 characters in the cluster, written by cainjector 2 h ago",
		Fix:      "Remove the field from Git, or ignore exactly that field together with RespectIgnoreDifferences=true.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/diffing/"},
	},
	Sync:       overwrites("it takes the field away from the controller that sets it"),
	Recognises: explains{{byField, isSetByServer}, {byController, writtenByController}},
	Check: reportingEach(writerOrRewriter, func(g *explained) diagnose.Finding {
		r, field := g.firstField()
		if o, rewrites := rewriter(r, &field); rewrites && writer(r, &field) == "" {
			return g.rewritten(o)
		}
		o, stated := foreignWriter(&field)
		manager := managerText(o)
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(stated),
			Title:      fmt.Sprintf("%s: %s %s %s", g.subject(), manager, g.howWritten(), g.fieldsLabel()),
			Why:        fmt.Sprintf("%s. %s.", g.valuesClause(), lastWritten(g.in, o)),
			Sync:       overwrites(fmt.Sprintf("%s, and %s may set %s again", g.resets(), manager, them(g.countFields()))),
			Fix:        g.either(g.remove(o), g.ignore(true)),
		}
		live := verb(g.countFields(), "Set the live value", "Set the live values")
		switch {
		case g.isCertificate():
			f.Fix = []diagnose.Fix{g.ignore(true)} // what is renewed does not belong in Git
			if g.setInGit() {
				f.Fix = g.either(g.remove(o), g.ignore(true))
			}
		case g.isMomentary():
			f.Fix = []diagnose.Fix{g.ignore(true)}
		case !g.setInGit() && (g.isInjected() || g.emptyInGit() != ""):
			f.Fix = []diagnose.Fix{g.ignore(true)} // its controller has another value tomorrow
			if empty := g.emptyInGit(); empty != "" {
				f.Fix = g.either(diagnose.Fix{Text: fmt.Sprintf("Remove the empty %s from %s, and leave it to %s", empty, g.manifest(), manager)}, g.ignore(true))
			}
		case !g.setInGit():
			f.Fix = []diagnose.Fix{g.ignore(true), or(g.commit(live))}
		case manager == "kustomize-controller" || manager == "helm-controller":
			f.Fix = []diagnose.Fix{{Text: fmt.Sprintf("Flux (%s) deploys %s as well: remove it from one of the two", manager, subjectText(g.resources))}}
		case isReplicas(&field) && g.countFields() == len(g.resources):
			f.Fix = []diagnose.Fix{g.ignore(true), {Text: fmt.Sprintf("Then remove %s from %s. In the reverse order, the next sync may reset it to its default", field.Path, g.manifest())}}
		case g.setsRequired():
			f.Fix = g.either(g.commit(live), g.ignore(true))
		}
		if manager == admissionsEnforcer {
			f.Fix = append(f.Fix, diagnose.Fix{
				Text:  fmt.Sprintf("Or have AKS leave the webhooks alone, which then apply to its system namespaces as well: label %s", g.manifest()),
				Patch: "metadata:\n  labels:\n    admissions.enforcer/disabled: \"true\"\n",
			})
		}
		if field.Kept && !field.InDesired {
			f.Confidence = diagnose.Likely
			f.Why += " Argo CD predicts that a sync leaves it, so the application may be out of sync for another reason as well."
			f.Sync = overwrites(fmt.Sprintf("it may remove %s, which %s set", g.fieldsLabel(), manager))
		}
		if !stated {
			f.Title = fmt.Sprintf("%s: Kubernetes sets %s itself", g.subject(), g.fieldsLabel())
			f.Why = g.valuesClause() + ". Kubernetes assigns this value, and a sync cannot change it."
			f.Sync = advice.Pointless("Kubernetes keeps the value that it assigned")
		}
		switch {
		case field.Path.Under("status") && !stated:
			f.Title = fmt.Sprintf("%s: status is in Git, but only a controller sets it", g.subject())
			f.Why = g.valuesClause() + ". A status describes what runs. An apply does not write it, so the two never match."
			f.Sync = advice.Pointless("an apply does not write a status")
			f.Fix = []diagnose.Fix{
				{Text: "Remove status from " + g.manifest()},
				advice.Config("resource.compareoptions").Set(g.in, "Or ignore the status of all resources, the default since Argo CD 3.0:", "ignoreResourceStatusField: all\n"),
			}
		case isServerMetadata(&field):
			f.Title = fmt.Sprintf("%s: only the API server may set %s", g.subject(), g.fieldsLabel())
			f.Why = g.valuesClause() + ". A manifest that is exported from a cluster contains it; it does not belong in Git."
			f.Sync = advice.Pointless("the API server will set its own value again")
			f.Fix = []diagnose.Fix{{Text: fmt.Sprintf("Remove %s from %s", g.paths(), g.manifest())}}
			if field.Path.Last() == "resourceVersion" {
				f.Why += " With an old resourceVersion an apply is refused as a conflict."
				f.Sync = advice.Pointless("the API server refuses an old resourceVersion")
			}
		case isAggregated(g.resources[0], &field):
			f.Why += " The role is aggregated: Kubernetes fills its rules from other roles, whatever Git sets."
			f.Fix = append(f.Fix, advice.Config("resource.compareoptions").Set(g.in, "Or ignore the rules of all aggregated roles:", "ignoreAggregatedRoles: true\n"))
		}
		return f
	}),
}

// admissionsEnforcer is the part of AKS that keeps webhooks out of its system namespaces.
const admissionsEnforcer = "admissionsenforcer"

// isMomentary reports whether the values are those of a moment, or were added beside what Git has: how a rollout shares the traffic, a
// hash that restarts pods, a generated Secret. Writing them into Git would freeze them.
func (g *explained) isMomentary() bool {
	return !slices.ContainsFunc(g.resources, func(r *resource) bool {
		return slices.ContainsFunc(g.fieldsOf(r), func(f drift.Field) bool {
			return f.Path.Last() != "weight" && (f.InDesired || !isAddition(&f))
		})
	})
}

// injects are parts of the labels and annotations that ask a controller to put its own data into an object.
var injects = []string{"inject-trusted-cabundle", "inject-cabundle", "inject-ca-from", "serving-cert", "reflector", "replicat"}

// isInjected reports whether the values are what a controller hands out and renews: certificates, tokens, what an object asks for with a
// label. Pinned in Git, they would go stale.
func (g *explained) isInjected() bool {
	for _, r := range g.resources {
		for _, where := range []string{"labels", "annotations"} {
			marks, _ := r.Live.At("metadata", where).(map[string]any)
			for name := range marks {
				if slices.ContainsFunc(injects, func(part string) bool { return strings.Contains(name, part) }) {
					return true
				}
			}
		}
		for _, f := range g.fieldsOf(r) {
			if f.IsIssued() || f.Path.IsGenerated() {
				return true
			}
		}
	}
	return false
}

// emptyInGit is the path of an empty value in Git that holds the first field: what keeps Argo CD comparing it. Empty where there is none.
func (g *explained) emptyInGit() string {
	r, field := g.firstField()
	for i := 1; i < len(field.Path); i++ {
		if v, there := drift.Lookup(r.Target, field.Path[:i]); there && v != nil && drift.Empty(v) {
			return field.Path[:i].String()
		}
	}
	return ""
}

// isCertificate reports whether the fields are the certificates that clients of a webhook or an API trust.
func (g *explained) isCertificate() bool {
	return !slices.ContainsFunc(g.resources, func(r *resource) bool {
		return slices.ContainsFunc(g.fieldsOf(r), func(f drift.Field) bool { return f.Path.Last() != "caBundle" })
	})
}

// remove is the step that leaves the fields to whoever writes them: o, or Kubernetes where that is nobody.
func (g *explained) remove(o drift.Owner) diagnose.Fix {
	r, field := g.firstField()
	step := "If Git does not need its own value, remove %s from %s"
	if isAggregated(r, &field) || o.Manager == "" && field.InDesired && drift.Empty(field.Desired) {
		step = "Remove %s from %s"
	}
	return diagnose.Fix{Text: fmt.Sprintf(step, g.paths(), g.manifest())}
}

// setInGit reports whether Git sets any of the fields. It does not where a list is replaced as a whole.
func (g *explained) setInGit() bool {
	return slices.ContainsFunc(g.resources, func(r *resource) bool {
		return slices.ContainsFunc(g.fieldsOf(r), func(f drift.Field) bool { return f.InDesired })
	})
}

// required are fields that no manifest may leave out where its kind has them, requiredIn those of some kinds; not all of them, but the
// ones that a controller writes to.
var (
	required   = []string{"image", "name", "port", "host", "weight", "version", "template", "selector", "storage"}
	requiredIn = map[string][]string{
		"MutatingWebhookConfiguration":   {"resources", "operations", "apiGroups", "apiVersions", "clientConfig", "sideEffects", "admissionReviewVersions"},
		"ValidatingWebhookConfiguration": {"resources", "operations", "apiGroups", "apiVersions", "clientConfig", "sideEffects", "admissionReviewVersions"},
		"CustomResourceDefinition":       {"group", "names", "kind", "plural", "scope", "versions", "served", "storage", "schema"},
		"APIService":                     {"groupPriorityMinimum", "versionPriority", "group"},
		"HorizontalPodAutoscaler":        {"maxReplicas", "scaleTargetRef"},
		"Role":                           {"verbs", "resources", "apiGroups"},
		"ClusterRole":                    {"verbs"},
		"RoleBinding":                    {"roleRef", "kind", "apiGroup"},
		"ClusterRoleBinding":             {"roleRef", "kind", "apiGroup"},
		"CronJob":                        {"schedule", "jobTemplate"},
		"PriorityClass":                  {"value"},
		"StorageClass":                   {"provisioner"},
		"PersistentVolumeClaim":          {"accessModes", "resources", "requests"},
		"PersistentVolume":               {"accessModes", "capacity"},
		"Ingress":                        {"backend", "service", "pathType", "paths", "number"},
		"Service":                        {"ports"},
		"ValidatingAdmissionPolicy":      {"expression", "resources", "operations", "apiGroups", "apiVersions"},
		"FlowSchema":                     {"priorityLevelConfiguration"},
		"PriorityLevelConfiguration":     {"type"},
		"VolumeSnapshot":                 {"source"},
		"VolumeSnapshotClass":            {"driver", "deletionPolicy"},
	}
)

// setsRequired reports whether a manifest without one of the fields is invalid.
func (g *explained) setsRequired() bool {
	return slices.ContainsFunc(g.resources, func(r *resource) bool {
		return slices.ContainsFunc(g.fieldsOf(r), func(f drift.Field) bool {
			return slices.Contains(required, f.Path.Last()) || slices.Contains(requiredIn[r.Ref.Kind], f.Path.Last())
		})
	})
}

// howWritten is what was done to all fields.
func (g *explained) howWritten() string {
	_, first := g.firstField()
	for _, r := range g.resources {
		for _, f := range g.fieldsOf(r) {
			if howWritten(f) != howWritten(first) {
				return "changed"
			}
		}
	}
	return howWritten(first)
}

// howWritten is what a controller did to a field, as Git sees it.
func howWritten(f drift.Field) string {
	switch {
	case !f.InLive:
		return "removed"
	case !f.InDesired:
		return "added"
	}
	return "changed"
}

// writtenByController: another manager wrote it, or it is one of the fields that Kubernetes assigns and nobody else can.
func writtenByController(_ *diagnose.In, _ *picture, r *resource, f *drift.Field) bool {
	if _, ok := foreignWriter(f); ok {
		return true
	}
	_, rewritten := rewriter(r, f)
	return rewritten || f.InLive && isAssigned(r, f)
}

// writerOrRewriter tells those apart who write a field, and those who leave it out.
func writerOrRewriter(r *resource, f *drift.Field) string {
	if name := writer(r, f); name != "" {
		return name
	}
	o, ok := rewriter(r, f)
	if !ok {
		return ""
	}
	return "drops: " + o.Manager
}

// isSetByServer: the manifest in Git has what an apply cannot set, such as one that was exported from a cluster.
func isSetByServer(_ *diagnose.In, _ *picture, r *resource, f *drift.Field) bool {
	_, strange := foreignWriter(f)
	return !strange && (f.InDesired && isServerMetadata(f) || f.Path.Under("status"))
}

// isServerMetadata are the fields of metadata that only the API server sets.
func isServerMetadata(f *drift.Field) bool {
	if len(f.Path) < 2 || !f.Path.Under("metadata") {
		return false
	}
	switch f.Path[1].Field {
	case "resourceVersion", "uid", "generation", "selfLink", "creationTimestamp", "managedFields":
		return true
	}
	return false
}

// isAggregated: the rules of a ClusterRole that collects those of others.
func isAggregated(r *resource, f *drift.Field) bool {
	return r.Ref.Kind == "ClusterRole" && f.Path.Under("rules") && (r.Live.At("aggregationRule") != nil || r.Target.At("aggregationRule") != nil)
}

// isAssigned are fields that the API server or a controller chooses, whatever the manifest leaves out.
func isAssigned(r *resource, f *drift.Field) bool {
	switch path := f.Path.String; r.Ref.Kind {
	case "Service":
		return strings.HasPrefix(path(), "spec.clusterIP") || f.Path.Last() == "nodePort" || path() == "spec.healthCheckNodePort" || path() == "spec.loadBalancerIP"
	case "PersistentVolumeClaim":
		return path() == "spec.volumeName" || strings.HasPrefix(path(), "spec.dataSource")
	case "ServiceAccount":
		return strings.HasPrefix(path(), "secrets") || strings.HasPrefix(path(), "imagePullSecrets")
	case "Job":
		return strings.Contains(path(), "controller-uid") || strings.Contains(path(), "job-name")
	case "ClusterRole":
		return isAggregated(r, f)
	}
	return f.Path.Under("status")
}
