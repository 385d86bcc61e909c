package health

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/diagnose/volumes"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// nearestVolumes makes the finding about a claim that no volume takes say which one comes nearest, and what is in the way.
func nearestVolumes(in *diagnose.In, s *unhealthy.Resource, f *diagnose.Finding, name string) {
	claim, ok := diagnose.Get(in, evidence.FactObject(evidence.ObjectQuery{Ref: evidence.Ref{Kind: "PersistentVolumeClaim", Namespace: s.Target().Namespace, Name: name}}))
	all, read := diagnose.Get(in, evidence.FactAll(evidence.OutsideVolume))
	if !ok || !read || claim == nil {
		return
	}
	near := volumes.Nearest(volumes.Fits(claim, all))
	if len(near) == 0 {
		if len(all) == 0 {
			f.Why = text.Paragraph(f.Why, "The cluster has no PersistentVolume.")
		}
		return
	}
	var names []string
	for _, n := range near {
		names = append(names, n.Volume)
	}
	named, o := text.List(names, 3), obstacles[near[0].Obstacles[0]]
	f.Title = fmt.Sprintf("%s: volume %s %s", s.Ref, names[0], o.short)
	f.Short = fmt.Sprintf("%s: a volume %s", s.Ref.Kind, o.short)
	f.Why = text.Paragraph(f.Why, text.Sentence(fmt.Sprintf("PersistentVolume %s would fit, but %s", named, o.why(near[0]))))
	f.Fix = append([]diagnose.Fix{{Text: o.fix}, {Text: "Show the volumes with their size, modes, class and claim", Command: "kubectl get pv --show-labels"}}, f.Fix[1:]...)
}

// obstacle is how a report speaks of what keeps a claim from a volume.
type obstacle struct {
	short, fix string
	why        func(volumes.Fit) string
}

var obstacles = map[volumes.Obstacle]obstacle{
	volumes.Class: {"has another storage class than its claim", "Give the claim the class of the volume in Git; the class of a claim cannot be changed, so delete the unbound claim as well", func(f volumes.Fit) string {
		return fmt.Sprintf("its class is %s, and the claim asks for %s", cmp.Or(f.Has, "empty"), cmp.Or(f.Wants, "none"))
	}},
	volumes.Size: {"is too small for its claim", "Lower the request of the claim in Git to what the volume has (delete the unbound claim as well: a request cannot be lowered), or create a larger volume", func(f volumes.Fit) string {
		return fmt.Sprintf("it has %s, and the claim asks for %s", f.Has, f.Wants)
	}},
	volumes.AccessMode: {"has other access modes than its claim", "Correct accessModes of the claim in Git (delete the unbound claim as well: they cannot be changed), or create a volume that has them", func(f volumes.Fit) string {
		return fmt.Sprintf("its access modes are %s, and the claim asks for %s", f.Has, f.Wants)
	}},
	volumes.VolumeMode: {"has another volume mode than its claim", "Correct volumeMode of the claim in Git, and delete the unbound claim: it cannot be changed", func(f volumes.Fit) string {
		return fmt.Sprintf("its volume mode is %s, and the claim asks for %s", f.Has, f.Wants)
	}},
	volumes.Selector: {"does not match the selector of its claim", "Correct the claim's selector in Git (delete the unbound claim as well: it cannot be changed), or label the volume", func(f volumes.Fit) string {
		return fmt.Sprintf("the claim's selector asks for %s%s", f.Wants, strings.TrimSuffix(message.After(", and it has ", f.Has), "."))
	}},
	volumes.Taken: {"is bound to another claim", "Create a PersistentVolume for this claim, or remove the other claim if nothing uses it: a volume takes one claim", func(f volumes.Fit) string {
		return "it is bound to " + cmp.Or(message.After("claim ", f.Has), "a claim in another namespace")
	}},
	volumes.Reserved: {"is reserved for a claim that was deleted", "Save or delete what is on the volume, then remove its claimRef, which makes it free again; or create another volume", func(f volumes.Fit) string {
		return fmt.Sprintf("it is still reserved for a claim%s that was deleted", message.After(" named ", f.Has))
	}},
}
