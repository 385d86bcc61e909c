package apply

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

var MissingCRD = &diagnose.Rule{
	ID: "apply/missing-crd",
	Doc: diagnose.Doc{
		Title:    "The cluster does not know this kind or version",
		What:     "The application has a custom resource whose CustomResourceDefinition is not installed, or an API version that the cluster no longer serves. Argo CD validates everything before it applies anything, so nothing is applied.",
		Decisive: "\"no matches for kind\", \"could not find the requested resource\", \"Make sure the … CRD is installed\".",
		Example:  "The Kubernetes API could not find monitoring.coreos.com/ServiceMonitor for requested resource web/web. Make sure the \"ServiceMonitor\" CRD is installed on the destination cluster.",
		Fix:      "Install the CRD first (another application, or an earlier sync wave); when the same sync creates it, set SkipDryRunOnMissingResource=true on the custom resource.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#skip-dry-run-for-new-custom-resources-types"},
	},
	Sync:  advice.Pointless("the kind stays unknown until its CRD is installed"),
	Needs: statement.RefusalNeeds,
	Check: statement.Refused(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !isUnknownKind(f) {
			return diagnose.Finding{}, false
		}
		kind, group := parseUnknownKind(f)
		kind, group = cmp.Or(kind, s.Resource.Kind, "the kind"), cmp.Or(group, s.Resource.Group)
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      fmt.Sprintf("the cluster does not know %s", advice.Dotted(kind, group)),
			Why:        fmt.Sprintf("%s is of a kind (or version) that the destination cluster does not serve: %s", statement.Name(s), statement.Words(s)),
			Fix: []diagnose.Fix{
				{Text: "See whether the cluster serves it, and in which versions", Command: diagnose.Shell("kubectl api-resources --api-group=%s", cmp.Or(group, "GROUP"))},
			},
		}
		if removed := removedAPI(f.Text); removed != "" {
			out.Fix = append(out.Fix, diagnose.Fix{Text: removed})
			return out, true
		}
		if crd := ownCRD(in, kind, group); crd != "" {
			out.Why += fmt.Sprintf(" %s is part of this application, but not applied yet.", crd)
			out.Fix = append(out.Fix, diagnose.Fix{Text: "Let this resource skip the dry run, so that its CRD can be applied first", Patch: "metadata:\n  annotations:\n    argocd.argoproj.io/sync-options: SkipDryRunOnMissingResource=true\n    argocd.argoproj.io/sync-wave: \"1\"   # after the CRD's wave\n"})
			return out, true
		}
		out.Shared = "kind " + advice.Dotted(kind, group) + advice.OnCluster(in)
		out.Fix = append(out.Fix, diagnose.Fix{Text: "Install the operator or chart that brings the CRD, in an application that is synced before this one"},
			diagnose.Fix{Text: "If the same sync brings the CRD, let the custom resource skip the dry run", Patch: "metadata:\n  annotations:\n    argocd.argoproj.io/sync-options: SkipDryRunOnMissingResource=true\n"})
		return out, true
	}),
}

func isUnknownKind(f *message.Failure) bool {
	return f.Has("no matches for kind", "could not find the requested resource", "crd is installed", "crds are installed", "the kubernetes api could not find", "resource mapping not found", "resource not found in cluster", "no kind is registered", "unable to recognize", "doesn't have a resource type", "unknown kind", "failed to get api resource") ||
		nameless.MatchString(f.Cause)
}

var (
	nameless   = regexp.MustCompile(`^[A-Z][A-Za-z]+\.[a-z0-9.\-]+ "" not found$`)
	noMatches  = regexp.MustCompile(`no matches for kind "([^"]+)" in (?:version|group) "([^"/]+)(?:/[^"]*)?"`)
	notFoundBy = regexp.MustCompile(`could not find (?:version "[^"]*" of )?([a-z0-9.\-]+)/([A-Z][A-Za-z0-9]*)`)
)

// parseUnknownKind reads the kind and its group.
func parseUnknownKind(f *message.Failure) (kind, group string) {
	if m := noMatches.FindStringSubmatch(f.Text); m != nil {
		return m[1], m[2]
	}
	if m := notFoundBy.FindStringSubmatch(f.Text); m != nil {
		return m[2], m[1]
	}
	if nameless.MatchString(f.Cause) {
		kind, group, _ = strings.Cut(strings.Fields(f.Cause)[0], ".")
	}
	return kind, group
}

// removedAPI speaks of the kinds whose old versions Kubernetes itself removed: there is no CRD to install.
func removedAPI(text string) string {
	for _, v := range []struct{ old, now string }{
		{`"Ingress" in version "extensions/v1beta1"`, "networking.k8s.io/v1"},
		{`"Ingress" in version "networking.k8s.io/v1beta1"`, "networking.k8s.io/v1"},
		{`"PodDisruptionBudget" in version "policy/v1beta1"`, "policy/v1"},
		{`"CronJob" in version "batch/v1beta1"`, "batch/v1"},
		{`"HorizontalPodAutoscaler" in version "autoscaling/v2beta2"`, "autoscaling/v2"},
		{`"HorizontalPodAutoscaler" in version "autoscaling/v2beta1"`, "autoscaling/v2"},
		{`"Deployment" in version "extensions/v1beta1"`, "apps/v1"},
		{`"Deployment" in version "apps/v1beta1"`, "apps/v1"},
	} {
		if strings.Contains(text, v.old) {
			return "Kubernetes removed this version: write apiVersion: " + v.now
		}
	}
	if strings.Contains(text, `"PodSecurityPolicy"`) {
		return "Kubernetes removed PodSecurityPolicy in 1.25: take it out of the manifests and use Pod Security admission"
	}
	return ""
}

// ownCRD is the CRD of the kind if this application brings it.
func ownCRD(in *diagnose.In, kind, group string) string {
	for _, r := range in.App().Status.Resources {
		if r.Kind == "CustomResourceDefinition" && group != "" && strings.HasSuffix(r.Name, "."+group) && strings.HasPrefix(r.Name, strings.ToLower(kind)) {
			return r.Ref().String()
		}
	}
	return ""
}
