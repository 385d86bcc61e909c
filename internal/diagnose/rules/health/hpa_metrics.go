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

var HPAMetrics = &diagnose.Rule{
	ID:    "health/hpa-metrics",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "An autoscaler gets no metrics",
		What:     "A HorizontalPodAutoscaler cannot compute the number of replicas: the metrics API does not answer, the containers state no requests to measure against, or its target is not there. It leaves the number as it is.",
		Decisive: "Condition ScalingActive=False or AbleToScale=False of the HPA with its reason, or the event FailedGetResourceMetric.",
		Example:  "the HPA was unable to compute the replica count: failed to get cpu utilization: missing request for cpu in container web",
		Fix:      "State resource requests in every container, install or repair metrics-server, or correct the metric.",
		Links:    []string{"https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/"},
	},
	Sync:       alreadyApplied,
	Recognises: about{{kind: "autoscaling/HorizontalPodAutoscaler"}},
	Check: func(in *diagnose.In) diagnose.Outcome {
		if look(in) != nil {
			return reporting(cannotScale)(in)
		}
		// Argo CD calls an autoscaler without metrics healthy.
		var found []diagnose.Finding
		for _, o := range freeObjects(in, isKind("HorizontalPodAutoscaler")) {
			if o.Condition("ScalingActive").Text("status") != "False" {
				continue
			}
			if f, ok := cannotScale(in, nil, &unhealthy.Resource{Ref: o.Ref(), Object: o}); ok {
				f.Resource = o.Ref()
				found = appendNote(found, f, diagnose.Likely)
			}
		}
		return diagnose.Found(found...)
	},
}

// cannotScale is the finding about an autoscaler that lacks what it measures, or what it scales.
func cannotScale(in *diagnose.In, p *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
	reason, said, from := scalingTrouble(s)
	switch {
	case reason != "" || said != "":
		return scalingFails(s, reason, said, from), true
	case s.Overdue():
		return silentScaler(in, p, s), true
	}
	return diagnose.Finding{}, false // one that is new has no conditions yet
}

// scalingTrouble is what the autoscaler says that it cannot do. What Argo CD says of it counts only where its health check
// found a condition that failed: else that is its own word for "not yet".
func scalingTrouble(s *unhealthy.Resource) (reason, said, from string) {
	for _, kind := range []string{"AbleToScale", "ScalingActive"} {
		if c := s.Object.Condition(kind); c.Text("status") == "False" {
			return c.Text("reason"), cmp.Or(c.Text("message"), s.Text), s.Ref.String()
		}
	}
	if e := pods.LastWarning(s.Events); e != nil {
		return e.Reason, e.Message, pods.EventName(e)
	}
	if s.Status == "Degraded" {
		return "", s.Text, s.Ref.String()
	}
	return "", "", ""
}

// scalingFails is the finding about an autoscaler that says what it lacks.
func scalingFails(s *unhealthy.Resource, reason, said, from string) diagnose.Finding {
	what, fix := metricsTrouble(reason, strings.ToLower(said+" "+reason))
	what = cmp.Or(what, text.Clip(cmp.Or(text.OneLine(said), reason), message.MaxClause))
	f := diagnose.Finding{
		Confidence: diagnose.Certain,
		Title:      fmt.Sprintf("%s cannot scale: %s", s.Ref, what),
		Why:        fmt.Sprintf("%s cannot compute how many replicas it wants: %s", s.Ref, text.Sentence(what)),
		Evidence:   []diagnose.Quote{{From: from, Text: strings.Trim(reason+": "+text.OneLine(said), ": ")}},
		Fix:        []diagnose.Fix{fix, s.Describe("See its conditions and events")},
	}
	if said != "" {
		f.Why += " " + text.Sentence(text.UpperFirst(text.Clip(text.OneLine(said), 2*message.MaxClause)))
	}
	if target := scaleTarget(s); target.Name != "" {
		f.Why += fmt.Sprintf(" It scales %s.", target)
	}
	return f
}

// silentScaler is the finding about an autoscaler that has said nothing for longer than a new one needs.
func silentScaler(in *diagnose.In, p *unhealthy.Picture, s *unhealthy.Resource) diagnose.Finding {
	said := "It has no condition that says whether it can scale"
	if s.Object == nil {
		said = "Its conditions were not read"
	}
	f := diagnose.Finding{
		Confidence: diagnose.Possible,
		Title:      fmt.Sprintf("%s has not reported that it can scale%s", s.Ref, s.ForLong()),
		Why:        fmt.Sprintf("%s %s. %s: the evidence does not tell what it waits for.", s.Ref, s.IsStill(), said),
		Evidence:   []diagnose.Quote{{From: s.Ref.String(), Text: cmp.Or(s.Text, "health "+s.Status)}},
		Fix:        []diagnose.Fix{s.Describe("See its conditions and events")},
	}
	target := scaleTarget(s)
	switch r := in.App().Resource(target); {
	case target.Name == "":
	case r != nil && r.Health != nil && r.Health.Status == "Missing":
		f.Confidence = diagnose.Likely
		f.Title = fmt.Sprintf("%s cannot scale: its target %s does not exist", s.Ref, target)
		f.Why = fmt.Sprintf("%s scales %s, which is part of this application and is not in the cluster.", s.Ref, target)
	case r == nil && p.Tree != nil && p.Tree.Find(target) == nil:
		f.Title = fmt.Sprintf("%s has not reported that it can scale%s: its target %s is not part of this application", s.Ref, s.ForLong(), target)
		f.Why += fmt.Sprintf(" It scales %s, which this application does not have: if nothing else brings it, the name is wrong.", target)
		f.Fix = append([]diagnose.Fix{{Text: "See whether its target exists; if not, correct spec.scaleTargetRef in Git", Command: diagnose.Shell("kubectl %sget %s", advice.InNamespace(target), target.Resource())}}, f.Fix...)
	default:
		f.Why += fmt.Sprintf(" It scales %s.", target)
	}
	return f
}

// scaleTarget is what the autoscaler scales; without a name where its object was not read.
func scaleTarget(s *unhealthy.Resource) evidence.Ref {
	to := evidence.Object(nil)
	if m, ok := s.Object.At("spec", "scaleTargetRef").(map[string]any); ok {
		to = m
	}
	group, _, grouped := strings.Cut(to.Text("apiVersion"), "/")
	if !grouped {
		group = ""
	}
	return evidence.Ref{Group: group, Kind: to.Text("kind"), Namespace: s.Ref.Namespace, Name: to.Text("name")}
}

// metricsTrouble is the trouble in words, from the reason of the condition or event and from what it says; "" when neither
// is known.
func metricsTrouble(reason, lower string) (what string, fix diagnose.Fix) {
	gone := diagnose.Fix{Text: "Correct spec.scaleTargetRef in Git, or create what it names"}
	switch {
	case reason == "FailedGetScale" && strings.Contains(lower, "not found"):
		return "its target is not there", gone
	case reason == "FailedGetScale":
		return "its target cannot be read", diagnose.Fix{Text: "See that spec.scaleTargetRef names a kind that can be scaled, and that the API server serves its scale"}
	case message.HasAny(lower, "missing request for"):
		return "a container states no resource request to measure against", diagnose.Fix{Text: "State requests in every container of the target, sidecars included", Patch: "spec:\n  template:\n    spec:\n      containers:\n      - name: CONTAINER\n        resources:\n          requests:\n            cpu: 100m\n"}
	case message.HasAny(lower, "external.metrics", "failedgetexternalmetric", "custom.metrics", "failedgetpodsmetric", "failedgetobjectmetric"):
		return "its custom or external metric is not served", diagnose.Fix{Text: "Look at the adapter that serves the metric", Command: "kubectl get apiservices | grep metrics"}
	case message.HasAny(lower, "target's current scale") && strings.Contains(lower, "not found"):
		return "its target is not there", gone
	case message.HasAny(lower, "no metrics returned", "did not receive metrics", "no metrics known"):
		return "the metrics API has no values of its pods (yet)", diagnose.Fix{Text: "See whether metrics are served; pods that do not run have none", Command: "kubectl top pods -A"}
	case message.HasAny(lower, "metrics.k8s.io", "could not find the requested resource", "unable to fetch metrics", "unable to get metrics", "failedgetresourcemetric"):
		return "the metrics API does not answer (metrics-server)", diagnose.Fix{Text: "Install or repair metrics-server", Command: "kubectl get apiservice v1beta1.metrics.k8s.io"}
	case message.HasAny(lower, "ambiguous", "conflict", "multiple hpas"):
		return "several autoscalers claim its pods", diagnose.Fix{Text: "Leave one autoscaler per workload"}
	}
	return "", diagnose.Fix{Text: "Repair what it names"}
}
