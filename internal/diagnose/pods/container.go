package pods

import (
	"cmp"
	"slices"

	"github.com/argo-why/argo-why/internal/evidence"
)

// References are the Secrets and ConfigMaps that a pod's containers take their environment from.
func References(pod evidence.Object) []evidence.Ref {
	var out []evidence.Ref
	for _, kind := range []string{"initContainers", "containers"} {
		for _, c := range pod.List("spec", kind) {
			for _, e := range append(c.List("env"), c.List("envFrom")...) {
				for _, r := range []evidence.Ref{
					{Kind: "Secret", Name: cmp.Or(e.Text("valueFrom", "secretKeyRef", "name"), e.Text("secretRef", "name"))},
					{Kind: "ConfigMap", Name: cmp.Or(e.Text("valueFrom", "configMapKeyRef", "name"), e.Text("configMapRef", "name"))},
				} {
					if r.Name != "" {
						out = append(out, r)
					}
				}
			}
		}
	}
	return out
}

// ImageOf is the image of a container of a pod; of the first where it is not known which.
func ImageOf(pod evidence.Object, container string) string {
	for _, c := range ContainerSpecs(pod) {
		if container == "" || c.Text("name") == container {
			return c.Text("image")
		}
	}
	return ""
}

func isRunning(c container) bool { return c.status.At("state", "running") != nil }

// container is one container of a pod, with its specification and its state.
type container struct {
	name         string
	init         bool
	spec, status evidence.Object
}

// containersOf lists the containers of a pod that have a state, init containers first.
func containersOf(pod evidence.Object) []container {
	specs := map[string]evidence.Object{}
	for _, c := range slices.Backward(ContainerSpecs(pod)) { // of one name the first
		specs[c.Text("name")] = c
	}
	var out []container
	for _, list := range []string{"initContainerStatuses", "containerStatuses"} {
		for _, st := range pod.List("status", list) {
			name := st.Text("name")
			out = append(out, container{name: name, init: list == "initContainerStatuses", status: st, spec: specs[name]})
		}
	}
	return out
}

// ContainerSpecs are the specifications of a pod's containers, init containers first.
func ContainerSpecs(pod evidence.Object) []evidence.Object {
	return append(pod.List("spec", "initContainers"), pod.List("spec", "containers")...)
}

// ContainerSpec is the specification of one container, nil where there is none of that name.
func ContainerSpec(pod evidence.Object, name string) evidence.Object {
	for _, c := range ContainerSpecs(pod) {
		if c.Text("name") == name {
			return c
		}
	}
	return nil
}

// ready reports whether nothing is wrong with the container: an init container that is through counts.
func (c container) ready() bool {
	if done, ok := c.status.Number("state", "terminated", "exitCode"); ok && c.init {
		return done == 0
	}
	if c.init && c.spec.Text("restartPolicy") != "Always" {
		return false
	}
	ready, _ := c.status.At("ready").(bool)
	return ready
}

func (c container) restarts() int {
	n, _ := c.status.Number("restartCount")
	return int(n)
}

// ended is how the container ended last: in its state, else in the one before. ok is false when it never did.
func (c container) ended() (reason string, code int, ok bool) {
	for _, state := range []string{"state", "lastState"} {
		if n, ended := c.status.Number(state, "terminated", "exitCode"); ended {
			return c.status.Text(state, "terminated", "reason"), int(n), true
		}
	}
	return "", 0, false
}

// message is what the container left behind when it ended (terminationMessagePath).
func (c container) message() string {
	return cmp.Or(c.status.Text("state", "terminated", "message"), c.status.Text("lastState", "terminated", "message"))
}
