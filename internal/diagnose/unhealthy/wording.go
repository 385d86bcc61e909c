package unhealthy

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// Overdue reports whether a resource counts as unhealthy even where nothing says why.
func (s *Resource) Overdue() bool { return s.Status == "Degraded" || s.Since >= stuckThreshold }

// Quotes are the symptom as evidence: what the pod or resource says, and the line of the log.
func (s *Resource) Quotes() []diagnose.Quote {
	out := []diagnose.Quote{{From: cmp.Or(s.Symptom.From, s.Ref.String()), Text: cmp.Or(s.Symptom.Quote(), s.Text, "health "+s.Status)}}
	if s.Text != "" && s.Text != s.Symptom.Text {
		out = append(out, diagnose.Quote{From: s.Ref.String(), Text: s.Text})
	}
	if line := s.LogLine(); line != "" {
		out = append(out, diagnose.Quote{From: s.logName(), Text: line})
	}
	return out
}

// LogLine is the decisive line of the log, "" without a log.
func (s *Resource) LogLine() string { return cmp.Or(s.Awaits(), message.Decisive(s.Log.Text)) }

func (s *Resource) logName() string {
	if s.Log.Previous {
		return "previous log of Pod/" + s.Log.Pod
	}
	return "log of Pod/" + s.Log.Pod
}

// PodName is the pod for a sentence, the resource where there is none.
func (s *Resource) PodName() string {
	if s.Pod == nil {
		return s.Ref.String()
	}
	return s.Pod.Ref().String()
}

// Target is what kubectl is asked about: the pod, else the resource.
func (s *Resource) Target() evidence.Ref {
	if s.Pod == nil {
		return s.Ref
	}
	return s.Pod.Ref()
}

// Describe is the command that shows it with its events.
func (s *Resource) Describe(said string) diagnose.Fix {
	return diagnose.Fix{Text: said, Command: diagnose.Shell("kubectl %sdescribe %s", advice.InNamespace(s.Target()), s.Target().Resource())}
}

// ReadLog is the command that shows the decisive log.
func (s *Resource) ReadLog() diagnose.Fix {
	if s.Pod == nil {
		return s.Describe("Show its conditions and events")
	}
	flags := diagnose.Raw("")
	if s.Symptom.Container != "" {
		flags = diagnose.Raw(diagnose.Shell(" -c %s", s.Symptom.Container))
	}
	said := "Read the full log"
	runs := s.Symptom.Trouble == pods.NotReady // then its own log says more than that of the run before
	if !runs && (s.Symptom.Restarts > 0 || pods.Reason(s.Pod) == "CrashLoopBackOff") {
		flags += " --previous"
		said = "Read the full log of the previous run"
	}
	return diagnose.Fix{Text: said, Command: diagnose.Shell("kubectl %slogs %s%s", advice.InNamespace(s.Pod.Ref()), s.Pod.Name, flags)}
}

// ContainerSpec is the specification of the container in question, nil when the pod was not read.
func (s *Resource) ContainerSpec() evidence.Object {
	return pods.ContainerSpec(s.Object, s.Symptom.Container)
}

// AfterFix adds what has to be done besides pushing the fix, where Kubernetes does not continue by itself.
func (s *Resource) AfterFix(f diagnose.Finding) diagnose.Finding {
	switch {
	case s.Pod == nil, s.Owner.Text("spec", "podManagementPolicy") == "Parallel": // such a StatefulSet replaces it
	case s.Ref.Kind == "StatefulSet":
		f.Fix = append(f.Fix, diagnose.Fix{
			Text:    "After syncing the fix, delete the pod: a StatefulSet does not replace one that is not ready",
			Command: diagnose.Shell("kubectl %sdelete pod %s", advice.InNamespace(s.Pod.Ref()), s.Pod.Name),
		})
	case s.Ref.Kind == "Job":
		f.Fix = append(f.Fix, diagnose.Fix{
			Text:    "If the fix changes its manifest, delete the Job before the sync: its pod template cannot be changed",
			Command: diagnose.Shell("kubectl %sdelete %s", advice.InNamespace(s.Ref), s.Ref.Resource()),
		})
	}
	return f
}

// Lasting is a duration with the words in front of it; "" for a moment.
func Lasting(words string, d time.Duration) string {
	if d < SettleThreshold {
		return ""
	}
	return words + text.Age(d)
}

// LogSays quotes the decisive line of the log; without words where there is no log, or where it names no error.
func (s *Resource) LogSays() diagnose.Said {
	line, names := message.Telling(s.Log.Text)
	if line == "" && s.Pod != nil { // what the container left behind for people
		line, names = message.Telling(pods.TerminationMessage(s.Pod, s.Object))
	}
	if !names {
		return diagnose.Said{}
	}
	return diagnose.Said{Who: "Its log says", Text: strings.Replace(message.Plain(line), ": { ", ": ", 1)} // an error of Node.js, printed with its fields
}

// SilentLog says of a log that names no error how it ends; empty where it names one, or there is none.
func (s *Resource) SilentLog() string {
	line, names := message.Telling(s.Log.Text)
	if names || line == "" {
		return ""
	}
	ends := "ends with: " + text.Sentence(message.Plain(line))
	if message.IsAbroad(s.Log.Text) {
		return "Its log " + ends
	}
	return "Its log names no clear error. It " + ends
}

// Container is the container in question for a title that begins with the resource, which need not repeat a name they share.
func (s *Resource) Container() string {
	if s.Symptom.Container == s.Ref.Name && !s.Symptom.Init {
		return "container"
	}
	return strings.TrimPrefix(strings.TrimPrefix(s.Symptom.Subject(), "an "), "a ")
}

// InPod names the pod behind a clause about its resource; "" where the resource is the pod.
func (s *Resource) InPod() string {
	if s.Pod == nil || s.Pod.Ref() == s.Ref {
		return ""
	}
	return " in " + s.Pod.Ref().String()
}

// Restarts says how often the container was restarted, and in which pod; where it was not, only which pod it is about.
func (s *Resource) Restarts() string {
	switch n := s.Symptom.Restarts; {
	case n > 0:
		return fmt.Sprintf("It has been restarted %s%s.", times(n), s.InPod())
	case s.InPod() != "":
		return "Seen" + s.InPod() + "."
	}
	return ""
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return text.Count(n, "time", "times")
}

// ForLong is how long that has been the case, for the end of a clause in the perfect tense; "" for a moment.
func (s *Resource) ForLong() string { return Lasting(" for ", s.Since) }

// PodForLong is for how long its pod has existed, to be put behind a verb: " for 6 min"; empty where that is not known. The resource can
// have been unhealthy for longer.
func (s *Resource) PodForLong() string { return Lasting(" for ", s.podAge) }

// AfterLong is the same for a clause in the present tense.
func (s *Resource) AfterLong() string { return Lasting(" after ", s.Since) }

// IsStill is the health with its time: "has been progressing for 20 min", "is degraded".
func (s *Resource) IsStill() string {
	verb, health := "is ", strings.ToLower(s.Status)
	if s.ForLong() != "" {
		verb = "has been "
	}
	if s.Status == "Unknown" {
		health = "in an unknown state"
	}
	return verb + health + s.ForLong()
}
