package health

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/text"
)

var ContainerCreate = &diagnose.Rule{
	ID:    "health/container-create",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Container cannot be created or started",
		What:     "The image is there, but the container runtime cannot create the container or start its process: the command does not exist in the image or is not executable, a mount fails, or the runtime of the node does not answer. The process never ran, so there is no log.",
		Decisive: "CreateContainerError, RunContainerError, StartError or ContainerCannotRun of a container, and what the runtime says.",
		Example:  "failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: \"/app/server\": stat /app/server: no such file or directory: unknown",
		Fix:      "Correct the command, the mount or the image; if the runtime of the node does not answer, look at the node.",
		Links:    []string{"https://kubernetes.io/docs/tasks/debug/debug-application/debug-pods/", "https://kubernetes.io/docs/tasks/inject-data-application/define-command-argument-container/"},
	},
	Sync:       alreadyApplied,
	Recognises: about{{pod: pods.NotCreated}},
	Check: reporting(func(in *diagnose.In, p *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		a := &s.Symptom
		if a.Text == "" {
			if e := runtimeEvent(s); e != "" {
				a.Text = e
			}
		}
		said := runtimeWords(a.Text)
		w := runtimeFailure(s, said)
		if w.lacksProgram {
			withPredecessor(in, p, s, &w)
		}
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(said != ""),
			Title:      fmt.Sprintf("%s: %s %s", s.Ref, s.Container(), startClause(a)),
			Why:        text.Paragraph(w.why, s.Restarts(), w.before),
			Says:       says("The container runtime says", cmp.Or(w.said, said)),
			Whole:      w.short != "",
			Fix:        append(w.fix, s.Describe("Show the container's state and events")),
			OutsideGit: w.onNode,
		}
		if w.short != "" {
			f.Title = fmt.Sprintf("%s: %s", s.Ref, w.short)
		}
		if _, after, ok := strings.Cut(w.short, ": "); ok && !in.Fits(w.short) { // a long path: its last part says which program
			if after = longPath.ReplaceAllString(after, "$1"); strings.HasSuffix(after, "is not executable") {
				after = "command " + after
			}
			f.Short = text.UpperFirst(after)
		}
		if name := s.Object.Text("spec", "nodeName"); w.onNode && name != "" {
			f.Fix = append(f.Fix, describeNode(name))
		}
		if w.onNode || w.restarts {
			return f, true
		}
		return s.AfterFix(f), true
	}),
}

// startClause says what the runtime could not do, for a title.
func startClause(a *pods.Symptom) string {
	if a.Reason == "CreateContainerError" {
		return "cannot be created"
	}
	return "cannot be started"
}

// runtimeEvent is what the kubelet last said about a container that it could not create, where its state says nothing.
func runtimeEvent(s *unhealthy.Resource) string {
	for i := len(s.Events) - 1; i >= 0; i-- {
		if e := &s.Events[i]; e.Reason == "Failed" && strings.HasPrefix(e.Message, "Error: ") && strings.Contains(e.Message, " ") {
			return e.Message
		}
	}
	return ""
}

var (
	// crioWords is how CRI-O shows what runc or crun logged.
	crioWords = pattern.MustCompile(`^.*level=error msg="((?:[^"\\]|\\.)*)".*$`)
	// runtimeWrapping is what the kubelet and the runtime put around the error that decides.
	runtimeWrapping = pattern.MustCompile(`^(?:Error: |container create failed: |failed to create containerd (?:task|container): |failed to start container "[^"]*": |error during container init: |container_linux\.go:\d+: |process_linux\.go:\d+: |rootfs_linux\.go:\d+: |starting container process caused:? |container init caused:? |failed to generate container "[^"]*" spec: |failed to generate spec: |failed to apply OCI options: )+`)
	execCommand     = pattern.MustCompile(`^exec: "([^"]+)": (.*)$`)
	crunCommand     = pattern.MustCompile("executable file [`']([^`']+)[`'] not found(?: in \\$PATH)?: ([^:]+)") // that of crun
	rootfsMount     = pattern.MustCompile(`(?:error )?mounting \\?"([^"\\]*)\\?" to rootfs (?:\\?"[^"\\]*\\?" )?at \\?"([^"\\]+)\\?".*(?:: |caused:? )\\?"?([^:"\\]+)\\?"?$`)
	mergedRoot      = pattern.MustCompile(`^/var/lib/(?:docker|containerd|containers)/\S+?/(?:merged|rootfs)(/.*)$`)
	kubeletVolume   = pattern.MustCompile(`/(?:volume-subpaths|volumes/kubernetes\.io~[^/]+)/([^/]+)`)
)

// runtimeWords are the words of the container runtime without their wrapping.
func runtimeWords(said string) string {
	said = pods.Unwrap(said)
	if m := crioWords.FindStringSubmatch(said); m != nil {
		said = strings.ReplaceAll(m[1], `\"`, `"`)
	}
	for {
		out := pods.Unwrap(runtimeWrapping.ReplaceAllString(said, ""))
		if out == said {
			return said
		}
		said = out
	}
}

// runtimeTrouble is why the runtime cannot create or start a container: what to call it, what it means, what helps. onNode: it is the
// node's trouble and not that of the manifests; restarts: the fix itself replaces the pod; said: what of the runtime's words to quote instead of all of them.
type runtimeTrouble struct {
	short, why, said string
	fix              []diagnose.Fix
	onNode           bool
	restarts         bool
	// lacksProgram: the image has no program of the name that the container is to run.
	lacksProgram bool
	// before: a pod of the version before runs well.
	before string
}

func runtimeFailure(s *unhealthy.Resource, said string) runtimeTrouble {
	lower := strings.ToLower(said)
	if m := execCommand.FindStringSubmatch(said); m != nil {
		return commandFailure(s, m[1], strings.ToLower(m[2]))
	}
	if m := crunCommand.FindStringSubmatch(said); m != nil {
		return commandFailure(s, m[1], strings.ToLower(m[2]))
	}
	switch {
	case message.HasAny(lower, "exec format error"):
		return runtimeTrouble{why: otherPlatform, fix: platformSteps(s, s.ContainerSpec().Text("image"))}
	case strings.Contains(lower, "path escapes from parent"):
		return escapingLink(said)
	case message.HasAny(lower, "no command specified"):
		return runtimeTrouble{short: s.Container() + " has no command", why: "Neither the pod nor the image says what to run.", fix: []diagnose.Fix{{Text: "Set its command in Git, or an ENTRYPOINT in the image", Patch: s.PatchContainer(`command: ["/path/to/program"]`)}}}
	case rootfsMount.MatchString(said):
		return mountFailure(s, rootfsMount.FindStringSubmatch(said))
	case strings.Contains(lower, "lifecycle hook"):
		return hookFailure(s, said)
	case missingOnNode.MatchString(said):
		path := missingOnNode.FindStringSubmatch(said)[1]
		return runtimeTrouble{short: path + " does not exist on the node", why: "The pod mounts it from the node, as a hostPath or device.", fix: advice.Steps("Create it on the node, let the pod run on nodes that have it, or correct the path in Git")}
	case message.HasAny(lower, "content digest", "get image config", "failed to get image", "unexpected media type"):
		return runtimeTrouble{short: "image on the node is damaged", why: "The runtime lacks parts of the image that it pulled.", fix: advice.Steps("Remove the image on that node, so that it is pulled again (crictl rmi), or drain the node"), onNode: true}
	case message.HasAny(lower, "shared mount", "slave mount"):
		return runtimeTrouble{why: "A volume uses mount propagation, which the node does not allow for that path.", fix: []diagnose.Fix{{Text: "Remove mountPropagation from the volume mount in Git, or make the path a shared mount on the node"}}}
	case kubeletFile.MatchString(said):
		return onKubelet(s, kubeletFile.FindStringSubmatch(said))
	case message.HasAny(lower, "subpath"):
		return runtimeTrouble{why: "The subPath of a volume mount cannot be prepared.", fix: []diagnose.Fix{{Text: "Check that the subPath in Git exists in the volume and has the type (file or directory) that is expected"}}}
	case message.HasAny(lower, "nvidia", "libnvidia", "running hook", "cdi device"):
		return runtimeTrouble{why: "A hook of the node's runtime fails, usually that of the GPU driver.", fix: []diagnose.Fix{{Text: "Check the GPU driver and its container toolkit on the node"}}, onNode: true}
	case message.HasAny(lower, "no space left"):
		return runtimeTrouble{short: "disk of the node is full", why: "The runtime cannot write the container's file system.", fix: []diagnose.Fix{{Text: "Free disk space on the node, or drain it"}}, onNode: true}
	case message.HasAny(lower, "deadline exceeded", "timed out", "timeout"):
		return runtimeTrouble{short: "container runtime does not answer in time", why: "The node, its disk or its container runtime is overloaded, or hangs.", fix: []diagnose.Fix{{Text: "Check the load and disk of the node; if it stays like this, restart the container runtime there, or drain the node"}}, onNode: true}
	case message.HasAny(lower, "is reserved for", "name is reserved"):
		return runtimeTrouble{short: "container runtime does not answer on the node", why: "An earlier attempt to create the container has not finished: the node, its disk or its runtime is overloaded, or hangs.", fix: []diagnose.Fix{{Text: "Check the load and disk of the node; if it stays like this, restart the container runtime there, or drain the node"}}, onNode: true}
	case message.HasAny(lower, "unable to find user", "no matching entries in passwd", "no users found"):
		return runtimeTrouble{why: "The user that the container should run as does not exist in the image.", fix: []diagnose.Fix{{Text: "Use a numeric user ID in Git, or create the user in the image", Patch: s.PatchContainer("securityContext:", "  runAsUser: 1000   # a user ID of the image")}}}
	case message.HasAny(lower, "error setting cgroup config", "unable to apply cgroup configuration", "unable to freeze"):
		return runtimeTrouble{short: "cgroups of the node do not work", why: "The runtime cannot put the container into a cgroup: the kernel, systemd or the runtime of the node is at fault.", fix: []diagnose.Fix{{Text: "Restart the container runtime and the kubelet on the node, or drain and reboot it; check that both use the same cgroup driver"}}, onNode: true}
	case message.HasAny(lower, "memory limit", "memory.max", "oom"):
		limit := s.ContainerSpec().Text("resources", "limits", "memory")
		return runtimeTrouble{short: s.Container() + ": memory limit is too low to start it", why: text.Sentence("The runtime itself needs more to start a process" + message.After(" than the limit of ", limit)), fix: []diagnose.Fix{{Text: "Raise the memory limit in Git; check its unit, such as 64Mi", Patch: s.PatchContainer("resources:", "  limits:", "    memory: 128Mi"+message.After("   # now ", limit))}}}
	case message.HasAny(lower, "apparmor", "seccomp", "selinux", "capabilit", "cgroup", "operation not permitted"):
		return runtimeTrouble{why: "The node does not accept the container's isolation.", fix: []diagnose.Fix{{Text: "Correct the container's security context in Git, or set up on the node what it asks for"}}}
	case message.HasAny(lower, "chdir", "cwd", "working directory"):
		return runtimeTrouble{why: "Its working directory does not exist, or its user may not enter it.", fix: []diagnose.Fix{{Text: "Correct workingDir in Git, or WORKDIR and its permissions in the image"}}}
	}
	return runtimeTrouble{fix: advice.Steps("Check what the runtime names: the container's command, mounts or security context in Git, else the image or the node")}
}

// kubeletFile matches what cannot be made in the directory that the kubelet keeps for each pod: no volume has that, and nothing in Git.
var kubeletFile = pattern.MustCompile(`(?:^|[\s:])(?:mkdir|mknod|open|create|creating file|mkdirat) "?(/\S*?/pods/[0-9a-f-]{36}/(?:volume-subpaths|containers|etc-hosts|plugins)\b[^\s":]*)"?: (file exists|permission denied|operation not permitted|read-only file system|input/output error|no space left on device|structure needs cleaning)`)

// onKubelet is about a file or directory that the kubelet or the runtime cannot make for a pod on its node.
func onKubelet(s *unhealthy.Resource, m []string) runtimeTrouble {
	node := s.Object.Text("spec", "nodeName")
	w := runtimeTrouble{
		why:    fmt.Sprintf("On the node%s, the kubelet or the container runtime cannot create a path in the pod's own directory (%s). That path is not in the volume and not in Git.", message.After(" ", node), m[2]),
		said:   strings.TrimLeft(m[0], ": "),
		onNode: true,
	}
	if s.Pod != nil {
		w.fix = append(w.fix, diagnose.Fix{Text: "Delete the pod: its replacement gets a directory of its own", Command: diagnose.Shell("kubectl %sdelete pod %s", advice.InNamespace(s.Pod.Ref()), s.Pod.Name)})
	}
	again := "If it returns, check the node: its disk, and the versions of its kubelet and container runtime"
	if node != "" {
		w.fix = append(w.fix, diagnose.Fix{Text: again + "; until then keep pods off it", Command: diagnose.Shell("kubectl cordon %s", node)})
		return w
	}
	w.fix = append(w.fix, diagnose.Fix{Text: again})
	return w
}

// otherPlatform is what "exec format error" means.
const otherPlatform = "The program was built for another architecture than the node's, or is a script without #! in its first line."

// missingOnNode is how containerd says that a path of the node, which the pod mounts, is not there.
var missingOnNode = pattern.MustCompile(`^failed to stat "([^"]+)": stat \S+: no such file or directory`)

// hookWords are those of a postStart hook behind the kubelet's.
var hookWords = pattern.MustCompile(`- error: (?:command '.*?' exited with (\d+): ?)?(.*?)(?:, message: "(.*)")?$`)

// hookFailure is about a postStart hook of a container: the kubelet ends a container whose hook fails.
func hookFailure(s *unhealthy.Resource, said string) runtimeTrouble {
	w := runtimeTrouble{
		short: s.Container() + ": its postStart hook fails", why: "The kubelet ends a container whose postStart hook fails.",
		fix: advice.Steps("Correct lifecycle.postStart of the container in Git: its command runs inside the container, with what the image has"),
	}
	if m := hookWords.FindStringSubmatch(said); m != nil {
		w.said = strings.Trim(cmp.Or(m[3], m[2]), `\n" `)
		w.why += message.After(" Its command exited with ", m[1])
		w.why = text.Sentence(w.why)
	}
	return w
}

// openedFile is how Go names the file of a call that failed.
var openedFile = pattern.MustCompile(`(?:openat|open|stat|lstat) (\S+): path escapes from parent`)

// escapingLink is about a file of the image that is a link to an absolute path. Since version 2.2 containerd follows no link out of the
// image when it looks up the user there.
func escapingLink(said string) runtimeTrouble {
	file := "a file"
	if m := openedFile.FindStringSubmatch(said); m != nil {
		file = "/" + strings.TrimPrefix(m[1], "/")
	}
	return runtimeTrouble{
		short: fmt.Sprintf("%s of the image is a link that the runtime refuses", file),
		why:   fmt.Sprintf("%s is a link to an absolute path, as in images built with Nix, and containerd 2.2 and newer do not follow it.", text.UpperFirst(file)),
		fix: []diagnose.Fix{
			{Text: fmt.Sprintf("Build the image with a real %s, or with a relative link", file)},
			{Text: "Show the container runtime's version of each node", Command: "kubectl get nodes -o wide"},
		},
	}
}
