package health

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/text"
)

var VolumePending = &diagnose.Rule{
	ID:    "health/volume-pending",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "A volume is not bound, attached or mounted",
		What:     "The pod waits for a volume: its claim is pending (no such storage class, nobody provisions it, no volume fits), or the volume cannot be attached or mounted on the node.",
		Decisive: "A claim in phase Pending with its event (ProvisioningFailed, FailedBinding, WaitForFirstConsumer), or event FailedAttachVolume, FailedMount or FailedScheduling that names a claim.",
		Example:  "storageclass.storage.k8s.io \"fast\" not found",
		Fix:      "Correct the storage class, repair the provisioner, or free the volume.",
		Links:    []string{"https://kubernetes.io/docs/concepts/storage/persistent-volumes/"},
	},
	Sync:       alreadyApplied,
	Recognises: about{{pod: pods.VolumePending}, {kind: "/PersistentVolumeClaim"}},
	Check: reporting(func(_ *diagnose.In, p *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		said, from := volumeSays(s)
		w := volumeFailure(said, s.Object.Text("spec", "storageClassName"))
		volume := waitedClaim(s)
		if s.Pod == nil && pods.LastWarning(s.Events) == nil && !s.Overdue() {
			return diagnose.Finding{}, false // volumes take some time to be made
		}
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(said != ""),
			Title:      fmt.Sprintf("%s waits for %s: %s", s.Ref, cmp.Or(volume, "a volume"), w.short),
			Why:        fmt.Sprintf("%s waits for %s%s: %s", s.PodName(), cmp.Or(volume, "its volume"), advice.ForNow(s.Since), text.Sentence(text.Clip(cmp.Or(said, w.short), 2*message.MaxClause))),
			Evidence:   s.Quotes(),
			Fix:        []diagnose.Fix{{Text: w.fix}, {Text: "See the claims and their events", Command: diagnose.Shell("kubectl %sdescribe pvc", advice.InNamespace(s.Target()))}, {Text: "See the storage classes", Command: "kubectl get storageclass"}},
		}
		if said != s.Symptom.Text && said != "" {
			f.Evidence = append([]diagnose.Quote{{From: from, Text: said}}, f.Evidence...)
		}
		if s.Ref.Kind == "StatefulSet" && w.claim {
			f.Fix = slices.Insert(f.Fix, 1, newClaimTemplates(s, volume)...)
		}
		if s.Ref.Kind == "PersistentVolumeClaim" {
			f.Title = fmt.Sprintf("%s is not bound: %s", s.Ref, w.short)
			if class := s.Object.Text("spec", "storageClassName"); class != "" {
				f.Why += fmt.Sprintf(" It asks for storage class %s.", class)
			}
			if first := p.Resources[0]; first.Pod != nil && !s.Examined { // what its pod waits for is told by the pod
				f.Role = diagnose.RoleEffect
			}
		}
		return f, true
	}),
}

// waitedClaim is the claim that the pod waits for, "" where the evidence leaves several.
func waitedClaim(s *unhealthy.Resource) string {
	var claims []string
	for _, v := range s.Object.List("spec", "volumes") {
		claims = append(claims, v.Text("persistentVolumeClaim", "claimName"))
	}
	claims = withoutRepeats(claims)
	switch {
	case s.UsesClaim():
		return "PersistentVolumeClaim/" + s.Claim
	case len(claims) == 1:
		return "PersistentVolumeClaim/" + claims[0]
	}
	return ""
}

// newClaimTemplates are the steps that change the claims of a StatefulSet, whose templates Kubernetes does not let change.
func newClaimTemplates(s *unhealthy.Resource, claim string) []diagnose.Fix {
	out := []diagnose.Fix{{
		Text:    "A StatefulSet's volumeClaimTemplates cannot be changed: delete it without its pods, so that the sync creates it anew",
		Command: diagnose.Shell("kubectl %sdelete statefulset %s --cascade=orphan", advice.InNamespace(s.Ref), s.Ref.Name),
	}}
	if _, name, ok := strings.Cut(claim, "/"); ok && s.Pod != nil {
		out = append(out, diagnose.Fix{Text: "Delete the claim that was never bound, and its pod: they are made anew", Command: diagnose.Shell("kubectl %sdelete pvc/%s pod/%s --wait=false", advice.InNamespace(s.Ref), name, s.Pod.Name)})
	}
	return out
}

// volumeSays is the most telling text about a volume: what provisioning, attaching or mounting said.
func volumeSays(s *unhealthy.Resource) (said, from string) {
	for _, reasons := range [][]string{{"ProvisioningFailed", "FailedAttachVolume", "FailedBinding"}, {"FailedMount", "FailedMapVolume"}, {"WaitForFirstConsumer", "ExternalProvisioning", "WaitForPodScheduled"}} {
		for i := len(s.Events) - 1; i >= 0; i-- {
			for _, r := range reasons {
				if e := &s.Events[i]; e.Reason == r {
					return text.OneLine(e.Message), pods.EventName(e)
				}
			}
		}
	}
	if s.Symptom.Text != s.Text || s.Pod != nil {
		return text.OneLine(s.Symptom.Text), s.Symptom.From
	}
	return text.OneLine(s.Text), s.Ref.String()
}

// volumeTrouble is what is wrong with a volume; claim: what helps is another claim.
type volumeTrouble struct {
	short, fix string
	claim      bool
}

func volumeFailure(said, class string) volumeTrouble {
	lower := strings.ToLower(said)
	switch {
	case message.HasAny(lower, "storageclass") && strings.Contains(lower, "not found"):
		return volumeTrouble{short: "its storage class does not exist" + message.After(": ", class), fix: "Name a storage class that exists in the claim, in Git (a claim's class cannot be changed: delete the claim while it is empty)", claim: true}
	case message.HasAny(lower, "no persistent volumes available"):
		return volumeTrouble{short: "no volume fits, and no storage class is set that makes one", fix: "Name a storage class in the claim or set a default one, or create a volume that fits", claim: true}
	case message.HasAny(lower, "waiting for first consumer", "waitforfirstconsumer", "wait for pod"):
		return volumeTrouble{short: "it is made only when a pod uses it (WaitForFirstConsumer)", fix: "Let a pod of the same wave use the claim, or use a storage class with volumeBindingMode: Immediate"}
	case message.HasAny(lower, "multi-attach"):
		return volumeTrouble{short: "another node still holds it (Multi-Attach)", fix: "End the pod that still uses it; a Deployment with a ReadWriteOnce volume needs strategy: Recreate"}
	case message.HasAny(lower, "volume node affinity"):
		return volumeTrouble{short: "its volume lies in a zone or on a node that the pod cannot go to", fix: "Let the pod run where the volume is, or make a new volume there"}
	case message.HasAny(lower, "persistentvolumeclaim") && strings.Contains(lower, "not found"):
		return volumeTrouble{short: "the claim that it names does not exist", fix: "Create the claim, or correct its name in Git"}
	case message.HasAny(lower, "external provisioner", "provisioner", "waiting for a volume to be created"):
		return volumeTrouble{short: "its provisioner has not made it", fix: "Look at the pods of the storage class's CSI driver"}
	case message.HasAny(lower, "quota", "limit exceeded", "no space", "insufficient"):
		return volumeTrouble{short: "the storage has no room for it", fix: "Ask for less, free something, or raise the quota of the storage"}
	case message.HasAny(lower, "csi driver", "driver name", "csinode"):
		return volumeTrouble{short: "the CSI driver is not on the node", fix: "Install the CSI driver, or look at its pods on the node"}
	case message.HasAny(lower, "unbound"):
		return volumeTrouble{short: "its claim is not bound", fix: "See what the claim waits for"}
	case said == "":
		return volumeTrouble{short: "what it waits for is not in the evidence", fix: "See what the claim's events say"}
	}
	return volumeTrouble{short: text.Clip(said, message.MaxClause), fix: "Repair what the storage names"}
}
