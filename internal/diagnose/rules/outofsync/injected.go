package outofsync

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
)

var Injected = &diagnose.Rule{
	ID:    "drift/injected",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Webhook changes the resource on admission",
		What:     "A mutating admission webhook or an admission plugin changes the object while it is applied: a sidecar, a label, an extra rule, pull secrets. A sync applies Git's version, and the webhook changes it again.",
		Decisive: "Fields that are live and not in Git, written at the moment of the apply or by a policy engine; members added to lists; or a live value that differs from the one that was applied.",
		Example:  "spec.template.metadata.annotations[example.com/restart]: not set in Git, rg59t2vl in the cluster, written by kyverno",
		Fix:      "Compare with server-side diff including mutation webhooks, or ignore the fields.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/diff-strategies/"},
	},
	Sync:       advice.Pointless("the fields will be changed again on admission"),
	Recognises: explains{{byPolicyEngine, isAddedByWebhook}, {byAdmission, isChangedOnApply}},
	Check: reportingEach(writer, func(g *explained) diagnose.Finding {
		_, field := g.firstField()
		f := diagnose.Finding{
			Confidence: diagnose.Likely,
			Sync:       advice.Pointless(verb(g.countFields(), "it", "they") + " will be changed again on admission"),
			Title:      fmt.Sprintf("%s: %s changed on admission", g.subject(), g.fieldsLabel()),
			Why:        g.valuesClause() + ". Argo CD did not apply it that way and no other field manager wrote it, so an admission webhook or plugin changed it.",
		}
		if isAutopilot(g.resources[0]) {
			f.Why = g.valuesClause() + ". GKE Autopilot adjusts workloads when they are applied, and its annotation is on this one."
		}
		if o, ok := foreignWriter(&field); ok {
			f.Confidence = diagnose.Certain
			f.Title = fmt.Sprintf("%s: %s %s %s", g.subject(), o.Manager, g.howWritten(), g.fieldsLabel())
			f.Why = fmt.Sprintf("%s. %s, a policy engine or webhook, wrote it%s.", g.valuesClause(), o.Manager, agoClause(g.in, o.Time))
		}
		_, _, plain := g.titleValues()
		settable := plain && field.Path.Last() != "image"
		if settable && !isChart(g.in) {
			f.Fix = append(f.Fix, g.commit("Set the value that the webhook sets"))
		}
		if !comparesWebhooks(g.in) {
			f.Fix = append(f.Fix, compareWith(g.in, "Include the webhooks' changes in the comparison, which still shows what Git changes later", "ServerSideDiff=true", "IncludeMutationWebhook=true"))
		}
		switch {
		case field.Path.Last() != "image":
			f.Fix = append(f.Fix, g.ignore(true))
		case len(f.Fix) == 0: // a sync has to bring the images that Git asks for
			f.Fix = append(f.Fix, g.ignore(false))
		}
		if settable && isChart(g.in) {
			f.Fix = append(f.Fix, g.commit("Set the value that the webhook sets"))
		}
		for i := range f.Fix[1:] {
			f.Fix[i+1] = or(f.Fix[i+1])
		}
		return f
	}),
}

// isAutopilot reports whether GKE Autopilot says that it changed the workload.
func isAutopilot(r *resource) bool {
	return r.Live.Annotation("autopilot.gke.io/resource-adjustment") != "" || r.Live.Annotation("autopilot.gke.io/warden-version") != ""
}

// comparesWebhooks reports whether the API server computes the diff, with what webhooks change.
func comparesWebhooks(in *diagnose.In) bool {
	return serverSideDiff(in) && strings.Contains(in.App().Metadata.Annotations[compareOptions], "IncludeMutationWebhook=true")
}

// policyEngines change objects of others by design; what they write is theirs although it comes later than the apply.
var policyEngines = []string{"kyverno", "gatekeeper", "-injector", "admission", "mutat", "polaris", "kubewarden", "jspolicy", "linkerd-proxy"}

// isAddedByWebhook: a policy engine wrote it, or something was added that is no default: a member of a list, an entry of
// labels or annotations. Of a resource to which something of the kind was added, all that nobody owns counts.
func isAddedByWebhook(_ *diagnose.In, _ *picture, r *resource, f *drift.Field) bool {
	if o, ok := foreignWriter(f); ok {
		// What an engine writes into the configuration of webhooks is its own business.
		own := r.Ref.Group == "admissionregistration.k8s.io" || r.Ref.Group == "apiextensions.k8s.io"
		return !own && slices.ContainsFunc(policyEngines, func(name string) bool { return strings.Contains(o.Manager, name) })
	}
	return r.added && f.InLive && !f.InDesired && !f.IsDefault()
}

// hasUnownedAddition reports whether something was added to a resource that no manager but Argo CD owns.
func hasUnownedAddition(fields []drift.Field) bool {
	return slices.ContainsFunc(fields, func(f drift.Field) bool {
		_, strange := foreignWriter(&f)
		return !strange && f.InLive && !f.InDesired && isAddition(&f)
	})
}

// isAddition: API defaults are single values; they neither add members to lists nor entries to maps of free names.
func isAddition(f *drift.Field) bool {
	last := f.Path[len(f.Path)-1]
	if last.Member {
		return true
	}
	switch last.Field {
	case "env", "volumes", "volumeMounts", "initContainers", "imagePullSecrets", "tolerations", "sidecars", "caBundle":
		return true
	}
	parent := f.Path[:len(f.Path)-1].Last()
	return parent == "annotations" || parent == "labels" || last.Field == "annotations" || last.Field == "labels"
}

// isChangedOnApply: Argo CD applied what Git has, nobody wrote to it since, and the live value is another one.
func isChangedOnApply(in *diagnose.In, _ *picture, r *resource, f *drift.Field) bool {
	if _, strange := foreignWriter(f); strange || isUnknown(f) || !f.InLive || !f.InDesired || drift.Empty(f.Desired) || isRegenerated(in, f) {
		return false
	}
	// The keys of a member are in the name under which it is noted: Argo CD applied these very ones.
	if f.KeyChanged && slices.ContainsFunc(f.Owners, func(o drift.Owner) bool { return isArgo(o) && o.Operation == "Apply" && o.Exact }) {
		return false
	}
	if f.WasApplied { // without managers, "nobody wrote to it since" is not known
		return reflect.DeepEqual(f.Applied, f.Desired) && (len(r.owners()) > 0 || setByWebhooks(f))
	}
	if !serverSideApplied(r) {
		return false
	}
	// Server-side apply keeps no copy of what was applied. The API server may note a change by a webhook as a second,
	// Update entry of the same manager; else it speaks for a webhook that the same commit was synced, or that the field is
	// one that webhooks set and people hardly ever do.
	noted := slices.ContainsFunc(f.Owners, func(o drift.Owner) bool { return isArgo(o) && o.Operation == "Update" && o.Exact })
	mayBeRendered := holdsValues(r, f) || mayGenerate(in) && looksRendered(f)
	return noted || !gitMoved(in) && !mayBeRendered || setByWebhooks(f)
}

// setByWebhooks are fields of a pod that admission sets to its own value, and images that were given another registry or
// a digest.
func setByWebhooks(f *drift.Field) bool {
	switch f.Path.Last() {
	case "imagePullPolicy", "runtimeClassName", "schedulerName", "priorityClassName":
		return true
	case "image":
		live, desired := drift.Show(f.Live), drift.Show(f.Desired)
		path := func(image string) string { _, rest, _ := strings.Cut(image, "/"); return rest }
		return strings.Contains(live, "@sha256:") && !strings.Contains(desired, "@") || live != desired && path(live) != "" && strings.HasSuffix(path(live), path(desired)) && path(desired) != ""
	}
	return false
}
