package render

import (
	"fmt"
	"path"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
)

var DiskFull = &diagnose.Rule{
	ID: "render/disk-full",
	Doc: diagnose.Doc{
		Title:    "A component of Argo CD has no disk space",
		What:     "The repo-server unpacks repositories and charts to /tmp and keys to /dev/shm; the controller writes manifests there to apply them. When such a volume or its node is full, every application that needs it fails.",
		Decisive: "\"no space left on device\" from a component of Argo CD or from a tool that it runs.",
		Example:  "failed to write data to temporary file: write /dev/shm/2083104834: no space left on device",
		Fix:      "Enlarge the volume behind the path, or restart the component, which empties it.",
	},
	Sync: advice.Pointless("Argo CD has no room for the files that it needs"),
	Check: statement.Each(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !f.Has("no space left on device", "disk quota exceeded") || s.Hook() || !ours(f) {
			return diagnose.Finding{}, false
		}
		who, component := writer(f)
		dir, of := fullDirectory(f), diagnose.Raw("")
		if dir != "" {
			of = diagnose.Raw(diagnose.Shell(" %s", dir))
		}
		out := diagnose.Finding{
			Confidence: diagnose.Certain, OutsideGit: true,
			Shared: who,
			Title:  who + " has no disk space left",
			Why:    "Every application that needs this component can fail in the same way.",
			Says:   diagnose.Said{Who: teller(f), Text: underWay(f)},
			Short:  who + " has no disk space left",
			Fix: []diagnose.Fix{
				{Text: "Check which volume is full", Command: diagnose.Shell("kubectl -n %s exec %s -- df -h%s", advice.ArgoNamespace(in), workload(in, component), of)},
				{Text: "Restart the component, which empties its temporary directories (a stopgap)", Command: diagnose.Shell("kubectl -n %s rollout restart %s", advice.ArgoNamespace(in), workload(in, component))},
				enlarge(dir, component),
			},
		}
		if dir != "" {
			out.Title = fmt.Sprintf("%s has no space left in %s", who, dir)
		}
		return out, true
	}),
}

// ours reports whether a component of Argo CD ran out of space: what comes from the API server can be about the disks of others.
func ours(f *message.Failure) bool {
	return f.Stage == message.StageRender || f.Mentions("/dev/shm/", "/tmp/") && !f.Has("admission webhook", "denied the request", "internal error occurred")
}

// writer is the component that ran out of space, and in which workload it runs.
func writer(f *message.Failure) (name, component string) {
	switch {
	case f.Plugin || f.Call == message.CallPlugin:
		return "The plugin sidecar", "repo-server"
	case f.Stage == message.StageApply || f.Stage == message.StagePrune || f.DryRun:
		return "Argo CD's controller", "application-controller"
	}
	return "Argo CD's repo-server", "repo-server"
}

// before is what a tool says in front of the error: what it was doing.
var before = pattern.MustCompile(`(?i)([^\s:]+(?: [^\s:]+){0,7}: (?:no space left on device|disk quota exceeded))`)

// underWay is what the component was doing, with the error; empty where the message does not say it.
func underWay(f *message.Failure) string {
	if m := before.FindStringSubmatch(f.Flat()); m != nil {
		return m[1]
	}
	return ""
}

// noSpace is the path that could not be written.
var noSpace = pattern.MustCompile(`(?:write|mkdir|open|create|symlink|copy_file_range:?|at) '?(/[^\s:']+)`)

// fullDirectory is the directory of the file that could not be written, as far as it tells a volume; empty where no file is named.
func fullDirectory(f *message.Failure) string {
	m := noSpace.FindStringSubmatch(f.Flat())
	switch {
	case m == nil:
		return ""
	case strings.HasPrefix(m[1], "/dev/shm"):
		return "/dev/shm"
	case strings.HasPrefix(m[1], "/tmp/"):
		return "/tmp"
	}
	return path.Dir(m[1])
}

// enlarge is the step that gives the directory more room.
func enlarge(dir, component string) diagnose.Fix {
	if dir == "/dev/shm" {
		return diagnose.Fix{
			Text:  "Mount a larger volume there, where Argo CD's installation is defined (it counts as memory of the container)",
			Patch: "volumes:\n- name: shm\n  emptyDir: {medium: Memory, sizeLimit: 1Gi}\n# container:\nvolumeMounts:\n- {name: shm, mountPath: /dev/shm}\n",
		}
	}
	return diagnose.Fix{Text: fmt.Sprintf("If it fills up again, raise the size of the volume, or the ephemeral-storage of the %s, where Argo CD's installation is defined", strings.ReplaceAll(component, "-c", " c"))}
}
