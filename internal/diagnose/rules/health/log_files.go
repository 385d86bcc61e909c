package health

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
)

// absolutePath is a path in a log line, not a place in a source file.
var absolutePath = pattern.MustCompile(`(?:^|[\s"'\x60(=\[,])(/[\w.@%+\-]+(?:/[\w.@%+\-]+)*)/?(?:$|[\s"'\x60),;\]]|: |:$)`)

// intoPath matches what is copied, moved or linked somewhere: of the two paths the second is the one that is written to. Node.js has an
// arrow between them, mv the word "to", Go nothing.
var intoPath = pattern.MustCompile(`(?i)(?:['"] -> ['"]?|cannot (?:move|copy) \S+ to ['"\x60]?|\b(?:rename|link|symlink|copyfile) /\S+ )(/[^\s'":]+)`)

// pathIn is the path that a line is about: the first that it names, or the one that something is written to; empty where it names none.
func pathIn(said string) string {
	if m := intoPath.FindStringSubmatch(said); m != nil {
		return strings.TrimSuffix(m[1], "/")
	}
	if m := absolutePath.FindStringSubmatch(said); m != nil {
		return m[1]
	}
	return ""
}

// writeSteps is what helps a process that may not use a file: its volume may give it the right, or the image has to.
func writeSteps(s *unhealthy.Resource, said string) []diagnose.Fix {
	file := pathIn(said)
	mount := mountOver(s.ContainerSpec(), file)
	group := groupOf(s)
	switch kind := volumeKind(s, mount); {
	case file == "" || s.Object == nil:
		return []diagnose.Fix{{Text: "Give the container's user access to that path: if it is on a volume, give that the group of the user in Git (fsGroup); else change its owner in the image"}}
	case strings.HasSuffix(file, ".sock"):
		return []diagnose.Fix{{Text: fmt.Sprintf("Give the container's user access to the socket %s: in Git, let it run with the group that owns it (supplementalGroups)", file)}}
	case mount == nil && scratchOf(file) != "":
		dir := scratchOf(file)
		return []diagnose.Fix{{Text: fmt.Sprintf("Mount an emptyDir volume at %s in Git, or change its owner in the image to the container's user", dir), Patch: emptyDirPatch(s, dir)}}
	case mount == nil && len(s.ContainerSpec().List("volumeMounts")) > 0:
		return []diagnose.Fix{{Text: fmt.Sprintf("Change the owner of %s in the image to the container's user; it is on no volume. Or mount an emptyDir volume at the directory that it writes to, if the image has nothing there", file)}}
	case mount == nil: // whether it is on a volume is not known
		return []diagnose.Fix{{Text: fmt.Sprintf("Give the container's user access to %s: if a volume is mounted there, give that the group of the user in Git (fsGroup); else change its owner in the image", file)}}
	case kind == "hostPath", kind == "nfs":
		return []diagnose.Fix{{Text: fmt.Sprintf("Change the owner of what volume %s has at %s to the container's user, on the node or server: Kubernetes does not change it for a %s volume", mount.Text("name"), mount.Text("mountPath"), kind)}}
	case kind == "configMap", kind == "secret", kind == "projected":
		return []diagnose.Fix{{Text: fmt.Sprintf("Volume %s at %s is a %s volume, which cannot be written to: let the program write elsewhere; to read or execute, set its defaultMode", mount.Text("name"), mount.Text("mountPath"), kind)}}
	case group != "":
		return []diagnose.Fix{{Text: fmt.Sprintf("Volume %s at %s does not take fsGroup %s, which is set: change the owner of its files in the storage, or with an init container that runs as root", mount.Text("name"), mount.Text("mountPath"), group)}}
	}
	user := cmp.Or(numberText(s.ContainerSpec(), "securityContext", "runAsGroup"), numberText(s.Object, "spec", "securityContext", "runAsGroup"), "1000   # the group that the process runs with")
	said = fmt.Sprintf("Give volume %s, which is mounted at %s, the group of the container's user in Git", mount.Text("name"), mount.Text("mountPath"))
	if volumeKind(s, mount) == "persistentVolumeClaim" {
		said += ". Storage on NFS does not take it: there, change the owner of the files on the server"
	}
	return []diagnose.Fix{{Text: said, Patch: s.PatchPod("securityContext:", "  fsGroup: "+user)}}
}

// readOnlySteps is what helps a process that writes where nothing can be written.
func readOnlySteps(s *unhealthy.Resource, said string) []diagnose.Fix {
	file := pathIn(said)
	mount := mountOver(s.ContainerSpec(), file)
	locked, _ := s.ContainerSpec().At("securityContext", "readOnlyRootFilesystem").(bool)
	switch readOnly, _ := mount.At("readOnly").(bool); {
	case file != "" && mount != nil && readOnly:
		return advice.Steps(fmt.Sprintf("Volume %s is mounted read-only at %s: remove readOnly in Git, or let the program write elsewhere", mount.Text("name"), mount.Text("mountPath")))
	case file != "" && mount != nil:
		return advice.Steps(fmt.Sprintf("Find out why volume %s at %s is read-only: volumes of ConfigMaps and Secrets are, and a disk becomes so after an error", mount.Text("name"), mount.Text("mountPath")))
	case file != "" && s.Object != nil && (locked || scratchOf(file) != "" || len(s.ContainerSpec().List("volumeMounts")) > 0):
		why := ""
		if locked {
			why = ": readOnlyRootFilesystem is set"
		}
		if dir := scratchOf(file); dir != "" {
			return []diagnose.Fix{{Text: fmt.Sprintf("Mount an emptyDir volume at %s in Git%s", dir, why), Patch: emptyDirPatch(s, dir)}}
		}
		return overImage(path.Dir(file), locked)
	}
	return advice.Steps("If that path is on a volume, find out why it is mounted read-only: readOnly in Git, or an error of its disk. Otherwise mount an emptyDir volume there in Git")
}

// overImage is what helps a program that writes into a directory where the image may have files: a volume mounted there hides them.
func overImage(dir string, locked bool) []diagnose.Fix {
	elsewhere := "Let the program write elsewhere, or not at all: its settings, in Git"
	if locked {
		elsewhere = "Let the program write elsewhere, or not at all: its settings, in Git; readOnlyRootFilesystem is set"
	}
	return advice.Steps(elsewhere, fmt.Sprintf("If it must write to %s, mount an emptyDir volume there in Git. That hides what the image has in this directory: let an init container of the same image copy it into the volume first", dir))
}

// scratch are directories that images leave empty, for what a program writes while it runs.
var scratch = pattern.MustCompile(`^(?:/var)?/(?:cache|run|tmp|log)(?:/|$)|/(?:cache|\.cache|tmp|temp|logs?|run)$`)

// scratchOf is the directory for a file that a program writes, where nothing of the image is lost when a volume is mounted over it.
func scratchOf(file string) string {
	for _, dir := range []string{path.Dir(file), file} {
		if scratch.MatchString(dir) && dir != "/var/log" && dir != "/run" && dir != "/var/run" && dir != "/var/cache" {
			return dir
		}
	}
	return ""
}

// emptyDirPatch mounts an empty volume in the container.
func emptyDirPatch(s *unhealthy.Resource, dir string) string {
	name := strings.Trim(strings.NewReplacer("/", "-", ".", "", "_", "-").Replace(strings.ToLower(dir)), "-")
	containers := strings.SplitN(s.PatchContainer("volumeMounts:", "- name: "+name, "  mountPath: "+dir), "containers:", 2)
	if len(containers) < 2 || s.Symptom.Init {
		return s.PatchContainer("volumeMounts:", "- name: "+name+"   # an emptyDir in volumes of the pod", "  mountPath: "+dir)
	}
	return s.PatchPod("volumes:", "- name: "+name, "  emptyDir: {}", "containers:", "- name: "+cmp.Or(s.Symptom.Container, "CONTAINER"), "  volumeMounts:", "  - name: "+name, "    mountPath: "+dir)
}

// volumeKind is what the volume of a mount is made of: "hostPath", "configMap"; empty where that is not known.
func volumeKind(s *unhealthy.Resource, mount evidence.Object) string {
	for _, v := range s.Object.List("spec", "volumes") {
		if v.Text("name") != mount.Text("name") {
			continue
		}
		for _, kind := range []string{"hostPath", "nfs", "configMap", "secret", "projected", "persistentVolumeClaim", "emptyDir", "csi"} {
			if v.At(kind) != nil {
				return kind
			}
		}
	}
	return ""
}

// groupOf is the fsGroup that the pod sets.
func groupOf(s *unhealthy.Resource) string {
	return numberText(s.Object, "spec", "securityContext", "fsGroup")
}

func numberText(o evidence.Object, field ...string) string {
	if n, ok := o.Number(field...); ok {
		return fmt.Sprint(int(n))
	}
	return ""
}
