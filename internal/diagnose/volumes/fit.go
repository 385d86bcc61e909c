package volumes

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/argo-why/argo-why/internal/evidence"
)

// Obstacle is what keeps a claim from a volume.
type Obstacle int

// The obstacles.
const (
	Class Obstacle = iota
	Size
	AccessMode
	VolumeMode
	Selector
	// Taken: another claim has it. Reserved: a claim had it that is gone, and nothing has made it free since.
	Taken
	Reserved
)

// Fit is what is in the way between a claim and one volume; nothing where it may be bound.
type Fit struct {
	Volume    string
	Obstacles []Obstacle
	// Has and Wants are the two sides of the first obstacle; the claim that has the volume, where it is in the same namespace.
	Has, Wants string
}

func (f *Fit) add(o Obstacle, has, wants string) {
	if len(f.Obstacles) == 0 {
		f.Has, f.Wants = has, wants
	}
	f.Obstacles = append(f.Obstacles, o)
}

// Fits are those of a claim and all volumes, in their order.
func Fits(claim evidence.Object, all []evidence.Object) []Fit {
	var out []Fit
	for _, v := range all {
		out = append(out, fit(claim, v))
	}
	return out
}

// Nearest are the volumes of which a single thing keeps the claim, the same of each; free ones come before those that are taken.
func Nearest(fits []Fit) []Fit {
	single := slices.DeleteFunc(slices.Clone(fits), func(f Fit) bool { return len(f.Obstacles) != 1 })
	slices.SortStableFunc(single, func(a, b Fit) int { return int(a.Obstacles[0]) - int(b.Obstacles[0]) })
	for i, f := range single {
		if f.Obstacles[0] != single[0].Obstacles[0] {
			return single[:i]
		}
	}
	return single
}

func fit(claim, volume evidence.Object) Fit {
	f := Fit{Volume: volume.Text("metadata", "name")}
	if has, wants := volume.Text("spec", "storageClassName"), claim.Text("spec", "storageClassName"); has != wants {
		f.add(Class, has, wants)
	}
	has, wants := volume.Text("spec", "capacity", "storage"), claim.Text("spec", "resources", "requests", "storage")
	if smaller(has, wants) {
		f.add(Size, has, wants)
	}
	modes, asked := volume.Texts("spec", "accessModes"), claim.Texts("spec", "accessModes")
	if len(asked) <= maxLabels && slices.ContainsFunc(asked, func(m string) bool { return !slices.Contains(modes, m) }) {
		f.add(AccessMode, strings.Join(modes, ", "), strings.Join(asked, ", "))
	}
	if has, wants := volumeMode(volume), volumeMode(claim); has != wants {
		f.add(VolumeMode, has, wants)
	}
	if has, wants, ok := labels(claim, volume); !ok {
		f.add(Selector, has, wants)
	}
	of, ns := volume.Text("spec", "claimRef", "name"), volume.Text("spec", "claimRef", "namespace")
	near := ns == claim.Text("metadata", "namespace")
	switch {
	case of == "" || near && of == claim.Text("metadata", "name"):
		return f
	case !near: // what is in other namespaces is not this application's to tell
		of = ""
	}
	switch {
	case volume.Text("status", "phase") == "Released":
		f.add(Reserved, of, "")
	default:
		f.add(Taken, of, "")
	}
	return f
}

// maxLabels is the longest selector, or list of access modes, that is compared with every volume: each keeps what it lacks. Nobody writes a longer one.
const maxLabels = 100

// labels compares the labels of a volume with the selector of a claim. Expressions are not compared: what they ask for is not known to be
// missing.
func labels(claim, volume evidence.Object) (has, wants string, ok bool) {
	selector, _ := claim.At("spec", "selector", "matchLabels").(map[string]any)
	if len(selector) > maxLabels {
		return "", "", true
	}
	var lacks, instead []string
	for key, want := range selector {
		if got := volume.Text("metadata", "labels", key); got != want {
			lacks = append(lacks, fmt.Sprintf("%s=%v", key, want))
			if got != "" {
				instead = append(instead, key+"="+got)
			}
		}
	}
	slices.Sort(lacks)
	slices.Sort(instead)
	return strings.Join(instead, ", "), strings.Join(lacks, ", "), len(lacks) == 0
}

func smaller(has, wants string) bool {
	a, errA := resource.ParseQuantity(has)
	b, errB := resource.ParseQuantity(wants)
	return errA == nil && errB == nil && a.Cmp(b) < 0
}

func volumeMode(o evidence.Object) string {
	if mode := o.Text("spec", "volumeMode"); mode != "" {
		return mode
	}
	return "Filesystem"
}
