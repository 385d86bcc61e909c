package hooks

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/text"
)

// maxSaid is how much of a log line a report quotes, in bytes. Of a longer one it quotes the end, where the cause is.
const maxSaid = 300

// lastWords is the line of the hook's log that decides, for people. Without a log it is what the container left behind as its
// termination message. names is false where no line names an error.
func (h *run) lastWords() (line string, names bool) {
	if h.words == nil {
		line, names = h.findWords()
		h.words = &words{line, names}
	}
	return h.words.line, h.words.names
}

// words is a line and whether it names an error.
type words struct {
	line  string
	names bool
}

func (h *run) findWords() (line string, names bool) {
	line, names = message.Telling(h.log.Text)
	if line == "" {
		line, names = message.Telling(pods.TerminationMessage(h.podNode, h.pod))
	}
	if bare := strings.TrimLeft(message.Plain(line), ". "); bare != "" {
		line = bare
	}
	if len(line) > maxSaid {
		line = message.LastClause(line)
	}
	return line, names
}

// logSays is the error that the log names, in its own words; without any where it names none.
func (h *run) logSays() diagnose.Said {
	if said := h.kubernetesSays(); said != "" {
		return diagnose.Said{Who: "Kubernetes says", Text: said}
	}
	line, names := h.lastWords()
	if !names {
		return diagnose.Said{}
	}
	return diagnose.Said{Who: "Its log says", Text: line}
}

// kubernetesSays is why Kubernetes could not start the hook's container or removed its pod; empty where the hook ended by itself.
func (h *run) kubernetesSays() string {
	switch {
	case h.podNode == nil:
		return ""
	case h.evicted():
		return text.OneLine(cmp.Or(h.pod.Text("status", "message"), pods.TerminationMessage(h.podNode, h.pod)))
	case h.takenAway() != "":
		return text.OneLine(cmp.Or(h.pod.Condition("DisruptionTarget").Text("message"), h.pod.Text("status", "message")))
	case h.neverStarted():
		return pods.Unwrap(pods.TerminationMessage(h.podNode, h.pod))
	}
	return ""
}

// takenAway says, for a title, that the hook did not fail by itself but with its node or for another pod; empty where it was not so.
func (h *run) takenAway() string {
	if h.podNode == nil || h.pod.Text("status", "phase") == "Succeeded" {
		return ""
	}
	reason := cmp.Or(h.pod.Text("status", "reason"), pods.Reason(h.podNode))
	disrupted := h.pod.Condition("DisruptionTarget")
	switch {
	case reason == "Preempting", disrupted.Text("reason") == "PreemptionByScheduler":
		return "was preempted by another pod"
	case reason == "UnexpectedAdmissionError", reason == "NodeAffinity", strings.HasPrefix(reason, "OutOf"):
		return "was refused by its node"
	case pods.Lost(reason), disrupted.Text("reason") == "DeletionByTaintManager", disrupted.Text("reason") == "TerminationByKubelet", disrupted.Text("reason") == "DeletionByPodGC":
		return "was stopped with its node"
	case disrupted.Text("status") == "True":
		return "was evicted from its node"
	}
	return ""
}

func (h *run) evicted() bool { return h.podNode != nil && pods.Reason(h.podNode) == "Evicted" }

// neverStarted reports whether the container runtime could not start the container at all.
func (h *run) neverStarted() bool {
	if h.podNode == nil {
		return false
	}
	reason, _, _ := pods.Ended(h.pod)
	reason = cmp.Or(reason, pods.Reason(h.podNode))
	return reason == "StartError" || reason == "ContainerCannotRun"
}

// silentLog says of a log in which no error was recognised how it ends, or why there is no log at all; empty where one was.
func (h *run) silentLog() string {
	line, names := h.lastWords()
	switch {
	case names, h.kubernetesSays() != "":
		return ""
	case line != "": // whether it names an error in other words, nobody knows
		return fmt.Sprintf("Its log ends with: %s", text.Sentence(line))
	}
	return h.missingLogReason()
}

// logQuote is the log as evidence.
func (h *run) logQuote() []diagnose.Quote {
	if line := message.Decisive(h.log.Text); line != "" {
		return []diagnose.Quote{{From: fmt.Sprintf("log of Pod/%s", h.log.Pod), Text: line}}
	}
	if said := pods.TerminationMessage(h.podNode, h.pod); said != "" {
		return []diagnose.Quote{{From: "termination message of " + h.podNode.Ref().String(), Text: message.Decisive(said)}}
	}
	return nil
}

// missingLogReason says why there is no log line.
func (h *run) missingLogReason() string {
	switch {
	case !h.inTree:
		return "Its pods could not be inspected."
	case h.isGone():
		return "It is no longer in the cluster, so there is no log to read."
	case h.podNode == nil && h.job.Text("spec", "template", "spec", "restartPolicy") == "OnFailure":
		return "Its pod is gone and its log with it: with restartPolicy OnFailure, a Job deletes its pod when it gives up."
	// Kubernetes deletes the pods of a Job that runs out of time.
	case h.podNode == nil && (h.ref.Kind != "Job" || h.jobFailure() == "DeadlineExceeded"):
		return ""
	case h.podNode == nil:
		return "Its pods are gone, so there is no log to read."
	case h.log.Pod == "":
		return "Its log could not be read."
	}
	return "Its log is empty."
}

// keepPods is the step that leaves the log of the next failure readable; nil where a failed pod stays anyway.
func (h *run) keepPods() []diagnose.Fix {
	if h.podNode != nil || h.job.Text("spec", "template", "spec", "restartPolicy") != "OnFailure" {
		return nil
	}
	return []diagnose.Fix{{Text: "In Git, keep the pods of failed attempts, so that their log can be read", Patch: "spec:\n  template:\n    spec:\n      restartPolicy: Never\n"}}
}

// readLogStep is the command that shows the log.
func (h *run) readLogStep() diagnose.Fix {
	switch {
	case h.isGone(), h.podNode == nil && h.job.Text("spec", "template", "spec", "restartPolicy") == "OnFailure" && h.failed:
		return diagnose.Fix{Text: fmt.Sprintf("Look for the log of %s in your log store", h.ref)}
	// Kubernetes deletes the pods of a Job that runs out of time.
	case h.podNode == nil && (h.ref.Kind != "Job" || h.jobFailure() == "DeadlineExceeded"):
		return h.describe("Check its status and events")
	case h.podNode == nil:
		return diagnose.Fix{Text: "Read the log of its pods, if any still exist", Command: diagnose.Shell("kubectl %slogs %s --all-containers", advice.InNamespace(h.ref), h.ref.Resource())}
	}
	flags := diagnose.Raw("")
	name := cmp.Or(pods.FailedContainer(h.podNode), h.log.Container)
	if name == "" && (pods.HasSeveral(h.podNode) || len(pods.ContainerSpecs(h.pod)) > 1) {
		name = pods.TellingContainer(h.pod)
	}
	if name != "" {
		flags = diagnose.Raw(diagnose.Shell(" -c %s", name))
	}
	said := "Read the full log of its pod"
	if pods.LogQuery(h.podNode).Previous {
		flags += " --previous"
		said = "Read the full log of the previous run"
	}
	return diagnose.Fix{Text: said, Command: diagnose.Shell("kubectl %slogs %s%s", advice.InNamespace(h.podNode.Ref()), h.podNode.Ref().Resource(), flags)}
}

// exitClause says how the pod's container ended: "exited 3", "ran out of memory (OOMKilled)".
func (h *run) exitClause() string {
	if h.podNode == nil {
		return ""
	}
	said := ""
	if h.podNode.Health != nil {
		said = h.podNode.Health.Message
	}
	reason, code, ended := pods.Ended(h.pod)
	if _, rest, ok := strings.Cut(said, "exit code "); ok && !ended {
		code, ended = pods.LeadingNumber(rest)
	}
	switch {
	case h.evicted():
		return "was evicted from its node"
	case h.takenAway() != "":
		return h.takenAway()
	case h.neverStarted():
		return "cannot start its container"
	case pods.Reason(h.podNode) == "OOMKilled", reason == "OOMKilled", said == "OOMKilled":
		return "ran out of memory (OOMKilled)"
	case ended && code != 0:
		return fmt.Sprintf("exited %d", code)
	}
	return ""
}

// exitMeaning says what an exit code means that a shell or the kernel gave, and not the program.
func (h *run) exitMeaning() string {
	switch exit := h.exitClause(); exit {
	case "exited 126":
		return "Exit code 126 usually means that its command exists, but cannot be executed."
	case "exited 127":
		return "Exit code 127 usually means that its command was not found."
	case "exited 137":
		return "Exit code 137 means that it was killed from outside: for example for lack of memory, or with its node or its Job."
	case "exited 139":
		return "Exit code 139 means that it crashed with a segmentation fault."
	case "exited 143":
		return "Exit code 143 means that it was asked to stop, for example with its node or its Job."
	}
	return ""
}
