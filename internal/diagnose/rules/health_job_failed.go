package rules

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
)

var healthJobFailed = &diagnose.Rule{
	ID:          "health/job-failed",
	Needs:       healthNeeds,
	ExplainedBy: diagnose.SymptomOf(healthQuota, healthServiceAccountMissing),
	Doc: diagnose.Doc{
		Title:    "A Job of the application failed",
		What:     "A Job that is a plain resource of the application (not a hook), or the last run of a CronJob, ended with an error: its pod failed too often, or it took longer than its deadline. A Job that ended is never run again by itself, and its template cannot be changed.",
		Decisive: "Condition Failed of the Job (BackoffLimitExceeded, DeadlineExceeded), exit code and log of its last failed pod.",
		Example:  "Job has reached the specified backoff limit",
		Fix:      "Repair what its log names, delete the failed Job, then sync; or make it a hook.",
		Links:    []string{"https://kubernetes.io/docs/concepts/workloads/controllers/job/"},
	},
	Sync: pointless("a Job that ended is not run again; it has to be deleted first"),
	Recognises: about{
		{kind: "batch/Job"},
		{kind: "batch/CronJob", when: lastRunFailed},
		{pod: troubleCrash, when: endsForGood},
		{pod: troubleProbe, when: endsForGood},
	},
	Check: reportingHealth(func(in *diagnose.In, p *sickPicture, s *sickResource) (diagnose.Finding, bool) {
		over := s.status == "Degraded"
		if !over && s.pod == nil && !s.pastPatience() {
			return diagnose.Finding{}, false
		}
		f := failedRun(s)
		f.Confidence = diagnose.CertainIf(over)
		f.Fix = append(f.Fix, runAgain(in, s)...)
		if s.pod == nil && p.tree != nil {
			f.Why += " Its pods are gone, so that there is no log to read."
		}
		if s.job != nil {
			f.Sync = pointless("a sync does not run the CronJob; its schedule does")
		}
		if !over {
			f.Title = fmt.Sprintf("%s does not succeed%s", s.ref, after(": ", message.Clip(cmp.Or(message.Unstamped(s.logLine()), s.symptom.said()), clause)))
			f.Why += " The Job tries again until its backoff limit is reached."
			f.Fix = f.Fix[:2]
			if !s.pastPatience() { // the next try may succeed
				f.Role, f.Confidence = diagnose.RoleNote, diagnose.Possible
			}
		}
		return f, true
	}),
}

// lastRunFailed reports whether it is a CronJob whose last run failed.
func lastRunFailed(s *sickResource) bool { return s.job != nil }

// endsForGood reports whether the pod is a Job's: what ends is not started again for ever.
func endsForGood(s *sickResource) bool {
	return s.ref.Kind == "Job" || s.pod != nil && len(s.pod.ParentRefs) > 0 && s.pod.ParentRefs[0].Kind == "Job"
}

// failedRun tells how a Job, or the last run of a CronJob, failed.
func failedRun(s *sickResource) diagnose.Finding {
	a, line := &s.symptom, s.logLine()
	reason, text := a.reason, s.text
	if s.pod == nil {
		c := s.object.Condition("Failed")
		reason, text = c.Text("reason"), cmp.Or(c.Text("message"), jobText(s))
	}
	how := "failed"
	switch {
	case a.exited:
		how = fmt.Sprintf("%s exited %d", a.who(), a.exit)
	case reason == "DeadlineExceeded":
		how = "was ended because it took longer than its activeDeadlineSeconds" + deadlineOf(s.object)
	case reason != "" && s.pod == nil:
		how = "failed (" + reason + ")"
	}
	f := diagnose.Finding{
		Title: fmt.Sprintf("%s failed%s", runName(s), after(": ", message.Clip(cmp.Or(message.Unstamped(line), message.OneLine(text), reason), clause))),
		Why:   fmt.Sprintf("%s: %s%s.%s", runPod(s), how, a.often(), after(" ", sentence(cmp.Or(line, text)))),
		Fix:   []diagnose.Fix{{Text: "Repair what made it fail, and push"}, s.readLog()},
	}
	if reason == "DeadlineExceeded" {
		f.Fix[0].Text = "Find out why it takes so long, or raise activeDeadlineSeconds in Git"
	}
	if s.job != nil && s.pod == nil {
		f.Evidence = []diagnose.Quote{{From: s.job.Ref().String(), Text: strings.Trim(reason+": "+message.OneLine(text), ": ")}, {From: s.ref.String(), Text: cmp.Or(s.text, "health "+s.status)}}
		f.Fix[1] = diagnose.Fix{Text: "See what the run says", Command: diagnose.Shell("kubectl %sdescribe %s", inNamespace(s.job.Ref()), s.job.Ref().Resource())}
	}
	return f
}

// runAgain is what has to be done after the repair: a Job that ended stays as it is, a CronJob makes the next one.
func runAgain(in *diagnose.In, s *sickResource) []diagnose.Fix {
	if s.ref.Kind == "CronJob" {
		return []diagnose.Fix{{Text: "Its next run comes by its schedule; to have one now", Command: diagnose.Shell("kubectl %screate job --from=cronjob/%s %s-now", inNamespace(s.ref), s.ref.Name, s.ref.Name)}}
	}
	return []diagnose.Fix{
		{Text: "Delete the failed Job: it is not run again by itself", Command: diagnose.Shell("kubectl %sdelete %s", inNamespace(s.ref), s.ref.Resource())},
		syncAfter(in),
	}
}

// failedJob is the newest of the failed Jobs among the nodes, nil when none failed.
func failedJob(nodes []evidence.Node) *evidence.Node {
	var last *evidence.Node
	for i := range nodes {
		n := &nodes[i]
		newer := last == nil || cmp.Or(n.CreatedAt.Compare(last.CreatedAt.Time), strings.Compare(n.Name, last.Name)) > 0
		if n.Kind == "Job" && n.HealthStatus() == "Degraded" && newer {
			last = n
		}
	}
	return last
}

// runName is what failed for a title: of a CronJob the run as well.
func runName(s *sickResource) string {
	if s.job != nil {
		return fmt.Sprintf("%s: its %s", s.ref, s.job.Ref())
	}
	return s.ref.String()
}

// runPod is what failed, as close as it is known: the pod, the run, the resource.
func runPod(s *sickResource) string {
	if s.pod == nil && s.job != nil {
		return s.job.Ref().String()
	}
	return s.podName()
}

// jobText is what Argo CD says of the Job that failed.
func jobText(s *sickResource) string {
	if s.job != nil && s.job.Health != nil {
		return cmp.Or(s.job.Health.Message, s.text)
	}
	return s.text
}

func deadlineOf(job evidence.Object) string {
	if n, ok := job.Number("spec", "activeDeadlineSeconds"); ok {
		return fmt.Sprintf(" (%d s)", int(n))
	}
	return ""
}
