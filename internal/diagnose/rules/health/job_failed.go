package health

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var JobFailed = &diagnose.Rule{
	ID:          "health/job-failed",
	Needs:       needs,
	ExplainedBy: diagnose.SymptomOf(Quota, ServiceAccountMissing),
	Doc: diagnose.Doc{
		Title:    "A Job of the application failed",
		What:     "A Job that is a plain resource of the application (not a hook), or the last run of a CronJob, ended with an error: its pod failed too often, or it took longer than its deadline. A Job that ended is never run again by itself, and its template cannot be changed.",
		Decisive: "Condition Failed of the Job (BackoffLimitExceeded, DeadlineExceeded), exit code and log of its last failed pod.",
		Example:  "Job has reached the specified backoff limit",
		Fix:      "Repair what its log names, delete the failed Job, then sync; or make it a hook.",
		Links:    []string{"https://kubernetes.io/docs/concepts/workloads/controllers/job/"},
	},
	Sync: advice.Pointless("a Job that ended is not run again; it has to be deleted first"),
	Recognises: about{
		{kind: "batch/Job"},
		{kind: "batch/CronJob", when: lastRunFailed},
		{pod: pods.Crash, when: endsForGood},
		{pod: pods.KilledByProbe, when: endsForGood},
	},
	Check: reporting(func(in *diagnose.In, p *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		over := s.Status == "Degraded"
		if !over && s.Pod == nil && !s.Overdue() {
			return diagnose.Finding{}, false
		}
		f := failedRunFinding(s)
		f.Confidence = diagnose.CertainIf(over)
		f.Fix = append(f.Fix, rerunSteps(in, s)...)
		if s.Pod == nil && p.Tree != nil {
			f.Why += " Its pods are gone, so that there is no log to read."
		}
		if s.Job != nil {
			f.Sync = advice.Pointless("a sync does not run the CronJob; its schedule does")
		}
		if !over {
			f.Title = fmt.Sprintf("%s does not succeed%s", s.Ref, message.After(": ", text.Clip(cmp.Or(message.Unstamped(s.LogLine()), s.Symptom.Clause()), message.MaxClause)))
			f.Why += " The Job tries again until its backoff limit is reached."
			f.Fix = f.Fix[:2]
			if !s.Overdue() { // the next try may succeed
				f.Role, f.Confidence = diagnose.RoleNote, diagnose.Possible
			}
		}
		return f, true
	}),
}

// lastRunFailed reports whether it is a CronJob whose last run failed.
func lastRunFailed(s *unhealthy.Resource) bool { return s.Job != nil }

// endsForGood reports whether the pod is a Job's: what ends is not started again for ever.
func endsForGood(s *unhealthy.Resource) bool {
	return s.Ref.Kind == "Job" || s.Pod != nil && len(s.Pod.ParentRefs) > 0 && s.Pod.ParentRefs[0].Kind == "Job"
}

// failedRunFinding is the finding about how a Job, or the last run of a CronJob, failed.
func failedRunFinding(s *unhealthy.Resource) diagnose.Finding {
	a, line := &s.Symptom, s.LogLine()
	reason, said := a.Reason, s.Text
	if s.Pod == nil {
		c := s.Object.Condition("Failed")
		reason, said = c.Text("reason"), cmp.Or(c.Text("message"), jobText(s))
	}
	how := "failed"
	switch {
	case a.Exited:
		how = fmt.Sprintf("%s exited %d", a.Subject(), a.Exit)
	case reason == "DeadlineExceeded":
		how = "was ended because it took longer than its activeDeadlineSeconds" + deadlineOf(s.Object)
	case reason != "" && s.Pod == nil:
		how = "failed (" + reason + ")"
	}
	f := diagnose.Finding{
		Title: fmt.Sprintf("%s failed%s", runName(s), message.After(": ", text.Clip(cmp.Or(message.Unstamped(line), text.OneLine(said), reason), message.MaxClause))),
		Why:   fmt.Sprintf("%s: %s%s.%s", runPod(s), how, a.Restarted(), message.After(" ", text.Sentence(cmp.Or(line, said)))),
		Fix:   []diagnose.Fix{{Text: "Repair what made it fail, and push"}, s.ReadLog()},
	}
	if reason == "DeadlineExceeded" {
		f.Fix[0].Text = "Find out why it takes so long, or raise activeDeadlineSeconds in Git"
	}
	if s.Job != nil && s.Pod == nil {
		f.Evidence = []diagnose.Quote{{From: s.Job.Ref().String(), Text: strings.Trim(reason+": "+text.OneLine(said), ": ")}, {From: s.Ref.String(), Text: cmp.Or(s.Text, "health "+s.Status)}}
		f.Fix[1] = diagnose.Fix{Text: "See what the run says", Command: diagnose.Shell("kubectl %sdescribe %s", advice.InNamespace(s.Job.Ref()), s.Job.Ref().Resource())}
	}
	return f
}

// rerunSteps is what has to be done after the repair: a Job that ended stays as it is, a CronJob makes the next one.
func rerunSteps(in *diagnose.In, s *unhealthy.Resource) []diagnose.Fix {
	if s.Ref.Kind == "CronJob" {
		return []diagnose.Fix{{Text: "Its next run comes by its schedule; to have one now", Command: diagnose.Shell("kubectl %screate job --from=cronjob/%s %s-now", advice.InNamespace(s.Ref), s.Ref.Name, s.Ref.Name)}}
	}
	return []diagnose.Fix{
		{Text: "Delete the failed Job: it is not run again by itself", Command: diagnose.Shell("kubectl %sdelete %s", advice.InNamespace(s.Ref), s.Ref.Resource())},
		advice.ThenSync(in),
	}
}

// runName is what failed for a title: of a CronJob the run as well.
func runName(s *unhealthy.Resource) string {
	if s.Job != nil {
		return fmt.Sprintf("%s: its %s", s.Ref, s.Job.Ref())
	}
	return s.Ref.String()
}

// runPod is what failed, as close as it is known: the pod, the run, the resource.
func runPod(s *unhealthy.Resource) string {
	if s.Pod == nil && s.Job != nil {
		return s.Job.Ref().String()
	}
	return s.PodName()
}

// jobText is what Argo CD says of the Job that failed.
func jobText(s *unhealthy.Resource) string {
	if s.Job != nil && s.Job.Health != nil {
		return cmp.Or(s.Job.Health.Message, s.Text)
	}
	return s.Text
}

func deadlineOf(job evidence.Object) string {
	if n, ok := job.Number("spec", "activeDeadlineSeconds"); ok {
		return fmt.Sprintf(" (%d s)", int(n))
	}
	return ""
}
