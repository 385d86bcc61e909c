package health

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
)

// withPredecessor says where a pod of the version before still runs the same command of another image: then the new image is what differs.
// The manifest is somebody else's where it comes from a chart.
func withPredecessor(in *diagnose.In, p *unhealthy.Picture, s *unhealthy.Resource, w *runtimeTrouble) {
	chart := advice.Chart(in)
	if chart != "" && len(w.fix) > 0 {
		w.fix[0].Text = fmt.Sprintf("Use an image that contains it, or a version of chart %s that is made for this image. If its values have the command, correct it there", chart)
		w.fix[0].Patch = ""
	}
	old := predecessor(p, s)
	if old == nil {
		return
	}
	o, _ := diagnose.Look(in, evidence.FactObject(old.Query()))
	before, now := pods.ContainerSpec(o, s.Symptom.Container), s.ContainerSpec()
	image := before.Text("image")
	if image == "" || image == now.Text("image") || !reflect.DeepEqual(before.At("command"), now.At("command")) || !reflect.DeepEqual(before.At("args"), now.At("args")) {
		return
	}
	w.before = fmt.Sprintf("%s still runs the same command from image %s.", old.Ref(), image)
	back := diagnose.Fix{Text: "Go back to the image that has it, in Git", Patch: s.PatchContainer("image: " + image)}
	if chart != "" {
		back = diagnose.Fix{Text: fmt.Sprintf("Go back to image %s through the values of chart %s", image, chart)}
	}
	w.fix = append([]diagnose.Fix{back}, w.fix...)
}

// predecessor is a running pod of a Deployment that another ReplicaSet made; nil where there is none.
func predecessor(p *unhealthy.Picture, s *unhealthy.Resource) *evidence.Node {
	if s.Pod == nil || len(s.Pod.ParentRefs) == 0 || s.Ref.Kind != "Deployment" && s.Ref.Kind != "Rollout" {
		return nil
	}
	owned := p.Descendants(s.Ref)
	for i := range owned {
		n := &owned[i]
		if n.Kind == "Pod" && n.HealthStatus() == "Healthy" && pods.Reason(n) == "Running" && len(n.ParentRefs) > 0 && n.ParentRefs[0].Name != s.Pod.ParentRefs[0].Name {
			return n
		}
	}
	return nil
}

// otherProgram is the line of a container that names its program, with the rest of it as it is: its args where the image's ENTRYPOINT is none
// and the first of them is taken for the program.
func otherProgram(container evidence.Object, command string) string {
	field := "command"
	list, _ := container.At(field).([]any)
	if len(list) == 0 {
		if args, _ := container.At("args").([]any); len(args) > 0 && fmt.Sprint(args[0]) == command {
			field, list = "args", args
		}
	}
	const program = `"/path/to/program"`
	if len(list) < 2 || fmt.Sprint(list[0]) != command {
		return fmt.Sprintf("%s: [%s]   # now %q", field, program, command)
	}
	_, rest, _ := strings.Cut(quotedList(container, field), ", ")
	return fmt.Sprintf("%s: [%s, %s]   # first now %q", field, program, rest, command)
}

// quotedList is a list of texts of a container, as a manifest writes it.
func quotedList(container evidence.Object, field string) string {
	list, _ := container.At(field).([]any)
	var out []string
	for _, v := range list {
		out = append(out, fmt.Sprintf("%q", fmt.Sprint(v)))
	}
	return strings.Join(out, ", ")
}
