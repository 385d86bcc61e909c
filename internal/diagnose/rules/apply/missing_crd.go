package apply

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var MissingCRD = &diagnose.Rule{
	ID: "apply/missing-crd",
	Doc: diagnose.Doc{
		Title:    "Kind not served by the cluster",
		What:     "The application has a custom resource whose CustomResourceDefinition is not installed, or uses an API version that the cluster no longer serves. Argo CD validates everything before it applies anything, so nothing is applied.",
		Decisive: "\"no matches for kind\", \"could not find the requested resource\", \"Make sure the … CRD is installed\".",
		Example:  "The Kubernetes API could not find monitoring.coreos.com/ServiceMonitor for requested resource web/web. Make sure the \"ServiceMonitor\" CRD is installed on the destination cluster.",
		Fix:      "Install the CRD first, in another application or an earlier sync wave. If the same sync creates it, set SkipDryRunOnMissingResource=true on the custom resource.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#skip-dry-run-for-new-custom-resources-types"},
	},
	Sync:  advice.Pointless("the resource cannot be applied until the cluster serves its kind"),
	Needs: statement.RefusalNeeds,
	Check: refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !isUnknownKind(f) {
			return diagnose.Finding{}, false
		}
		k := unknownKindOf(s)
		out := diagnose.Finding{
			Confidence: diagnose.CertainIf(parseUnknownKind(f).kind != ""), // else it may be about something within the resource
			Title:      of(statement.Name(s), "the cluster does not serve this kind"),
			Why:        fmt.Sprintf("No CRD or built-in API provides %s.", k.with(in)),
		}
		if k.kind == "" {
			out.Why, out.Says = "Its CRD is missing, or has no such version.", statement.Says(s)
		}
		if s.Resource.IsZero() && k.kind != "" {
			out.Title = "The cluster does not serve " + advice.Dotted(k.kind, k.group)
			out.Why = "It has no CRD or built-in API for this kind."
		}
		check := diagnose.Fix{Text: "List the kinds and versions that the cluster serves", Command: apiResources(k.group)}
		if m := otherVersion.FindStringSubmatch(f.Text); m != nil {
			served := strings.TrimPrefix(m[2]+"/"+m[1], "/")
			if m[2] == k.group && m[3] == k.kind {
				out.Title = of(statement.Name(s), "the cluster does not serve this version")
				out.Why = fmt.Sprintf("It serves %s in %s, and the manifest has another version.", m[3], served)
				if k.version != "" {
					out.Why = fmt.Sprintf("It serves %s in %s, and the manifest has %s.", m[3], served, k.version)
				}
				out.Fix = []diagnose.Fix{{Text: newerVersion(in, served)}, check}
				return out, true
			}
			out.Why += fmt.Sprintf(" The %s that it serves, in %s, is another API.", m[3], served)
		}
		if r, ok := removalOf(in, s); ok {
			out.Title = removedTitle(s, r)
			removedAPIs(in, r, &out)
			return out, true
		}
		if requested.MatchString(f.Text) && s.Result != nil && !evidence.BuiltIn(k.group) {
			return knownBefore(in, s, k, check), true
		}
		if crd := statement.RefusedCRD(in, k.kind, k.group); !crd.IsZero() {
			out.Role = diagnose.RoleEffect
			out.Why += fmt.Sprintf(" This sync failed to apply %s.", crd)
			out.Fix = []diagnose.Fix{{Text: fmt.Sprintf("Fix what is wrong with %s first: the cluster serves this kind once that is applied", crd)}}
			return out, true
		}
		if crd := ownCRD(in, k.kind, k.group); crd != nil {
			after := afterWave(in, s, crd)
			out.Why += fmt.Sprintf(" This application contains %s, but it has not been applied yet.", crd.Ref())
			out.Fix = []diagnose.Fix{{Text: "Skip the dry run of this resource, so the CRD can be applied first", Patch: skipDryRun + after}, check}
			if pastDryRun(in) && after != "" {
				out.Why = fmt.Sprintf("No CRD or built-in API provides %s. This application contains %s, but this resource was applied before the cluster served its kind.", k.with(in), crd.Ref())
				out.Fix[0] = diagnose.Fix{Text: "Apply this resource after its CRD", Patch: "metadata:\n  annotations:\n" + after}
			}
			return out, true
		}
		out.Shared = "kind " + advice.Dotted(cmp.Or(k.kind, "the kind"), k.group) + advice.OnCluster(in)
		out.Fix = []diagnose.Fix{
			{Text: "Install " + k.provider() + ", in an application that is synced before this one"},
			{Text: "If the same sync installs the CRD, skip the dry run of the custom resource", Patch: skipDryRun},
			check,
		}
		if pastDryRun(in) {
			out.Fix[1] = diagnose.Fix{Text: "If the same sync makes something install the CRD, such as an operator, apply the custom resource after that", Patch: "metadata:\n  annotations:\n    argocd.argoproj.io/sync-wave: \"1\"   # after the wave of what installs the CRD\n"}
		}
		if k.version != "" { // "no matches" does not say whether there is another version
			out.Fix = append([]diagnose.Fix{{Text: "Check whether the cluster serves the kind in another version; if it does, set that as apiVersion in Git, then push", Command: check.Command}}, out.Fix[:2]...)
			out.Fix[1].Text = "If it does not serve it, i" + strings.TrimPrefix(out.Fix[1].Text, "I")
			return out, true
		}
		if chart := advice.Chart(in); chart != "" {
			out.Fix[1] = diagnose.Fix{Text: fmt.Sprintf("Or turn off in the values of chart %s what creates %s", chart, statement.Name(s))}
		}
		return out, true
	}),
}

// otherVersion is the version that the cluster serves instead: `Version "v1" of external-secrets.io/ExternalSecret is installed`.
var otherVersion = pattern.MustCompile(`Version "([^"]+)" of ([a-z0-9.\-]*)/?([A-Z][A-Za-z0-9]*) is installed`)

// newerVersion is the step for a manifest in a version that the cluster does not serve, while it serves another one.
func newerVersion(in *diagnose.In, served string) string {
	if chart := advice.Chart(in); chart != "" {
		return fmt.Sprintf("Use a version of chart %s whose manifest has apiVersion: %s, or a value of the chart that sets it", chart, served)
	}
	return fmt.Sprintf("Set apiVersion: %s in the manifest, adapt what changed between the versions, and push", served)
}

// pastDryRun reports whether the sync has applied something, which it does only after the dry run of everything: then the dry run of what
// it failed on was passed or skipped, and skipping it is no advice.
func pastDryRun(in *diagnose.In) bool {
	return in.App().HasSyncOption("SkipDryRunOnMissingResource=true") ||
		slices.ContainsFunc(in.App().CurrentOperation().Results(), func(r evidence.ResourceResult) bool { return r.Status == evidence.ResultSynced })
}

// skipDryRun is the annotation that lets a custom resource be synced together with its CRD.
const skipDryRun = "metadata:\n  annotations:\n    argocd.argoproj.io/sync-options: SkipDryRunOnMissingResource=true\n"

// unknownKind is a kind that the cluster does not serve. What the text does not say is empty; the kind may be a plural.
type unknownKind struct{ kind, group, version string }

// String is the kind for a sentence: "ServiceMonitor in monitoring.coreos.com/v1".
func (k unknownKind) String() string {
	in := k.group
	if k.version != "" {
		in = strings.TrimPrefix(k.group+"/"+k.version, "/")
	}
	if in == "" {
		return k.kind
	}
	return k.kind + " in " + in
}

// provider is what brings the kind.
func (k unknownKind) provider() string {
	name := providers[k.group]
	if k.group == "argoproj.io" {
		name = ofArgo[k.kind]
	}
	if name == "" {
		return "the operator or chart that provides the CRD"
	}
	return name + ", which provides the CRD"
}

// providers are the projects whose operator, chart or manifests bring the CRDs of an API group.
var providers = map[string]string{
	"monitoring.coreos.com": "the Prometheus Operator (or chart prometheus-operator-crds)", "gateway.networking.k8s.io": "the CRDs of the Gateway API", "cert-manager.io": "cert-manager", "acme.cert-manager.io": "cert-manager",
	"networking.istio.io": "Istio (chart base)", "security.istio.io": "Istio (chart base)", "telemetry.istio.io": "Istio (chart base)", "external-secrets.io": "the External Secrets Operator", "bitnami.com": "Sealed Secrets",
	"keda.sh": "KEDA", "kyverno.io": "Kyverno", "traefik.io": "Traefik", "traefik.containo.us": "Traefik before version 3", "cilium.io": "Cilium", "karpenter.sh": "Karpenter", "karpenter.k8s.aws": "Karpenter", "postgresql.cnpg.io": "CloudNativePG",
	"snapshot.storage.k8s.io": "the CSI snapshot controller's CRDs", "elbv2.k8s.aws": "the AWS Load Balancer Controller", "secrets-store.csi.x-k8s.io": "the Secrets Store CSI driver", "opentelemetry.io": "the OpenTelemetry Operator",
	"kafka.strimzi.io": "Strimzi", "velero.io": "Velero", "metallb.io": "MetalLB", "projectcontour.io": "Contour", "autoscaling.k8s.io": "the Vertical Pod Autoscaler", "crd.projectcalico.org": "Calico", "projectcalico.org": "Calico's API server",
	"policy.linkerd.io": "Linkerd's CRDs", "linkerd.io": "Linkerd's CRDs", "grafana.integreatly.org": "the Grafana Operator", "longhorn.io": "Longhorn", "trust.cert-manager.io": "trust-manager",
}

// ofArgo are the projects of Argo that bring each kind.
var ofArgo = map[string]string{
	"Rollout": "Argo Rollouts", "AnalysisTemplate": "Argo Rollouts", "ClusterAnalysisTemplate": "Argo Rollouts", "Workflow": "Argo Workflows", "CronWorkflow": "Argo Workflows", "WorkflowTemplate": "Argo Workflows",
	"ClusterWorkflowTemplate": "Argo Workflows", "EventBus": "Argo Events", "EventSource": "Argo Events", "Sensor": "Argo Events",
}

// with is the kind together with the others of its API group that are refused for the same reason: one operator brings all of them.
func (k unknownKind) with(in *diagnose.In) string {
	kinds := []string{k.kind}
	all := in.Statements()
	for i := range all {
		if s := all[i]; statement.IsRefusal(&s) && isUnknownKind(&s.Failure) {
			s.Resource = statement.Resolve(in, statement.Subject(&s))
			if o := unknownKindOf(&s); o.group == k.group && o.version == k.version && o.kind != "" && !slices.Contains(kinds, o.kind) {
				kinds = append(kinds, o.kind)
			}
		}
	}
	if len(kinds) == 1 || k.group == "" {
		return k.String()
	}
	slices.Sort(kinds) // whichever statement it is for, the text is the same
	if more := len(kinds) - maxListed; more > 0 {
		kinds = append(kinds[:maxListed], text.More(more))
	}
	n := len(kinds) - 1
	return unknownKind{kind: strings.Join(kinds[:n], ", ") + " or " + kinds[n], group: k.group, version: k.version}.String()
}

// apiResources is the command that lists what the cluster serves of a group.
func apiResources(group string) string {
	if group == "" {
		return "kubectl api-resources"
	}
	return diagnose.Shell("kubectl api-resources --api-group=%s", group)
}

func isUnknownKind(f *message.Failure) bool {
	return f.Has("no matches for kind", "could not find the requested resource", "crd is installed", "crds are installed", "the kubernetes api could not find", "resource mapping not found", "resource not found in cluster", "no kind is registered", "unable to recognize", "doesn't have a resource type", "unknown kind", "failed to get api resource") ||
		nameless.MatchString(f.Cause)
}

var (
	nameless   = pattern.MustCompile(`^[A-Z][A-Za-z]+\.[a-z0-9.\-]+ "" not found$`)
	noMatches  = pattern.MustCompile(`no matches for kind "([^"]+)" in (?:version|group) "([^"/]+)(?:/([^"]*))?"`)
	notFoundBy = pattern.MustCompile(`could not find (?:version "([^"]*)" of )?([a-z0-9.\-]+)/([A-Z][A-Za-z0-9]*)`)
	requested  = pattern.MustCompile(`could not find the requested resource \((?:get|post|put|patch|delete) ([a-z0-9]+)(?:\.([a-z0-9.\-]+))?\)`)
)

// unknownKindOf is the kind that a refusal is about, by its text and by the task.
func unknownKindOf(s *diagnose.Statement) unknownKind {
	k := parseUnknownKind(&s.Failure)
	if k.version == "" { // with a version, no group is the core API's
		k.kind, k.group = cmp.Or(k.kind, s.Resource.Kind), cmp.Or(k.group, s.Resource.Group)
	}
	return k
}

// parseUnknownKind reads the kind, its group and its version.
func parseUnknownKind(f *message.Failure) unknownKind {
	if m := noMatches.FindStringSubmatch(f.Text); m != nil {
		if m[3] == "" && !strings.Contains(m[2], ".") && strings.HasPrefix(m[2], "v") { // the core API has no group
			return unknownKind{kind: m[1], version: m[2]}
		}
		return unknownKind{kind: m[1], group: m[2], version: m[3]}
	}
	if m := notFoundBy.FindStringSubmatch(f.Text); m != nil {
		return unknownKind{kind: m[3], group: m[2], version: m[1]}
	}
	if m := requested.FindStringSubmatch(f.Text); m != nil {
		return unknownKind{kind: m[1], group: m[2]}
	}
	if nameless.MatchString(f.Cause) {
		kind, group, _ := strings.Cut(strings.Fields(f.Cause)[0], ".")
		return unknownKind{kind: kind, group: group}
	}
	return unknownKind{}
}

// ownCRD is the CRD of the kind if it is part of this application.
func ownCRD(in *diagnose.In, kind, group string) *evidence.ResourceStatus {
	for i := range in.App().Status.Resources {
		r := &in.App().Status.Resources[i]
		plural, of, _ := strings.Cut(r.Name, ".")
		if r.Kind == "CustomResourceDefinition" && group != "" && of == group && strings.HasPrefix(plural, strings.ToLower(kind)) {
			return r
		}
	}
	return nil
}

// afterWave is the annotation that puts a resource behind its CRD; empty where it is there already.
func afterWave(in *diagnose.In, s *diagnose.Statement, crd *evidence.ResourceStatus) string {
	if own := in.Resource(s.Resource); own != nil && own.SyncWave > crd.SyncWave {
		return ""
	}
	return fmt.Sprintf("    argocd.argoproj.io/sync-wave: \"%d\"   # after the CRD's wave\n", crd.SyncWave+1)
}
