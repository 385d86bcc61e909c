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
		Title:    "Volume is not bound, attached or mounted",
		What:     "The pod waits for a volume: its claim is pending (the storage class does not exist, nothing provisions it, or no volume fits), or the volume cannot be attached or mounted on the node.",
		Decisive: "A claim in phase Pending with its event (ProvisioningFailed, FailedBinding, WaitForFirstConsumer), or event FailedAttachVolume, FailedMount or FailedScheduling that names a claim.",
		Example:  "storageclass.storage.k8s.io \"fast\" not found",
		Fix:      "Correct the storage class, fix the provisioner, or free the volume.",
		Links:    []string{"https://kubernetes.io/docs/concepts/storage/persistent-volumes/"},
	},
	Sync:       alreadyApplied,
	Recognises: about{{pod: pods.VolumePending}, {kind: "/PersistentVolumeClaim"}},
	Check: reporting(func(_ *diagnose.In, p *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		said, from := volumeSays(s)
		w := volumeFailure(said)
		volume := waitedClaim(s)
		if s.Pod == nil && pods.LastWarning(s.Events) == nil && !s.Overdue() {
			return diagnose.Finding{}, false // volumes take some time to be created
		}
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(said != ""),
			Title:      fmt.Sprintf("%s: %s", s.Ref, w.short),
			Why:        fmt.Sprintf("%s has been waiting for %s%s.", s.PodName(), cmp.Or(volume, "a volume"), s.ForLong()),
			Says:       says("Kubernetes says", withoutPreemption(said)),
			Evidence:   s.Quotes(),
			Fix:        []diagnose.Fix{{Text: "Show the claims and their events", Command: diagnose.Shell("kubectl %sdescribe pvc", advice.InNamespace(s.Target()))}, {Text: "List the storage classes", Command: "kubectl get storageclass"}},
		}
		if s.ForLong() == "" {
			f.Why = fmt.Sprintf("%s is waiting for %s.", s.PodName(), cmp.Or(volume, "a volume"))
		}
		if w.fix != "" {
			f.Fix = append([]diagnose.Fix{{Text: w.fix}}, f.Fix...)
		}
		if said != s.Symptom.Text && said != "" {
			f.Evidence = append([]diagnose.Quote{{From: from, Text: said}}, f.Evidence...)
		}
		if s.Ref.Kind == "StatefulSet" && w.claim {
			f.Fix = slices.Insert(f.Fix, 1, newClaimTemplates(s, volume)...)
		}
		if s.Ref.Kind == "PersistentVolumeClaim" {
			f.Title = fmt.Sprintf("PVC/%s: %s", s.Ref.Name, w.short)
			f.Why = "The claim is not bound, so pods that use it cannot start."
			if s.ForLong() != "" {
				f.Why = fmt.Sprintf("The claim has not been bound%s, so pods that use it cannot start.", s.ForLong())
			}
			class := s.Object.Text("spec", "storageClassName")
			if w.short == waitsForPod {
				f.Why = fmt.Sprintf("The claim has not been bound%s. Its storage class%s creates the volume only when a pod uses it.", s.ForLong(), message.After(" ", class))
			} else if class != "" {
				f.Why += fmt.Sprintf(" It uses storage class %s.", class)
			}
			if first := p.Resources[0]; first.Pod != nil && !s.Examined { // the pod says what it waits for
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

// newClaimTemplates are the steps that change the claims of a StatefulSet, whose templates Kubernetes does not allow to change.
func newClaimTemplates(s *unhealthy.Resource, claim string) []diagnose.Fix {
	out := []diagnose.Fix{{
		Text:    "Then delete the StatefulSet but keep its pods, because its volumeClaimTemplates cannot be changed; the next sync recreates it",
		Command: diagnose.Shell("kubectl %sdelete statefulset %s --cascade=orphan", advice.InNamespace(s.Ref), s.Ref.Name),
	}}
	if _, name, ok := strings.Cut(claim, "/"); ok && s.Pod != nil {
		out = append(out, diagnose.Fix{Text: "Delete the unbound claim and its pod; both are recreated", Command: diagnose.Shell("kubectl %sdelete pvc/%s pod/%s --wait=false", advice.InNamespace(s.Ref), name, s.Pod.Name)})
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

// waitsForPod is the trouble of a claim that no pod uses yet.
const waitsForPod = "volume is waiting for a pod to use it"

func volumeFailure(said string) volumeTrouble {
	lower := strings.ToLower(said)
	switch {
	case message.HasAny(lower, "storageclass") && strings.Contains(lower, "not found"):
		return volumeTrouble{short: "storage class does not exist", fix: "In Git, set an existing storage class in the claim; the class of a claim cannot be changed, so delete the unbound claim as well", claim: true}
	case message.HasAny(lower, "no persistent volumes available"):
		return volumeTrouble{short: "no volume fits the claim", fix: "Set a storage class in the claim or a default class in the cluster, or create a volume that fits", claim: true}
	case message.HasAny(lower, "waiting for first consumer", "waitforfirstconsumer", "wait for pod"):
		return volumeTrouble{short: waitsForPod, fix: "Put a pod that uses the claim in the same sync wave, or use a storage class with volumeBindingMode: Immediate"}
	case message.HasAny(lower, "multi-attach"):
		return volumeTrouble{short: "volume is still attached to another node", fix: "Delete the pod that still uses the volume; for a Deployment with a ReadWriteOnce volume, set strategy.type: Recreate in Git"}
	case message.HasAny(lower, "volume node affinity"):
		return volumeTrouble{short: "volume is bound to another zone or node", fix: "Allow the pod to run where the volume is, or create a new volume where the pod can run"}
	case message.HasAny(lower, "persistentvolumeclaim") && strings.Contains(lower, "not found"):
		return volumeTrouble{short: "volume claim does not exist", fix: "Create the claim, or correct its name in Git"}
	case message.HasAny(lower, "external provisioner", "provisioner", "waiting for a volume to be created"):
		return volumeTrouble{short: "volume has not been provisioned", fix: "Check the pods of the storage class's CSI driver"}
	case message.HasAny(lower, "quota", "limit exceeded", "no space", "insufficient"):
		return volumeTrouble{short: "storage has no room for the volume", fix: "Request less storage, free some, or raise the storage quota"}
	case message.HasAny(lower, "csi driver", "driver name", "csinode"):
		return volumeTrouble{short: "CSI driver is missing on the node", fix: "Install the CSI driver, or check its pods on the node"}
	case message.HasAny(lower, "unbound"):
		return volumeTrouble{short: "volume claim is not bound"}
	case message.HasAny(lower, "failed to provision"):
		return volumeTrouble{short: "volume cannot be provisioned", fix: "Check the credentials, permissions and limits of the storage class's provisioner"}
	case said == "":
		return volumeTrouble{short: "waiting for a volume"}
	}
	return volumeTrouble{short: "volume is not available"}
}
