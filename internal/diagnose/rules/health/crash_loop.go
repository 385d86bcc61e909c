package health

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/text"
)

var CrashLoop = &diagnose.Rule{
	ID:    "health/crash-loop",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "A container ends again and again",
		What:     "A container of the workload (or one of its init containers or sidecars) ends with an error, or cannot even be started, and Kubernetes tries again in ever longer intervals. The log of the run before says why; the Deployment only says that it exceeded its progress deadline.",
		Decisive: "CrashLoopBackOff or a non-zero exit code in the container's state; the decisive line of its previous log.",
		Example:  "back-off 5m0s restarting failed container=web pod=web-7d4b9c-x2x9p",
		Fix:      "Repair what the previous log names, push, and let the new pods come up.",
		Links:    []string{"https://kubernetes.io/docs/tasks/debug/debug-application/debug-pods/"},
	},
	Sync:       alreadyApplied,
	Recognises: about{{pod: pods.Crash}},
	Check: reporting(func(_ *diagnose.In, _ *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		a, line := &s.Symptom, s.LogLine()
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(s.Object != nil || a.Exited),
			Title:      fmt.Sprintf("%s: %s %s", s.Ref, a.Subject(), exitClause(a)),
			Why:        fmt.Sprintf("%s: %s %s%s.", s.PodName(), a.Subject(), exitClause(a), a.Restarted()),
			Fix:        []diagnose.Fix{{Text: "Repair what makes it end, and push"}, s.ReadLog(), s.Describe("See its state and events")},
		}
		if made := exitClause(a); made == "cannot be created" || made == "cannot be started" {
			f.Fix = []diagnose.Fix{{Text: "Correct its command, image, user or security context in Git, and push"}, f.Fix[2]}
		}
		switch said := text.Clip(pods.Unwrap(a.Text), message.MaxClause); {
		case line != "":
			short := text.Clip(message.Unstamped(line), message.MaxClause)
			f.Title += ": " + short
			f.Why += " Its log says: " + text.Sentence(line)
			f.Fix[0].Text = "Repair what the log names, and push: " + short
		case a.Text != "" && s.Object != nil: // the kubelet's words, or the container's last ones
			f.Title += ": " + said
			f.Why += " " + text.Sentence(text.UpperFirst(said))
		default:
			f.Why += exitCodeMeaning(a) + missingLogReason(s)
		}
		return s.AfterFix(f), true
	}),
}

// exitClause is how a container ended, for a title.
func exitClause(a *pods.Symptom) string {
	switch {
	case a.Reason == "CreateContainerError", a.Reason == "CreateContainerConfigError":
		return "cannot be created"
	case a.Reason == "RunContainerError", a.Reason == "StartError", a.Reason == "ContainerCannotRun":
		return "cannot be started"
	case a.Exited && a.Exit == 0:
		return "ends without an error, again and again"
	case a.Exited:
		return fmt.Sprintf("exits %d", a.Exit)
	}
	return "crashes"
}

// exitCodeMeaning is what an exit code says by itself.
func exitCodeMeaning(a *pods.Symptom) string {
	if !a.Exited {
		return ""
	}
	switch a.Exit {
	case 0:
		return " It is through with its work: a workload that is kept running must not end, or belongs into a Job."
	case 126:
		return " Exit code 126: its command is there and cannot be executed."
	case 127:
		return " Exit code 127: its command was not found in the image."
	case 132, 134, 135, 136, 139:
		return fmt.Sprintf(" Exit code %d: the process died of signal %d.", a.Exit, a.Exit-128)
	case 137:
		return " Exit code 137: it was killed from outside (SIGKILL); Kubernetes does not note that it was for its memory."
	case 143:
		return " Exit code 143: it was asked to end (SIGTERM)."
	}
	return ""
}

// missingLogReason says why there is no line of a log.
func missingLogReason(s *unhealthy.Resource) string {
	switch {
	case s.Pod == nil:
		return ""
	case !s.Examined:
		return " Its log was not read: another resource of this application fails, too."
	case s.Log.Pod == "":
		return " Its previous log could not be read."
	}
	return " Its log is empty."
}
