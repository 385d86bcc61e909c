package rules

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
)

// applied is why a sync does not cure what is applied.
var applied = pointless("what Git wants is applied; a sync changes nothing about it")

// reportingHealth is a check of the resources that belong to the rule. The first is reported in full, further ones are named.
func reportingHealth(report func(in *diagnose.In, p *sickPicture, s *sickResource) (diagnose.Finding, bool)) func(*diagnose.In) diagnose.Outcome {
	return func(in *diagnose.In) diagnose.Outcome {
		p := lookAtHealth(in)
		if p == nil {
			return diagnose.Nothing
		}
		var found []diagnose.Finding
		for _, s := range p.list {
			if s.rule != in.Rule() {
				continue
			}
			f, ok := report(in, p, s)
			switch {
			case !ok:
			case len(found) > 0:
				found[0].Others = append(found[0].Others, s.ref)
			default:
				f.Resource, f.Examined = s.ref, s.examined && s.pod != nil
				if len(f.Evidence) == 0 {
					f.Evidence = s.quotes()
				}
				found = append(found, withDrift(in, s, f))
			}
		}
		// What is not a pod is told by its kind, so that only an unread pod may suffer from something else.
		if len(found) == 0 && p.unread && (p.tree == nil || len(p.list) > 0 && p.list[0].pod != nil) {
			return diagnose.Unknown
		}
		return diagnose.Found(found...)
	}
}

// withDrift says what a sync would do besides, when the application is out of sync as well.
func withDrift(in *diagnose.In, s *sickResource, f diagnose.Finding) diagnose.Finding {
	switch {
	case f.Sync.Verdict != "" || in.App().Status.Sync.Status != "OutOfSync":
	case s.outOfSync:
		f.Sync = diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: fmt.Sprintf("%s differs from Git, and whether what Git has is better is not known", s.ref)}
		f.Why += fmt.Sprintf(" %s differs from Git, too: what runs is not what Git has.", s.ref)
	default:
		f.Sync = pointless(fmt.Sprintf("%s is as Git wants it; a sync would change other resources, which are out of sync", s.ref))
	}
	return f
}

// pastPatience reports whether a resource is called sick where nothing says why.
func (s *sickResource) pastPatience() bool { return s.status == "Degraded" || s.since >= patience }

// who is the container in question for a sentence: "container web", "init container wait-for-db".
func (a *ailment) who() string {
	switch {
	case a.container == "":
		return "a container"
	case a.init:
		return "init container " + a.container
	}
	return "container " + a.container
}

// often says how many times the container was started again.
func (a *ailment) often() string {
	switch {
	case a.restarts == 1:
		return ", restarted once"
	case a.restarts > 1:
		return fmt.Sprintf(", restarted %d times", a.restarts)
	}
	return ""
}

// said is what Kubernetes says in one clause, with its reason in front where the text does not hold it.
func (a *ailment) said() string { return waiting{reason: a.reason, text: unwrap(a.text)}.short() }

// quoted is how much of a text evidence shows: what decides often stands at the end of five wrappings.
const quoted = 600

// quote is the ailment as evidence: nothing taken out of the text, and the exit code beside the reason.
func (a *ailment) quote() string {
	text := message.Clip(message.OneLine(a.text), quoted)
	reason := a.reason
	if a.exited && reason != "" {
		reason += fmt.Sprintf(", exit code %d", a.exit)
	}
	switch {
	case text == "" && reason == "" && a.container != "":
		return a.who() + ": running, not ready"
	case text == "" || reason == "" || strings.Contains(text, reason):
		return cmp.Or(text, reason)
	}
	return reason + ": " + text
}

// quotes are the ailment as evidence: what the pod or resource says, and the line of the log.
func (s *sickResource) quotes() []diagnose.Quote {
	out := []diagnose.Quote{{From: cmp.Or(s.symptom.from, s.ref.String()), Text: cmp.Or(s.symptom.quote(), s.text, "health "+s.status)}}
	if s.text != "" && s.text != s.symptom.text {
		out = append(out, diagnose.Quote{From: s.ref.String(), Text: s.text})
	}
	if line := s.logLine(); line != "" {
		out = append(out, diagnose.Quote{From: s.logName(), Text: line})
	}
	return out
}

// logLine is the line of the log that tells, "" without a log.
func (s *sickResource) logLine() string { return message.Decisive(s.log.Text) }

func (s *sickResource) logName() string {
	if s.log.Previous {
		return "previous log of Pod/" + s.log.Pod
	}
	return "log of Pod/" + s.log.Pod
}

// podName is the pod for a sentence, the resource where there is none.
func (s *sickResource) podName() string {
	if s.pod == nil {
		return s.ref.String()
	}
	return s.pod.Ref().String()
}

// tells is what kubectl is asked about: the pod, else the resource.
func (s *sickResource) tells() evidence.Ref {
	if s.pod == nil {
		return s.ref
	}
	return s.pod.Ref()
}

// describe is the command that shows it with its events.
func (s *sickResource) describe(text string) diagnose.Fix {
	return diagnose.Fix{Text: text, Command: diagnose.Shell("kubectl %sdescribe %s", inNamespace(s.tells()), s.tells().Resource())}
}

// readLog is the command that shows the log that tells.
func (s *sickResource) readLog() diagnose.Fix {
	if s.pod == nil {
		return s.describe("See what it says")
	}
	flags := diagnose.Raw("")
	if s.symptom.container != "" {
		flags = diagnose.Raw(diagnose.Shell(" -c %s", s.symptom.container))
	}
	text := "Read the whole log"
	if s.symptom.restarts > 0 || podReason(s.pod) == "CrashLoopBackOff" {
		flags += " --previous"
		text = "Read the whole log of the run that failed"
	}
	return diagnose.Fix{Text: text, Command: diagnose.Shell("kubectl %slogs %s%s", inNamespace(s.pod.Ref()), s.pod.Name, flags)}
}

// spec is the specification of the container in question, nil when the pod was not read.
func (s *sickResource) spec() evidence.Object {
	return containerSpec(s.object, s.symptom.container)
}

// patchContainer is a piece of the workload's manifest that changes its container.
func (s *sickResource) patchContainer(lines ...string) string {
	list, indent := "containers", "      "
	if s.symptom.init {
		list = "initContainers"
	}
	head := fmt.Sprintf("# on %s\nspec:\n  template:\n    spec:\n", s.ref)
	if s.ref.Kind == "Pod" {
		head, indent = fmt.Sprintf("# on %s\nspec:\n", s.ref), "  "
	}
	return head + indent + list + ":\n" + indent + "- name: " + cmp.Or(s.symptom.container, "CONTAINER") + "\n" +
		indent + "  " + strings.Join(lines, "\n"+indent+"  ") + "\n"
}

// afterFix is what has to be done besides pushing the fix, where Kubernetes does not go on by itself.
func (s *sickResource) afterFix(f diagnose.Finding) diagnose.Finding {
	if s.ref.Kind == "StatefulSet" && s.pod != nil {
		f.Fix = append(f.Fix, diagnose.Fix{
			Text:    "When the fix is applied, delete the pod: a StatefulSet does not replace a pod that never became ready",
			Command: diagnose.Shell("kubectl %sdelete pod %s", inNamespace(s.pod.Ref()), s.pod.Name),
		})
	}
	return f
}

// lasting is a duration with the words in front of it; "" for a moment.
func lasting(words string, d time.Duration) string {
	if d < briefly {
		return ""
	}
	return words + span(d)
}

// forLong is how long it has been so, for the end of a clause in the perfect tense; "" for a moment.
func (s *sickResource) forLong() string { return lasting(" for ", s.since) }

// afterLong is the same for a clause in the present tense.
func (s *sickResource) afterLong() string { return lasting(" after ", s.since) }

// isStill is the health with its time: "has been progressing for 20 min", "is degraded".
func (s *sickResource) isStill() string {
	verb := "is "
	if s.forLong() != "" {
		verb = "has been "
	}
	return verb + strings.ToLower(s.status) + s.forLong()
}
