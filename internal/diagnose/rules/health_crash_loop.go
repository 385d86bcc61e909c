package rules

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
)

var healthCrashLoop = &diagnose.Rule{
	ID:    "health/crash-loop",
	Needs: healthNeeds,
	Doc: diagnose.Doc{
		Title:    "A container ends again and again",
		What:     "A container of the workload (or one of its init containers or sidecars) ends with an error, or cannot even be started, and Kubernetes tries again in ever longer intervals. The log of the run before says why; the Deployment only says that it exceeded its progress deadline.",
		Decisive: "CrashLoopBackOff or a non-zero exit code in the container's state; the decisive line of its previous log.",
		Example:  "back-off 5m0s restarting failed container=web pod=web-7d4b9c-x2x9p",
		Fix:      "Repair what the previous log names, push, and let the new pods come up.",
		Links:    []string{"https://kubernetes.io/docs/tasks/debug/debug-application/debug-pods/"},
	},
	Sync:       applied,
	Recognises: about{{pod: troubleCrash}},
	Check: reportingHealth(func(_ *diagnose.In, _ *sickPicture, s *sickResource) (diagnose.Finding, bool) {
		a, line := &s.symptom, s.logLine()
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(s.object != nil || a.exited),
			Title:      fmt.Sprintf("%s: %s %s", s.ref, a.who(), ends(a)),
			Why:        fmt.Sprintf("%s: %s %s%s.", s.podName(), a.who(), ends(a), a.often()),
			Fix:        []diagnose.Fix{{Text: "Repair what makes it end, and push"}, s.readLog(), s.describe("See its state and events")},
		}
		if made := ends(a); made == "cannot be created" || made == "cannot be started" {
			f.Fix = []diagnose.Fix{{Text: "Correct its command, image, user or security context in Git, and push"}, f.Fix[2]}
		}
		switch text := message.Clip(unwrap(a.text), clause); {
		case line != "":
			short := message.Clip(message.Unstamped(line), clause)
			f.Title += ": " + short
			f.Why += " Its log says: " + sentence(line)
			f.Fix[0].Text = "Repair what the log names, and push: " + short
		case a.text != "" && s.object != nil: // the kubelet's words, or the container's last ones
			f.Title += ": " + text
			f.Why += " " + sentence(upperFirst(text))
		default:
			f.Why += meaning(a) + silence(s)
		}
		return s.afterFix(f), true
	}),
}

// ends is how a container ended, for a title.
func ends(a *ailment) string {
	switch {
	case a.reason == "CreateContainerError", a.reason == "CreateContainerConfigError":
		return "cannot be created"
	case a.reason == "RunContainerError", a.reason == "StartError", a.reason == "ContainerCannotRun":
		return "cannot be started"
	case a.exited && a.exit == 0:
		return "ends without an error, again and again"
	case a.exited:
		return fmt.Sprintf("exits %d", a.exit)
	}
	return "crashes"
}

// meaning is what an exit code says by itself.
func meaning(a *ailment) string {
	if !a.exited {
		return ""
	}
	switch a.exit {
	case 0:
		return " It is through with its work: a workload that is kept running must not end, or belongs into a Job."
	case 126:
		return " Exit code 126: its command is there and cannot be executed."
	case 127:
		return " Exit code 127: its command was not found in the image."
	case 132, 134, 135, 136, 139:
		return fmt.Sprintf(" Exit code %d: the process died of signal %d.", a.exit, a.exit-128)
	case 137:
		return " Exit code 137: it was killed from outside (SIGKILL); Kubernetes does not note that it was for its memory."
	case 143:
		return " Exit code 143: it was asked to end (SIGTERM)."
	}
	return ""
}

// silence says why there is no line of a log.
func silence(s *sickResource) string {
	switch {
	case s.pod == nil:
		return ""
	case !s.examined:
		return " Its log was not read: another resource of this application fails, too."
	case s.log.Pod == "":
		return " Its previous log could not be read."
	}
	return " Its log is empty."
}
