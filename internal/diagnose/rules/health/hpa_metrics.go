package health

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var HPAMetrics = &diagnose.Rule{
	ID:    "health/hpa-metrics",
	Needs: needs,
	Doc: diagnose.Doc{
		Title:    "Autoscaler cannot scale",
		What:     "A HorizontalPodAutoscaler cannot compute the number of replicas: the metrics API is not available, containers have no resource requests to measure against, or its target does not exist. It then leaves the number of replicas as it is.",
		Decisive: "Condition ScalingActive=False or AbleToScale=False of the HPA with its reason, or the event FailedGetResourceMetric.",
		Example:  "the HPA was unable to compute the replica count: failed to get cpu utilization: missing request for cpu in container web",
		Fix:      "Set resource requests in every container, install or fix metrics-server, or correct the metric.",
		Links:    []string{"https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/"},
	},
	Sync:       alreadyApplied,
	Recognises: about{{kind: "autoscaling/HorizontalPodAutoscaler"}},
	Check:      reporting(cannotScale),
}

// cannotScale is the finding about an autoscaler that lacks what it measures, or what it scales.
func cannotScale(in *diagnose.In, p *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
	reason, said, from := scalingTrouble(s)
	switch {
	case reason != "" || said != "":
		return scalingFails(in, s, reason, said, from), true
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
func scalingFails(in *diagnose.In, s *unhealthy.Resource, reason, said, from string) diagnose.Finding {
	what, fix := metricsTrouble(s, reason, strings.ToLower(said+" "+reason))
	f := diagnose.Finding{
		Confidence: diagnose.Certain,
		Title:      hpaName(s.Ref) + cmp.Or(message.After(": ", what), " cannot scale"),
		Why:        "It cannot work out how many replicas are needed, so it does not scale.",
		Says:       says("Its status says", scalerWrapper.ReplaceAllString(said, "")),
		Evidence:   []diagnose.Quote{{From: from, Text: strings.Trim(reason+": "+text.OneLine(said), ": ")}},
		Fix:        []diagnose.Fix{fix, s.Describe("Show its conditions and events")},
	}
	if from != s.Ref.String() {
		f.Says.Who = "Its last warning says"
	}
	if fix.Text == "" {
		f.Fix = f.Fix[1:]
	}
	if target := scaleTarget(s); target.Name != "" {
		f.Why = fmt.Sprintf("It cannot work out how many replicas %s needs, so it does not scale it.", target)
		switch what {
		case "target does not exist":
			f.Why = fmt.Sprintf("Its spec.scaleTargetRef names %s, so there is nothing to scale.", target)
			f.Fix[0] = orMisnamed(in, s, &f, target, f.Fix[0])
		case "target is scaled to 0":
			f.Why = fmt.Sprintf("%s has 0 replicas, which switches the autoscaler off.", target)
		default:
			if last := scaledSince(s); !last.IsZero() {
				f.Scales = target
				f.Why = fmt.Sprintf("It cannot work out how many replicas %s needs. It only keeps it within minReplicas and maxReplicas, and last did so %s ago.", target, text.Age(in.Since(last)))
			}
		}
	}
	return f
}

// scaledSince is when the autoscaler last changed the replicas after its metrics failed; zero where it did not. It needs no metric to
// keep them within its bounds.
func scaledSince(s *unhealthy.Resource) evidence.Time {
	failing := s.Object.Condition("ScalingActive")
	if failing.Text("status") != "False" || s.Object.Condition("AbleToScale").Text("status") == "False" {
		return evidence.Time{}
	}
	last := s.Object.Time("status", "lastScaleTime")
	for i := range s.Events {
		if e := &s.Events[i]; e.Reason == "SuccessfulRescale" && e.Last().After(last.Time) {
			last = e.Last()
		}
	}
	if !last.After(failing.Time("lastTransitionTime").Time) {
		return evidence.Time{}
	}
	return last
}

// scalerWrapper is what an autoscaler puts in front of every error.
var scalerWrapper = pattern.MustCompile(`^(?:the HPA was unable to compute the replica count|the HPA controller was unable to get the target's current scale|failed to get \w+ utilization): `)

// hpaName is an autoscaler as people call it.
func hpaName(ref evidence.Ref) string { return "HPA/" + ref.Name }

// silentScaler is the finding about an autoscaler that has said nothing for longer than a new one needs.
func silentScaler(in *diagnose.In, p *unhealthy.Picture, s *unhealthy.Resource) diagnose.Finding {
	why := "It has no condition that says whether it can scale."
	if s.Object == nil {
		why = "Its conditions were not read, so the reason is unknown."
	}
	f := diagnose.Finding{
		Confidence: diagnose.Possible,
		Title:      fmt.Sprintf("%s %s", hpaName(s.Ref), s.IsStill()),
		Why:        why,
		Evidence:   []diagnose.Quote{{From: s.Ref.String(), Text: cmp.Or(s.Text, "health "+s.Status)}},
		Fix:        []diagnose.Fix{s.Describe("Show its conditions and events")},
	}
	target := scaleTarget(s)
	switch r := in.Resource(target); {
	case target.Name == "":
	case r != nil && r.Health != nil && r.Health.Status == "Missing":
		f.Confidence = diagnose.Likely
		f.Title = fmt.Sprintf("%s: target %s does not exist", hpaName(s.Ref), target)
		f.Why = "Its target is part of this application but is not in the cluster, so there is nothing to scale."
	case r == nil && p.Tree != nil && p.Tree.Find(target) == nil:
		f.Title = fmt.Sprintf("%s may have no target", hpaName(s.Ref))
		f.Why = fmt.Sprintf("It %s. It scales %s, which this application does not have: unless something else creates it, the name is wrong.", s.IsStill(), target)
		f.Fix = append([]diagnose.Fix{{Text: "Check whether its target exists; if not, correct spec.scaleTargetRef in Git", Command: diagnose.Shell("kubectl %sget %s", advice.InNamespace(target), target.Resource())}}, f.Fix...)
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

// missingRequest is what an autoscaler says of a container without a request.
var missingRequest = pattern.MustCompile(`missing request for (cpu|memory) in container ([a-z0-9-]+)`)

// setRequest is the fix in Git; the container is named since Kubernetes 1.26.
func setRequest(s *unhealthy.Resource, lower string) diagnose.Fix {
	resource, container, amount := "cpu", "CONTAINER", "100m"
	if m := missingRequest.FindStringSubmatch(lower); m != nil {
		resource, container = m[1], m[2]
	}
	if resource == "memory" {
		amount = "128Mi"
	}
	switch container {
	case "istio-proxy":
		return diagnose.Fix{Text: "Give the injected sidecar a request: set this in the pod template of the target in Git", Patch: sidecarRequest(s, "sidecar.istio.io/proxy"+map[string]string{"cpu": "CPU", "memory": "Memory"}[resource], amount)}
	case "linkerd-proxy":
		return diagnose.Fix{Text: "Give the injected sidecar a request: set this in the pod template of the target in Git", Patch: sidecarRequest(s, "config.linkerd.io/proxy-"+resource+"-request", amount)}
	}
	return diagnose.Fix{
		Text:  fmt.Sprintf("Set a %s request in every container of the target in Git, including sidecars", resource),
		Patch: onTarget(s) + fmt.Sprintf("spec:\n  template:\n    spec:\n      containers:\n      - name: %s\n        resources:\n          requests:\n            %s: %s   # what it usually uses\n", container, resource, amount),
	}
}

// sidecarRequest is the annotation of a pod template that gives an injected container a request.
func sidecarRequest(s *unhealthy.Resource, annotation, amount string) string {
	return onTarget(s) + fmt.Sprintf("spec:\n  template:\n    metadata:\n      annotations:\n        %s: %s   # what it usually uses\n", annotation, amount)
}

// onTarget begins a piece of the manifest of what the autoscaler scales.
func onTarget(s *unhealthy.Resource) string {
	if target := scaleTarget(s); target.Name != "" {
		return fmt.Sprintf("# on %s\n", target)
	}
	return ""
}

// metricsTrouble is the trouble in words, from the reason of the condition or event and from what it says; "" when neither
// is known.
func metricsTrouble(s *unhealthy.Resource, reason, lower string) (what string, fix diagnose.Fix) {
	gone := diagnose.Fix{Text: "Correct spec.scaleTargetRef in Git, or create the target"}
	switch {
	case reason == "ScalingDisabled":
		return "target is scaled to 0", diagnose.Fix{Text: "It scales again once its target has a replica: scale it up, or remove replicas: 0 from Git"}
	case reason == "FailedGetScale" && strings.Contains(lower, "not found"):
		return "target does not exist", gone
	case reason == "FailedGetScale" && strings.Contains(lower, "forbidden"):
		return "may not read its target", diagnose.Fix{Text: "Give the account that this names the right to get and update the scale subresource of that kind, with a ClusterRole"}
	case reason == "FailedGetScale":
		return "target cannot be read", diagnose.Fix{Text: "Check that spec.scaleTargetRef names a kind with a scale subresource, and that its apiVersion is served"}
	case message.HasAny(lower, "missing request for"):
		return "container has no resource request", setRequest(s, lower)
	case message.HasAny(lower, "external.metrics", "failedgetexternalmetric", "custom.metrics", "failedgetpodsmetric", "failedgetobjectmetric"):
		return "cannot read a custom or external metric", diagnose.Fix{Text: "Check the adapter that serves the metric", Command: "kubectl get apiservices | grep metrics"}
	case message.HasAny(lower, "target's current scale") && strings.Contains(lower, "not found"):
		return "target does not exist", gone
	case message.HasAny(lower, "no metrics returned", "did not receive metrics", "no metrics known"):
		return "no metrics for its pods", diagnose.Fix{Text: "Check whether its pods are ready and have metrics. Where no pod of the cluster has any, install or fix metrics-server", Command: diagnose.Shell("kubectl %stop pods", advice.InNamespace(s.Ref))}
	case message.HasAny(lower, "metrics.k8s.io", "could not find the requested resource", "unable to fetch metrics"):
		return "metrics API is not available", diagnose.Fix{Text: "Check that metrics-server is installed and available", Command: "kubectl get apiservice v1beta1.metrics.k8s.io"}
	case message.HasAny(lower, "ambiguous", "conflict", "multiple hpas"):
		return "several autoscalers select its pods", diagnose.Fix{Text: "Keep only one autoscaler per workload in Git"}
	}
	return "", diagnose.Fix{}
}
