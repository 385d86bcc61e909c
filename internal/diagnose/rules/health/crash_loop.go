package health

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/statement"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var CrashLoop = &diagnose.Rule{
	ID:    "health/crash-loop",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Container keeps failing",
		What:     "A container of the workload (or one of its init containers or sidecars) ends with an error, and Kubernetes retries with increasing back-off. The log of the previous run says why; the Deployment only says that it exceeded its progress deadline.",
		Decisive: "CrashLoopBackOff or a non-zero exit code in the container's state; the decisive line of its previous log.",
		Example:  "back-off 5m0s restarting failed container=web pod=web-7d4b9c-x2x9p",
		Fix:      "Read the log of the previous run, fix the error, and push.",
		Links:    []string{"https://kubernetes.io/docs/tasks/debug/debug-application/debug-pods/"},
	},
	Sync:       alreadyApplied,
	Recognises: about{{pod: pods.Crash}},
	Check: reporting(func(in *diagnose.In, _ *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		a, t := &s.Symptom, logTroubleOf(in, s)
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(s.Object != nil || a.Exited),
			Title:      fmt.Sprintf("%s: %s %s", s.Ref, s.Container(), exitClause(a)),
			Why:        text.Paragraph(s.Restarts(), exitCodeMeaning(a)),
			Short:      t.short,
			Refused:    refusedWith(s),
			Fix:        append(t.fix, nextLooks(s)...),
		}
		switch said := s.LogSays(); {
		case said.Text != "":
			if m := forbiddenAccount.FindString(said.Text); m != "" {
				said.Text = m // more of the same may come after it
			}
			f.Says, f.Brief = said, s.Ref.String()
			switch {
			case t.what != "" && vagueEnd.MatchString(said.Text) && in.Fits(fmt.Sprintf("%s: %s %s", s.Ref, s.Container(), t.what)):
				f.Title, f.Brief = fmt.Sprintf("%s: %s %s", s.Ref, s.Container(), t.what), ""
				f.Why = text.Paragraph(fmt.Sprintf("The container %s.", exitClause(a)), f.Why)
			case endFits(in, f.Brief, said.Text):
			case t.what != "" && !endFits(in, "Crash", said.Text): // no part of the line fits, so the title says what it means
				f.Title, f.Brief = fmt.Sprintf("%s: %s %s", s.Ref, s.Container(), t.what), "Crash"
				f.Why = text.Paragraph(fmt.Sprintf("The container %s.", exitClause(a)), f.Why)
			default:
				f.Brief = "Crash"
			}
		case s.SilentLog() != "":
			f.Why = text.Paragraph(f.Why, s.SilentLog())
		case a.Text != "" && s.Object != nil:
			f.Says = says("Its last message was", a.Text)
		default:
			f.Why = text.Paragraph(f.Why, missingLogReason(s))
		}
		if crd := refusedCRD(in, s); !crd.IsZero() {
			f.Role, f.Why = diagnose.RoleEffect, text.Paragraph(f.Why, fmt.Sprintf("The sync failed to apply %s.", crd))
		}
		return s.AfterFix(f), true
	}),
}

// unknownKind is a kind that a program does not find on its API server.
var unknownKind = pattern.MustCompile(`no matches for kind "([^"]+)" in (?:version|group) "([a-z0-9.-]+)|failed to get API group resources: [^:]*: ([a-z0-9.-]+)/|could not find the requested resource \(\w+ \w+\.([a-z0-9.-]+)\)`)

// refusedCRD is the CRD that the log of a container misses, where it is a resource that the sync failed on; the zero reference otherwise.
func refusedCRD(in *diagnose.In, s *unhealthy.Resource) evidence.Ref {
	m := unknownKind.FindStringSubmatch(s.LogSays().Text)
	if m == nil {
		return evidence.Ref{}
	}
	return statement.RefusedCRD(in, m[1], cmp.Or(m[2:]...))
}

// vagueEnd is the end of a chain of reasons that says of nothing in particular what is wrong.
var vagueEnd = pattern.MustCompile(`(?i)(?:^|[: (])(?:no such file or directory|read-only file system|permission denied|operation not permitted|connection refused|no such host|name or service not known|i/o timeout|timed out)[.)]*$`)

// nextLooks are the steps that show more: where something outside ended the process, its events say more than its log.
func nextLooks(s *unhealthy.Resource) []diagnose.Fix {
	if a := &s.Symptom; a.Exited && (a.Exit == 137 || a.Exit == 143) && s.LogSays().Text == "" {
		return []diagnose.Fix{s.Describe("Find in its events what ended it: a failing liveness probe, an eviction, a preemption"), s.ReadLog()}
	}
	steps := []diagnose.Fix{s.ReadLog(), s.Describe("Show the container's state and events")}
	if a := &s.Symptom; a.Exited && a.Exit == 0 && !a.Init && s.Ref.Kind != "Job" && s.Ref.Kind != "CronJob" {
		steps = append([]diagnose.Fix{{Text: "Let its command in Git run a process that stays in the foreground, or make it a Job if its work ends"}}, steps...)
	}
	return steps
}

// endFits reports whether the end of a chain of reasons has room behind the start of a title.
func endFits(in *diagnose.In, before, said string) bool {
	for end := range message.Ends(strings.TrimRight(said, ".;, ")) {
		if in.Fits(before + ": " + end) {
			return true
		}
	}
	return false
}

// exitClause is how a container ended, for a title.
func exitClause(a *pods.Symptom) string {
	switch {
	case a.Exited && a.Exit == 0:
		return "keeps exiting with code 0"
	case a.Exited:
		return fmt.Sprintf("exits %d", a.Exit)
	}
	return "keeps crashing"
}

// signals are the names of those that end a process because of a fault of its own.
var signals = map[int]string{4: "SIGILL", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 11: "SIGSEGV, a segmentation fault"}

// exitCodeMeaning is what an exit code says by itself.
func exitCodeMeaning(a *pods.Symptom) string {
	if !a.Exited {
		return ""
	}
	switch a.Exit {
	case 0:
		return "The process finished without an error, but this kind of workload has to keep running."
	case 126:
		return "Exit code 126: the command exists but cannot be executed."
	case 127:
		return "Exit code 127: the command was not found in the image."
	case 132, 134, 135, 136, 139:
		return fmt.Sprintf("Exit code %d: the process was killed by signal %d (%s).", a.Exit, a.Exit-128, signals[a.Exit-128])
	case 137:
		return "Exit code 137: the process was killed from outside (SIGKILL), but Kubernetes does not report that it ran out of memory."
	case 143:
		return "Exit code 143: the process was asked to stop (SIGTERM)."
	}
	return ""
}

// missingLogReason says why there is no line of a log.
func missingLogReason(s *unhealthy.Resource) string {
	switch {
	case s.Pod == nil:
		return ""
	case !s.Examined:
		return "Its log was not read, because another resource of this application is failing as well."
	case s.Log.Pod == "":
		return "Its previous log could not be read."
	}
	return "Its log is empty."
}
