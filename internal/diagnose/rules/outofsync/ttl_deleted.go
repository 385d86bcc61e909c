package outofsync

import (
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
)

var TTLDeleted = &diagnose.Rule{
	ID:    "drift/ttl-deleted",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Job deleted itself after finishing (TTL)",
		What:     "The Job (or Workflow) has a time to live: it is deleted some time after it has finished. To Argo CD it is then missing, and a sync creates it and runs it again.",
		Decisive: "A Job with ttlSecondsAfterFinished in Git (a Workflow with a ttlStrategy) is not in the cluster.",
		Example:  "Job/report: OutOfSync, Missing (ttlSecondsAfterFinished: 60)",
		Fix:      "Make it a hook with a delete policy, or remove the time to live.",
		Links:    []string{"https://kubernetes.io/docs/concepts/workloads/controllers/ttlafterfinished/", "https://argo-cd.readthedocs.io/en/stable/user-guide/resource_hooks/"},
	},
	Sync:       diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "it recreates the Job, which then runs again; only its owner knows whether that is safe"},
	Recognises: presence{},
	Check: func(in *diagnose.In) diagnose.Outcome {
		d := look(in)
		if d == nil {
			return diagnose.Nothing
		}
		var list []*resource
		for _, r := range d.gone {
			if hasTTL(r) {
				list = append(list, r)
			}
		}
		switch {
		case len(list) == 0 && len(d.gone) > 0 && !d.compared:
			return diagnose.Unknown
		case len(list) == 0:
			return diagnose.Nothing
		}
		r := list[0]
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(appliedLast(in, r.Ref)),
			Title:      subjectText(list) + ": deleted after finishing (TTL)",
			Why:        fmt.Sprintf("Its manifest in Git has %s, so it was deleted after it had run, and Argo CD reports it as missing.", timeToLive(r)),
			Evidence:   []diagnose.Quote{{From: "manifest of " + r.Ref.String(), Text: timeToLive(r)}},
			Sync:       diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: fmt.Sprintf("it recreates %s, which then %s again; only the owner knows whether that is safe", subjectText(list), verb(len(list), "runs", "run"))},
			Fix: []diagnose.Fix{
				{Text: "If it should run with every sync, make it a hook: annotate " + manifestOf(in, r.Ref) + doTheSame(len(list)-1), Patch: "metadata:\n  annotations:\n    argocd.argoproj.io/hook: Sync\n    argocd.argoproj.io/hook-delete-policy: BeforeHookCreation\n"},
				{Text: fmt.Sprintf("Or, to keep the finished %s, remove the time to live from %s%s", r.Ref.Kind, manifestOf(in, r.Ref), doTheSame(len(list)-1))},
			},
		}
		if len(list) > 1 {
			f.Why = fmt.Sprintf("Their manifests in Git have a time to live (%s: %s), so they were deleted after they had run, and Argo CD reports them as missing.", r.Ref, timeToLive(r))
		}
		if !appliedLast(in, r.Ref) {
			f.Why += " The last sync does not list it, so it is only likely that it ran."
		}
		f.Resource, f.Others = refs(list)
		return diagnose.Found(f)
	},
}

func hasTTL(r *resource) bool { return timeToLive(r) != "" }

// livesFor are the fields that say when a finished object is deleted: of Jobs and RayJobs, of Argo Workflows, of
// Spark, of Kubeflow's jobs, of Velero's backups, of clean-up policies.
var livesFor = [][]string{
	{"spec", "ttlSecondsAfterFinished"}, {"spec", "ttlStrategy"}, {"spec", "timeToLiveSeconds"}, {"spec", "runPolicy", "ttlSecondsAfterFinished"},
	{"spec", "ttl"}, {"metadata", "labels", "cleanup.kyverno.io/ttl"},
}

func timeToLive(r *resource) string {
	for _, path := range livesFor {
		if v := r.Target.At(path...); v != nil {
			return path[len(path)-1] + ": " + drift.Show(v)
		}
	}
	return ""
}
