package health

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
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
		Title:    "Job failed",
		What:     "A Job that is a plain resource of the application (not a hook), or the last run of a CronJob, ended with an error: its pod failed too often, or it took longer than its deadline. A finished Job never runs again by itself, and its template cannot be changed.",
		Decisive: "Condition Failed of the Job (BackoffLimitExceeded, DeadlineExceeded), exit code and log of its last failed pod.",
		Example:  "Job has reached the specified backoff limit",
		Fix:      "Fix the error in its log, delete the failed Job, then sync; or make it a hook.",
		Links:    []string{"https://kubernetes.io/docs/concepts/workloads/controllers/job/"},
	},
	Sync: advice.Pointless("a finished Job does not run again; delete it first"),
	Recognises: about{
		{kind: "batch/Job"},
		{kind: "batch/CronJob", when: lastRunFailed},
		{pod: pods.Crash, when: endsForGood},
		{pod: pods.KilledByProbe, when: endsForGood},
	},
	Check: reporting(func(in *diagnose.In, p *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		if job := ownedJob(p, s); job != nil {
			return ownedJobFinding(in, s, job), true
		}
		over := s.Status == "Degraded"
		if !over && s.Pod == nil && !s.Overdue() {
			return diagnose.Finding{}, false
		}
		f := failedRunFinding(in, s)
		f.Confidence = diagnose.CertainIf(over)
		rerun := rerunSteps(in, s)
		f.Fix = append(f.Fix, rerun...)
		if s.Pod == nil && p.Tree != nil {
			f.Why = text.Paragraph(f.Why, "Its pods are gone, so there is no log to read.")
		}
		if s.Job != nil {
			f.Sync = advice.Pointless("a sync does not start a run; the schedule of the CronJob does")
		}
		if !over {
			f.Title = fmt.Sprintf("%s keeps failing", s.Ref)
			if job := jobOf(s); job.Name != "" && s.Ref.Group != "batch" {
				f.Title, f.Why = fmt.Sprintf("%s keeps failing", job), text.Paragraph(fmt.Sprintf("%s runs it.", s.Ref), f.Why)
			}
			if f.Says.Text == "" {
				f.Says = says("Kubernetes says", s.Symptom.Clause())
			}
			f.Why = text.Paragraph(f.Why, "It retries until its backoff limit is reached.")
			f.Fix = f.Fix[:len(f.Fix)-len(rerun)]
			f.Sync = advice.Pointless("the Job tries again by itself, with the manifest that it has")
			if !s.Overdue() { // the next try may succeed
				f.Role, f.Confidence = diagnose.RoleNote, diagnose.Possible
			}
		}
		return f, true
	}),
}

// lastRunFailed reports whether it is a CronJob whose last run failed.
func lastRunFailed(s *unhealthy.Resource) bool { return s.Job != nil }

// endsForGood reports whether the pod is a Job's: that is not restarted forever.
func endsForGood(s *unhealthy.Resource) bool {
	return s.Ref.Kind == "Job" || s.Pod != nil && len(s.Pod.ParentRefs) > 0 && s.Pod.ParentRefs[0].Kind == "Job"
}

// jobOf is the Job that the pod of a resource belongs to; zero where it belongs to none.
func jobOf(s *unhealthy.Resource) evidence.Ref {
	if s.Pod == nil || len(s.Pod.ParentRefs) == 0 || s.Pod.ParentRefs[0].Kind != "Job" {
		return evidence.Ref{}
	}
	return s.Pod.ParentRefs[0].Ref()
}

// ownedJob is the Job that a custom resource runs, where it failed for good; nil otherwise.
func ownedJob(p *unhealthy.Picture, s *unhealthy.Resource) *evidence.Node {
	ref := jobOf(s)
	if s.Ref.Group == "batch" || ref.Name == "" || p.Tree == nil {
		return nil
	}
	if job := p.Tree.Find(ref); job != nil && job.HealthStatus() == "Degraded" {
		return job
	}
	return nil
}

// ownedJobFinding is the finding about such a Job: what is in Git is the resource that runs it.
func ownedJobFinding(in *diagnose.In, s *unhealthy.Resource, job *evidence.Node) diagnose.Finding {
	f := failedRunFinding(in, s)
	f.Confidence = diagnose.Certain
	f.Title = fmt.Sprintf("%s failed", job.Ref())
	if s.LogSays().Text == "" {
		f.Says = diagnose.Said{} // what its owner says is about something else
	}
	f.Brief, f.Short = f.Title, "A Job of "+s.Ref.String()+" failed"
	f.Why = text.Paragraph(fmt.Sprintf("%s runs it.", s.Ref), "It does not try again: "+text.LowerFirst(text.Sentence(cmp.Or(job.Health.Message, "it has failed for good"))), s.SilentLog())
	if f.Says.Text == "" && s.Symptom.Exited {
		f.Why = text.Paragraph(f.Why, fmt.Sprintf("Its last %s exited %d.", s.Container(), s.Symptom.Exit))
	}
	f.Evidence = append(s.Quotes(), diagnose.Quote{From: job.Ref().String(), Text: cmp.Or(job.Health.Message, "health Degraded")})
	f.Fix = append(f.Fix, diagnose.Fix{
		Text:    fmt.Sprintf("After the fix, delete the failed Job: it does not run again by itself, and the controller of %s then creates it again", s.Ref),
		Command: diagnose.Shell("kubectl %sdelete %s", advice.InNamespace(job.Ref()), job.Ref().Resource()),
	})
	f.Sync = advice.Pointless(fmt.Sprintf("%s is not in Git, and a finished Job does not run again", job.Ref()))
	return f
}

// failedRunFinding is the finding about how a Job, or the last run of a CronJob, failed.
func failedRunFinding(in *diagnose.In, s *unhealthy.Resource) diagnose.Finding {
	a := &s.Symptom
	reason, said := a.Reason, s.Text
	if s.Pod == nil {
		c := s.Object.Condition("Failed")
		reason, said = c.Text("reason"), cmp.Or(c.Text("message"), jobText(s))
	}
	f := diagnose.Finding{Says: s.LogSays(), Fix: append(logTroubleOf(in, s).fix, s.ReadLog())}
	if f.Says.Text == "" && s.SilentLog() == "" {
		f.Says = says("Its status says", said)
	}
	f.Title, f.Why = howItFailed(s, reason)
	f.Why = text.Paragraph(f.Why, s.SilentLog())
	if reason == "DeadlineExceeded" && !a.Exited {
		f.Says = s.LogSays()
		f.Fix = append([]diagnose.Fix{{Text: "Find out why it takes so long, or raise activeDeadlineSeconds in Git"}}, f.Fix...)
	}
	last := len(f.Fix) - 1
	if s.Job != nil && s.Pod == nil {
		f.Evidence = []diagnose.Quote{{From: s.Job.Ref().String(), Text: strings.Trim(reason+": "+text.OneLine(said), ": ")}}
		if s.Concealed == unhealthy.Shown {
			f.Evidence = append(f.Evidence, diagnose.Quote{From: s.Ref.String(), Text: cmp.Or(s.Text, "health "+s.Status)})
		}
		f.Fix[last] = diagnose.Fix{Text: "Show the conditions and events of the run", Command: diagnose.Shell("kubectl %sdescribe %s", advice.InNamespace(s.Job.Ref()), s.Job.Ref().Resource())}
	}
	return f
}

// howItFailed is how a run ended, as title and why.
func howItFailed(s *unhealthy.Resource, reason string) (title, why string) {
	a := &s.Symptom
	run := "It"
	if s.Job != nil && s.Pod == nil {
		run = s.Job.Ref().String()
	}
	if s.InPod() != "" {
		why = fmt.Sprintf("It ran%s%s.", s.InPod(), a.Restarted())
	}
	switch {
	case a.Exited:
		return fmt.Sprintf("%s: %s exited %d", s.Ref, s.Container(), a.Exit), text.Paragraph(why, exitCodeMeaning(a))
	case reason == "DeadlineExceeded":
		return runName(s) + " took too long", fmt.Sprintf("%s was stopped because it ran longer than its activeDeadlineSeconds%s.", run, deadlineOf(s.Object))
	case reason != "" && s.Pod == nil:
		return runName(s) + " failed", fmt.Sprintf("%s ended with reason %s.", run, reason)
	case s.Job != nil && why == "":
		return runName(s) + " failed", fmt.Sprintf("The failed run is %s.", run)
	}
	return runName(s) + " failed", why
}

// rerunSteps is what has to be done after the fix: a finished Job stays as it is, a CronJob creates the next one.
func rerunSteps(in *diagnose.In, s *unhealthy.Resource) []diagnose.Fix {
	if s.Ref.Kind == "CronJob" {
		return []diagnose.Fix{{Text: "After the fix, wait for the next scheduled run or start one now", Command: diagnose.Shell("kubectl %screate job --from=cronjob/%s %s-now", advice.InNamespace(s.Ref), s.Ref.Name, s.Ref.Name)}}
	}
	return []diagnose.Fix{
		{Text: "After the fix, delete the failed Job: it does not run again by itself", Command: diagnose.Shell("kubectl %sdelete %s", advice.InNamespace(s.Ref), s.Ref.Resource())},
		advice.ThenSync(in),
	}
}

// runName is what failed, for a title.
func runName(s *unhealthy.Resource) string {
	if s.Job != nil {
		return s.Ref.String() + ": last run"
	}
	return s.Ref.String()
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
