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
		Title:    "A Job deleted itself after it had finished",
		What:     "The Job (or Workflow) has a time to live: Kubernetes deletes it some time after it has finished. For Argo CD it is then missing, and a sync creates it and runs it again.",
		Decisive: "A Job that Git gives ttlSecondsAfterFinished (a Workflow a ttlStrategy) is not in the cluster.",
		Example:  "Job/report: OutOfSync, Missing (ttlSecondsAfterFinished: 60)",
		Fix:      "Make it a hook with a delete policy, or drop the time to live.",
		Links:    []string{"https://kubernetes.io/docs/concepts/workloads/controllers/ttlafterfinished/", "https://argo-cd.readthedocs.io/en/stable/user-guide/resource_hooks/"},
	},
	Sync:       diagnose.Advice{Verdict: diagnose.SyncUnknown, Why: "it creates the Job and so runs it again; whether that does harm only its owner knows"},
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
			Title:      fmt.Sprintf("%s finished and %s deleted by time to live", subjectText(list), verb(len(list), "was", "were")),
			Why:        fmt.Sprintf("%s in Git with a time to live (%s) and not in the cluster: %s over, and %s deleted.", subjectWithVerb(list, "is", "are"), timeToLive(r), verb(len(list), "the run was", "the runs were"), verb(len(list), "it was", "they were")),
			Evidence:   []diagnose.Quote{{From: "manifest of " + r.Ref.String(), Text: timeToLive(r)}},
			Fix: []diagnose.Fix{
				{Text: fmt.Sprintf("If it belongs to each sync, make %s a hook", r.Ref), Patch: "metadata:\n  annotations:\n    argocd.argoproj.io/hook: Sync\n    argocd.argoproj.io/hook-delete-policy: BeforeHookCreation\n"},
				{Text: "Or take the time to live out of the manifest" + inGit(in) + ", so that the finished one stays"},
			},
		}
		if !appliedLast(in, r.Ref) {
			f.Why += " That it ran is concluded: the last sync does not list it."
		}
		f.Resource, f.Others = refs(list)
		return diagnose.Found(f)
	},
}

func hasTTL(r *resource) bool { return timeToLive(r) != "" }

// livesFor are the fields by which kinds that finish are told when to be deleted: of Jobs and RayJobs, of Argo Workflows, of
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
