package health

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/text"
)

// commandFailure is about the command of a container.
func commandFailure(s *unhealthy.Resource, command, answer string) runtimeTrouble {
	image := s.ContainerSpec().Text("image")
	from := "The image's ENTRYPOINT or CMD names it."
	if s.ContainerSpec().At("command") != nil || s.ContainerSpec().At("args") != nil {
		from = "The manifest's command or args name it."
	}
	patch := s.PatchContainer(otherProgram(s.ContainerSpec(), command))
	switch {
	case strings.HasPrefix(command, "-"):
		w := runtimeTrouble{short: s.Container() + ": flag " + command + " is taken for the command", why: "A command in the manifest replaces the ENTRYPOINT of the image, so that flags belong in args."}
		w.fix = []diagnose.Fix{{Text: "In Git, rename command to args", Patch: s.PatchContainer(fmt.Sprintf("args: [%s]   # and no command", quotedList(s.ContainerSpec(), "command")))}}
		if s.ContainerSpec().At("command") == nil {
			w.why = "The image has no ENTRYPOINT, so the first of its args is taken for the command."
			w.fix = []diagnose.Fix{{Text: "Name the program in Git, in front of its args", Patch: s.PatchContainer(`command: ["/path/to/program"]`)}}
		}
		return w
	case strings.HasPrefix(answer, "stat ") && message.HasAny(answer, "permission denied"):
		return runtimeTrouble{
			short: s.Container() + ": access to " + command + " is denied", why: "The runtime may not even look at the file: a directory on its path is closed to the container's user, or the image is damaged on this node. " + from,
			fix: []diagnose.Fix{
				{Text: "If it happens on this node only, remove the image there and pull it again (crictl rmi), or drain the node"},
				{Text: "If it happens on every node, correct the permissions of the directories on that path in the image, or securityContext.runAsUser in Git"},
			},
		}
	case message.HasAny(answer, "permission denied"):
		return notExecutable(s, command, from)
	case message.HasAny(answer, "is a directory"):
		return runtimeTrouble{short: s.Container() + ": " + command + " is a directory", why: "The command is a directory and not a program.", fix: []diagnose.Fix{{Text: "Correct the command in Git", Patch: patch}}}
	case message.HasAny(answer, "exec format error"):
		return runtimeTrouble{why: otherPlatform, fix: platformSteps(s, image)}
	}
	return runtimeTrouble{
		lacksProgram: true,
		short:        s.Container() + ": command " + command + " not found",
		why:          text.Paragraph(cmp.Or(hiddenBy(s.ContainerSpec(), command), fmt.Sprintf("It does not exist in %s.", cmp.Or(message.After("image ", image), "the image"))), from),
		fix:          []diagnose.Fix{{Text: "Correct the command in Git, or use an image that contains it", Patch: patch}},
	}
}

// notExecutable is about a command that its user may not execute. Only a script has an interpreter to start it with, and only a volume
// of configuration its modes in Git.
func notExecutable(s *unhealthy.Resource, command, from string) runtimeTrouble {
	w := runtimeTrouble{short: s.Container() + ": " + command + " is not executable", why: "The file exists, but the container's user may not execute it. " + from}
	script := scriptName.MatchString(command)
	switch kind, volume := configVolume(s, command); {
	case kind != "":
		w.why = fmt.Sprintf("The file comes from volume %s, a %s, whose files may not be executed unless its defaultMode says so.", volume, kind)
		source := map[string]string{"ConfigMap": "configMap", "Secret": "secret", "projected volume": "projected"}[kind]
		w.fix = []diagnose.Fix{{Text: "Set the defaultMode of that volume in Git; keep its other fields", Patch: s.PatchPod("volumes:", "- name: "+volume, "  "+source+":", "    defaultMode: 0555")}}
	case hiddenBy(s.ContainerSpec(), command) != "":
		w.fix = advice.Steps("Make it executable where that volume gets it from (chmod +x)")
		w.why += " " + strings.Replace(hiddenBy(s.ContainerSpec(), command), " and hides what the image has there", ", so that it comes from there", 1)
	case script:
		w.fix = advice.Steps("Make it executable in the image (COPY --chmod=0755), or by the defaultMode (0555) of the volume that it comes from")
	default:
		w.fix = advice.Steps("Build the image so that the file is executable (COPY --chmod=0755, or chmod +x before it is copied)")
	}
	if script {
		w.fix = append(w.fix, diagnose.Fix{Text: "Or start it with sh in Git", Patch: s.PatchContainer(fmt.Sprintf("command: [\"sh\", %q]", command))})
	}
	return w
}
