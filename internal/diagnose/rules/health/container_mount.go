package health

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
)

// longPath is a path, of which the last part is kept.
var longPath = pattern.MustCompile(`\.?/\S*/(\S+)`)

// scriptName is the name of a shell script.
var scriptName = pattern.MustCompile(`\.(?:sh|bash)$`)

// configVolume is the volume of configuration that a file of the container comes from, and what it is made of; empty where it comes from
// somewhere else.
func configVolume(s *unhealthy.Resource, file string) (kind, name string) {
	mount := mountOver(s.ContainerSpec(), file)
	if mount == nil {
		return "", ""
	}
	for _, v := range s.Object.List("spec", "volumes") {
		if v.Text("name") != mount.Text("name") {
			continue
		}
		switch {
		case v.At("configMap") != nil:
			return "ConfigMap", v.Text("name")
		case v.At("secret") != nil:
			return "Secret", v.Text("name")
		case v.At("projected") != nil:
			return "projected volume", v.Text("name")
		}
	}
	return "", ""
}

// mountErrno is the reason of a mount that fails, where more stands behind it.
var mountErrno = pattern.MustCompile(`: (not a directory|is a directory|no such file or directory)(?:: unknown)?: Are you trying to mount`)

// mountFailure is about a volume that cannot be mounted at a path: source, path and reason as the runtime names them.
func mountFailure(s *unhealthy.Resource, m []string) runtimeTrouble {
	at, reason := m[2], strings.TrimSpace(m[3])
	if m := mountErrno.FindStringSubmatch(m[0]); m != nil { // runc adds a question behind it
		reason = m[1]
	}
	if root := mergedRoot.FindStringSubmatch(at); root != nil {
		at = root[1]
	}
	source := m[1]
	if v := kubeletVolume.FindStringSubmatch(m[1]); v != nil {
		source = "volume " + v[1]
	}
	if strings.Contains(m[1], "/volume-subpaths/") && strings.Contains(reason, "no such file") && s.Pod != nil {
		return runtimeTrouble{
			short: "mount at " + at + " is stale", why: fmt.Sprintf("The kubelet prepared a subPath of %s for this pod, and what it prepared no longer exists: that happens when the ConfigMap or Secret changes and the container restarts.", source), said: reason,
			fix: []diagnose.Fix{
				{Text: "Delete the pod: its replacement gets the volumes as they are now", Command: diagnose.Shell("kubectl %sdelete pod %s", advice.InNamespace(s.Pod.Ref()), s.Pod.Name)},
				{Text: "If it returns, check in Git that the subPath is a key that exists, or mount the whole volume into a directory, without subPath"},
			},
			restarts: true,
		}
	}
	w := runtimeTrouble{short: "mount at " + at + " fails", why: fmt.Sprintf("The container runtime cannot mount %s there.", source), said: reason}
	fix := fmt.Sprintf("In Git, check the volume mount of %s: its volume, subPath and mountPath", at)
	switch lower := strings.ToLower(reason); {
	case message.HasAny(lower, "not a directory", "is a directory"):
		fix = fmt.Sprintf("In Git, correct subPath and mountPath of %s: a file can only be mounted onto a file, so the subPath must be a key of the ConfigMap or Secret that exists", at)
	case message.HasAny(lower, "read-only file system"):
		fix = fmt.Sprintf("In Git, mount it elsewhere: %s is in a read-only volume or file system, so the mount point cannot be created", at)
	}
	w.fix = []diagnose.Fix{{Text: fix}}
	return w
}

// hiddenBy names the volume that is mounted over the directory of a command; empty where none is.
func hiddenBy(container evidence.Object, command string) string {
	if m := mountOver(container, command); m != nil {
		return fmt.Sprintf("Volume %s is mounted at %s and hides what the image has there.", m.Text("name"), strings.TrimSuffix(m.Text("mountPath"), "/"))
	}
	return ""
}

// mountOver is the volume mount that a file lies in; nil where it is one of the image.
func mountOver(container evidence.Object, file string) evidence.Object {
	for _, m := range container.List("volumeMounts") {
		at := strings.TrimSuffix(m.Text("mountPath"), "/")
		if at != "" && (file == at || strings.HasPrefix(file, at+"/")) {
			return m
		}
	}
	return nil
}
