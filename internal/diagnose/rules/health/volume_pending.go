package health

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
)

var VolumePending = &diagnose.Rule{
	ID:      "health/volume-pending",
	Needs:   append([]evidence.Kind{evidence.KindAll}, needs...),
	Outside: []evidence.Outside{evidence.OutsideVolume},
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
	Check: reporting(func(in *diagnose.In, p *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		said, from := volumeSays(s)
		w := volumeFailure(said)
		volume := waitedVolume(s, said)
		if s.Pod == nil && pods.LastWarning(s.Events) == nil && !s.Overdue() {
			return diagnose.Finding{}, false // volumes take some time to be created
		}
		if on := onNodeFor(in, s); w.held && on > 0 && on < unhealthy.SettleThreshold {
			return diagnose.Finding{}, false // and to be detached from the node before: each update begins like this
		}
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(said != "" && !onlyLate.MatchString(said)),
			Title:      fmt.Sprintf("%s: %s", s.Ref, w.short),
			Why:        fmt.Sprintf("%s has been waiting for %s%s.", s.PodName(), cmp.Or(volume, "a volume"), s.PodForLong()),
			Says:       says("Kubernetes says", volumeWords(withoutPreemption(said))),
			Evidence:   s.Quotes(),
			Fix:        volumeSteps(s, w, said, volume),
		}
		if s.ForLong() == "" {
			f.Why = fmt.Sprintf("%s is waiting for %s.", s.PodName(), cmp.Or(volume, "a volume"))
		}
		if w.elsewhere && s.Pod != nil {
			f.Why = tiedToPlace(s, volume)
			f.OutsideGit = w.lost
		}
		if said != s.Symptom.Text && said != "" {
			f.Evidence = append([]diagnose.Quote{{From: from, Text: said}}, f.Evidence...)
		}
		if w.held {
			heldVolume(in, p, s, &f, said)
		}
		f.OutsideGit = f.OutsideGit || w.onNode
		if w.complete {
			f.Says = diagnose.Said{}
		}
		name, ok := strings.CutPrefix(volume, "PersistentVolumeClaim/")
		if _, missing, _, says := pods.Missing(said); !ok && says && w.short == noClaim {
			name, ok = missing, true
		}
		if ok && w.short == noClaim {
			absentClaim(in, &f, s, name)
		}
		if s.Ref.Kind == "PersistentVolumeClaim" {
			ofClaim(&f, p, s, w)
			name, ok = s.Ref.Name, true
		}
		if ok && w.unmatched {
			nearestVolumes(in, s, &f, name)
		}
		return f, true
	}),
}

// onNodeFor is for how long a pod has had its node; 0 where that is not known.
func onNodeFor(in *diagnose.In, s *unhealthy.Resource) time.Duration {
	if c := s.Object.Condition("PodScheduled"); s.Pod != nil && c.Text("status") == "True" {
		return in.Since(c.Time("lastTransitionTime"))
	}
	return 0
}

// absentClaim makes the finding about a claim that does not exist: one of this application belongs in an earlier wave.
func absentClaim(in *diagnose.In, f *diagnose.Finding, s *unhealthy.Resource, name string) {
	list := diagnose.Fix{Text: "List the claims of the namespace", Command: diagnose.Shell("kubectl %sget pvc", advice.InNamespace(s.Target()))}
	f.Title = fmt.Sprintf("%s: PersistentVolumeClaim/%s is missing", s.Ref, name)
	f.Fix = append(f.Fix[:1], list)
	ns := s.Target().Namespace
	if other := statement.OwnElsewhere(in, "PersistentVolumeClaim", ns, name); other != nil {
		why, fix := statement.InWrongNamespace(other, ns)
		f.Why, f.Fix = f.Why+" "+why, []diagnose.Fix{fix, list}
		return
	}
	if r := statement.OwnIn(in, "PersistentVolumeClaim", ns, name); r != nil {
		f.Why += fmt.Sprintf(" This application creates it in sync wave %d%s.", r.SyncWave, waveNote(in, s, r))
		f.Fix = []diagnose.Fix{ownObjectFix(in, s, maker{ref: r.Ref(), status: r}), list}
		return
	}
	f.Fix[0] = orMisnamed(in, s, f, evidence.Ref{Kind: "PersistentVolumeClaim", Namespace: ns, Name: name}, f.Fix[0])
}

// ofClaim makes the finding about a claim itself of one about a pod.
func ofClaim(f *diagnose.Finding, p *unhealthy.Picture, s *unhealthy.Resource, w volumeTrouble) {
	f.Title, f.Short = fmt.Sprintf("PVC/%s: %s", s.Ref.Name, w.short), "PVC: "+w.short
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

// volumeSteps is what helps with a volume, and what shows its state: the claim where there is one, else the node.
func volumeSteps(s *unhealthy.Resource, w volumeTrouble, said, volume string) []diagnose.Fix {
	var out []diagnose.Fix
	if w.fix != "" {
		out = append(out, diagnose.Fix{Text: w.fix})
	}
	if s.Ref.Kind == "StatefulSet" && w.claim {
		steps := newClaimTemplates(s, volume)
		if w.short == noClass {
			steps[0].Text = "If you set it in Git, delete the StatefulSet but keep its pods, because its volumeClaimTemplates cannot be changed; the next sync recreates it"
		}
		out = append(out, steps...)
	}
	name, isClaim := strings.CutPrefix(volume, "PersistentVolumeClaim/")
	if s.Ref.Kind == "PersistentVolumeClaim" {
		name, isClaim = s.Ref.Name, true
	}
	node := s.Object.Text("spec", "nodeName")
	if s.Ref.Kind == "PersistentVolumeClaim" {
		node = ""
	}
	if w.elsewhere && s.Pod != nil {
		if !isClaim {
			name = ""
		}
		return append(out, elsewhereSteps(s, w, name)...)
	}
	if w.look != "" {
		out = append(out, diagnose.Fix{Text: "Show its state there", Command: w.look})
	}
	switch {
	case isClaim:
		out = append(out, diagnose.Fix{Text: "Show the claim and its events", Command: diagnose.Shell("kubectl %sdescribe pvc %s", advice.InNamespace(s.Target()), name)})
	case usesClaims(s):
		out = append(out, diagnose.Fix{Text: "Show the claims and their events", Command: diagnose.Shell("kubectl %sdescribe pvc", advice.InNamespace(s.Target()))})
	}
	if node == "" {
		out = append(out, diagnose.Fix{Text: "List the storage classes", Command: "kubectl get storageclass"})
	}
	if !isClaim && s.Pod != nil {
		out = append(out, s.Describe("Show the pod's volumes and events"))
	}
	if driver := driverName.FindStringSubmatch(said); node != "" && (driver != nil || w.driver) {
		out = append(out, diagnose.Fix{Text: "Show which CSI drivers the node has", Command: diagnose.Shell("kubectl describe csinode %s", node)}, podsOnNode(node, "List what runs on the node: the driver's pod must be ready there"))
	} else if w.onNode && node != "" {
		out = append(out, describeNode(node))
	} else if w.attached {
		out = append(out, attachments(said))
	}
	return out
}

// usesClaims reports whether claims have to do with it: a pod that was not read may have any.
func usesClaims(s *unhealthy.Resource) bool {
	return s.Object == nil || slices.ContainsFunc(s.Object.List("spec", "volumes"), func(v evidence.Object) bool {
		return v.At("persistentVolumeClaim") != nil || v.At("ephemeral") != nil
	})
}

// waitedVolume is the volume that the pod waits for: the claim, or the volume that the kubelet names with what it is. Empty where the
// evidence leaves several.
func waitedVolume(s *unhealthy.Resource, said string) string {
	var claims []string
	m := mountedVolume.FindStringSubmatch(said)
	for _, v := range s.Object.List("spec", "volumes") {
		if kind := volumeSource(v); m != nil && v.Text("name") == m[1] && kind != "" {
			return "volume " + m[1] + " (" + kind + ")"
		}
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

// volumeSource is what a volume of a pod that is no claim is made of.
func volumeSource(v evidence.Object) string {
	switch {
	case v.At("nfs") != nil:
		return "NFS " + v.Text("nfs", "server") + ":" + v.Text("nfs", "path")
	case v.At("hostPath") != nil:
		return "hostPath " + v.Text("hostPath", "path")
	case v.At("csi") != nil:
		return "CSI driver " + v.Text("csi", "driver")
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

// attachedVolume is how the controller names the volume that it cannot attach.
var attachedVolume = pattern.MustCompile(`volume "(pvc-[0-9a-f-]+)"`)

// attachments is the command that shows which node has the volume, with the name of the VolumeAttachment.
func attachments(said string) diagnose.Fix {
	fix := diagnose.Fix{Text: "Show which node has the volume attached", Command: "kubectl get volumeattachments"}
	if m := attachedVolume.FindStringSubmatch(said); m != nil {
		fix.Command = diagnose.Shell("kubectl get volumeattachments | grep %s", m[1])
	}
	return fix
}
