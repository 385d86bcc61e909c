package health

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var StatefulSetStuck = &diagnose.Rule{
	ID:              "health/statefulset-stuck",
	Needs:           needs,
	ExplainedByEach: isPodCause,
	Doc: diagnose.Doc{
		Title:    "StatefulSet or DaemonSet does not finish its rollout",
		What:     "A StatefulSet updates its pods in order, one at a time, and only those that its update strategy allows: with OnDelete (which a DaemonSet can have, too) a pod only after it is deleted manually, with a partition none below that ordinal. Argo CD calls both healthy. One pod that is not ready blocks all that come after it.",
		Decisive: "spec.updateStrategy (OnDelete, or a partition above 0) with updatedReplicas below replicas, or a pod that is not ready, or Argo CD's message about a partitioned roll out.",
		Example:  "Waiting for partitioned roll out to finish: 0 out of 1 new pods have been updated...",
		Fix:      "Delete the pods manually (OnDelete), lower the partition, or fix the pod that the others wait for.",
		Links:    []string{"https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#update-strategies"},
	},
	Sync:       alreadyApplied,
	Recognises: about{{kind: "apps/StatefulSet"}, {kind: "apps/DaemonSet", when: heldBack}},
	Check: reporting(func(in *diagnose.In, p *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		sts := s.Object
		if s.Pod != nil {
			sts = nil // the object is the pod's
		}
		replicas, updated, ready, known := rolloutCounts(sts)
		partition, _ := sts.Number("spec", "updateStrategy", "rollingUpdate", "partition")
		counts := ""
		if known {
			counts = fmt.Sprintf(" %d of %d pods have the new revision; %d ready.", int(updated), int(replicas), int(ready))
		}
		f := diagnose.Finding{Confidence: diagnose.CertainIf(known), Fix: []diagnose.Fix{s.Describe("Show its pods and events")}}
		switch strategy := sts.Text("spec", "updateStrategy", "type"); {
		case strategy == "OnDelete" && updated < replicas:
			f.Title = fmt.Sprintf("%s is waiting for manual pod deletion", s.Ref)
			f.Why = "With the update strategy OnDelete, a pod gets the new revision only after someone deletes it." + counts
			f.Fix = append(replaceOldPods(s.Ref, sts), f.Fix...)
		case known && partition > 0 && updated < replicas-partition && s.Concealed == unhealthy.Shown && s.Pod == nil:
			f.Title = fmt.Sprintf("%s has not finished its partitioned rollout", s.Ref)
			f.Why = fmt.Sprintf("With partition %d, %s to get the new revision; %d of them %s. %d of %d pods are ready.",
				int(partition), text.Count(int(replicas-partition), "pod is", "pods are"), int(updated), haveIt(updated), int(ready), int(replicas))
			f.Fix = append([]diagnose.Fix{listPods(s.Ref, sts, "Look at the pods from ordinal %d on: the first that is not ready, or keeps the old revision, holds up the rest", partition)}, f.Fix...)
			f.Fix = append(f.Fix, lowerPartition(s.Ref, "To roll out to the pods below the partition as well, lower it in Git"))
		case partition > 0, strings.Contains(s.Text, "partitioned roll out"):
			f.Title = fmt.Sprintf("%s is only partly rolled out", s.Ref)
			f.Why = behindPartition(partition) + counts
			f.Confidence = diagnose.CertainIf(known || s.Text != "")
			f.Fix = append([]diagnose.Fix{lowerPartition(s.Ref, "To continue the rollout, lower the partition in Git")}, f.Fix...)
		case known && ready < replicas || s.Pod != nil:
			if refusalReported(in, s) || !s.Overdue() && (s.Symptom.Reason == "" || s.Pod != nil && !podGivesReason(s)) {
				return diagnose.Finding{}, false
			}
			f.Title = fmt.Sprintf("%s is waiting for %s", s.Ref, blocker(s))
			f.Why = "It creates and updates its pods in order, so the remaining pods wait until that one is ready." + counts
			if sts.Text("spec", "podManagementPolicy") == "Parallel" {
				f.Why = text.UpperFirst(blocker(s)) + " is not ready." + counts
			}
			f.Says = says("Kubernetes says", s.Symptom.Clause())
			if s.Pod == nil {
				f.Says.Who = "Its status says"
			}
			f.Confidence = diagnose.CertainIf(s.Object != nil && s.Pod != nil)
		case !s.Overdue(), contradictsHealth(p, s):
			return diagnose.Finding{}, false
		default:
			f.Confidence = diagnose.Possible
			f.Title = fmt.Sprintf("%s has not finished its rollout", s.Ref)
			f.Why = fmt.Sprintf("It %s.", s.IsStill()) + counts
			f.Says = says("Its status says", s.Text)
		}
		f.Why = strings.TrimSpace(f.Why)
		if len(sts) > 0 {
			f.Evidence = []diagnose.Quote{{From: s.Ref.String(), Text: rolloutState(sts)}}
			if s.Text != "" {
				f.Evidence = append(f.Evidence, diagnose.Quote{From: s.Ref.String(), Text: s.Text})
			}
		}
		return f, true
	}),
}

// heldBack reports whether the pods keep the old revision until somebody acts.
func heldBack(s *unhealthy.Resource) bool { return unhealthy.HeldBack(s.Object) }

// rolloutCounts are the pods that a StatefulSet or DaemonSet wants, those of the new revision, and those that are ready.
func rolloutCounts(o evidence.Object) (wanted, updated, ready float64, known bool) {
	if o.Text("kind") == "DaemonSet" {
		wanted, known = o.Number("status", "desiredNumberScheduled")
		updated, _ = o.Number("status", "updatedNumberScheduled")
		ready, _ = o.Number("status", "numberReady")
		return wanted, updated, ready, known
	}
	wanted, known = o.Number("spec", "replicas")
	updated, _ = o.Number("status", "updatedReplicas")
	ready, _ = o.Number("status", "readyReplicas")
	return wanted, updated, ready, known
}

// podLabels are the labels that a workload selects its pods by.
func podLabels(o evidence.Object) []string {
	var labels []string
	if m, ok := o.At("spec", "selector", "matchLabels").(map[string]any); ok {
		for _, key := range slices.Sorted(maps.Keys(m)) {
			labels = append(labels, fmt.Sprintf("%s=%v", key, m[key]))
		}
	}
	return labels
}

// selecting is the flag for labels, empty for none.
func selecting(labels []string) diagnose.Raw {
	if len(labels) == 0 {
		return ""
	}
	return diagnose.Raw(diagnose.Shell(" -l %s", strings.Join(labels, ",")))
}

// replaceOldPods are the steps for pods that nobody but a person replaces. The pods of a StatefulSet carry its revision as a label.
func replaceOldPods(ref evidence.Ref, o evidence.Object) []diagnose.Fix {
	labels := podLabels(o)
	if revision := o.Text("status", "currentRevision"); revision != "" {
		labels = append(labels, "controller-revision-hash="+revision)
	}
	list := selecting(labels)
	return []diagnose.Fix{
		{
			Text:    "Delete the pods of the old revision one by one, each once the one before is ready again. List them",
			Command: diagnose.Shell("kubectl %sget pods%s -L controller-revision-hash", advice.InNamespace(ref), list),
		},
		{Text: "Or have Kubernetes replace them by itself: set this in Git", Patch: fmt.Sprintf("# on %s\nspec:\n  updateStrategy:\n    type: RollingUpdate\n", ref)},
	}
}

// haveIt is the verb for how many have something.
func haveIt(n float64) string {
	if n == 1 {
		return "has it"
	}
	return "have it"
}

// lowerPartition is the step that lets a rollout continue with the pods below its partition.
func lowerPartition(ref evidence.Ref, said string) diagnose.Fix {
	return diagnose.Fix{Text: said, Patch: fmt.Sprintf("# on %s\nspec:\n  updateStrategy:\n    rollingUpdate:\n      partition: 0\n", ref)}
}

// listPods is the command that lists the pods of a StatefulSet with their revisions.
func listPods(ref evidence.Ref, o evidence.Object, said string, partition float64) diagnose.Fix {
	return diagnose.Fix{Text: fmt.Sprintf(said, int(partition)), Command: diagnose.Shell("kubectl %sget pods%s -L controller-revision-hash", advice.InNamespace(ref), selecting(podLabels(o)))}
}

// behindPartition says which pods a partition leaves at the old revision.
func behindPartition(partition float64) string {
	if partition <= 0 {
		return "Its update strategy has a partition: pods with a lower ordinal keep the old revision on purpose."
	}
	return fmt.Sprintf("Its update strategy has partition %d: pods with a lower ordinal keep the old revision on purpose.", int(partition))
}

// blocker is the pod that the others wait for.
func blocker(s *unhealthy.Resource) string {
	if s.Pod != nil {
		return s.PodName()
	}
	return "one of its pods"
}

// rolloutState is the part of a StatefulSet that shows how far its rollout is.
func rolloutState(sts evidence.Object) string {
	out := []string{"updateStrategy " + cmp.Or(sts.Text("spec", "updateStrategy", "type"), "RollingUpdate")}
	if p, ok := sts.Number("spec", "updateStrategy", "rollingUpdate", "partition"); ok {
		out = append(out, fmt.Sprintf("partition %d", int(p)))
	}
	counts := statusCounts(sts, "replicas", "updatedReplicas", "readyReplicas")
	if sts.Text("kind") == "DaemonSet" {
		counts = statusCounts(sts, "desiredNumberScheduled", "updatedNumberScheduled", "numberReady")
	}
	return strings.Join(append(out, counts), ", ")
}
