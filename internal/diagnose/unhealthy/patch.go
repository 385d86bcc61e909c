package unhealthy

import (
	"cmp"
	"fmt"
	"strings"
)

// PatchContainer is a piece of the workload's manifest that changes its container.
func (s *Resource) PatchContainer(lines ...string) string {
	list := "containers:"
	if s.Symptom.Init {
		list = "initContainers:"
	}
	out := []string{"- name: " + cmp.Or(s.Symptom.Container, "CONTAINER")}
	for _, line := range lines {
		out = append(out, "  "+line)
	}
	return s.PatchPod(list, out...)
}

// PatchPod is a piece of the workload's manifest that changes the specification of its pods.
func (s *Resource) PatchPod(field string, lines ...string) string {
	at, path := fmt.Sprintf("# on %s\n", s.Ref), s.templatePath()
	switch {
	case s.Of.Name != "":
		at, path = fmt.Sprintf("# in the pod template that %s produces for %s\n", s.Of, s.Ref), nil
	case path == nil:
		at = fmt.Sprintf("# in the pod template that %s produces\n", s.Ref)
	}
	indent := ""
	for _, key := range path {
		at += indent + key + ":\n"
		indent += "  "
	}
	return at + indent + field + "\n" + indent + strings.Join(lines, "\n"+indent) + "\n"
}

// templatePath is where the manifest of a resource has the specification of its pods; nil for a kind of which that is not known.
func (s *Resource) templatePath() []string {
	switch s.Ref.Kind {
	case "Pod":
		return []string{"spec"}
	case "CronJob":
		return []string{"spec", "jobTemplate", "spec", "template", "spec"}
	case "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ReplicationController", "Job", "Rollout":
		return []string{"spec", "template", "spec"}
	}
	return nil
}
