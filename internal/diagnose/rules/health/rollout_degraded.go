package health

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var RolloutDegraded = &diagnose.Rule{
	ID:              "health/rollout-degraded",
	Needs:           needs,
	ExplainedByEach: isPodCause,
	Doc: diagnose.Doc{
		Title:    "Rollout was aborted or does not progress",
		What:     "An Argo Rollouts Rollout gave up: an analysis found the new version worse, its new pods did not become available in time, or its spec is invalid. The old version keeps serving.",
		Decisive: "Health Degraded of the Rollout and its message (RolloutAborted, ProgressDeadlineExceeded, InvalidSpec); a failed AnalysisRun below it.",
		Example:  "RolloutAborted: Rollout aborted update to revision 4: Metric \"success-rate\" assessed Failed due to failed (3) > failureLimit (2)",
		Fix:      "Fix the new version and push it, or retry if the analysis was wrong.",
		Links:    []string{"https://argo-rollouts.readthedocs.io/en/stable/features/analysis/"},
	},
	Sync:       advice.Pointless("the cluster already matches Git; the rollout needs a retry or a new version"),
	Recognises: about{{kind: "argoproj.io/Rollout", status: "Degraded"}},
	Check: reporting(func(in *diagnose.In, p *unhealthy.Picture, s *unhealthy.Resource) (diagnose.Finding, bool) {
		said := text.OneLine(cmp.Or(s.Text, s.Object.Text("status", "message"), s.Object.Condition("Progressing").Text("message")))
		f := diagnose.Finding{
			Confidence: diagnose.CertainIf(said != ""),
			Title:      fmt.Sprintf("%s %s", s.Ref, rolloutOutcome(said)),
			Why:        rolloutEffect(said),
			Says:       says("Its status says", rolloutWords(said)),
			Evidence:   []diagnose.Quote{{From: s.Ref.String(), Text: cmp.Or(said, "health "+s.Status)}},
			Fix: []diagnose.Fix{
				{Text: "Show its steps, pods and analyses", Command: diagnose.Shell("kubectl argo rollouts get rollout %s%s", s.Ref.Name, advice.NamespaceFlag(s.Ref))},
				{Text: "Fix the new version and push it; if the version is fine, retry the rollout", Command: diagnose.Shell("kubectl argo rollouts retry rollout %s%s", s.Ref.Name, advice.NamespaceFlag(s.Ref))},
			},
		}
		if run := failedAnalysis(p, s.Ref); run != nil {
			withAnalysis(&f, s, run)
		}
		if strings.HasPrefix(rolloutOutcome(said), "exceeded") {
			f.Fix = append([]diagnose.Fix{{Text: "Look at its new pods: they hold the cause", Command: diagnose.Shell("kubectl %sget pods%s", advice.InNamespace(s.Ref), selecting(podLabels(s.Object)))}}, f.Fix...)
		}
		if strings.Contains(said, "InvalidSpec") {
			f.Fix = []diagnose.Fix{correctSpec(in, s, said), s.Describe("Show its spec and conditions")}
			f.Sync = advice.Pointless("the cluster already matches Git, and its spec stays invalid until Git changes")
			if strings.HasSuffix(said, "not found") {
				f.Sync = advice.Pointless("the cluster already matches Git, and the rollout needs what it names")
			}
			if in.App().Status.Sync.Status == "OutOfSync" {
				f.Sync = diagnose.Advice{} // what it lacks may be among the rest
			}
		}
		return f, true
	}),
}

var (
	// rolloutField is the field that a Rollout's own validation names.
	rolloutField = pattern.MustCompile(`is invalid: ([a-z][\w.\[\]]*): `)
	// invalidSpec is what stands before it, which the title says.
	invalidSpec = pattern.MustCompile(`^The Rollout "[^"]*" is invalid: `)
)

// correctSpec names the field of an invalid Rollout.
func correctSpec(in *diagnose.In, s *unhealthy.Resource, said string) diagnose.Fix {
	m := rolloutField.FindStringSubmatch(said)
	switch {
	case m == nil:
		return diagnose.Fix{Text: "Correct its spec in Git"}
	case strings.Contains(said, "does not match template"):
		labels, _ := s.Object.At("spec", "selector", "matchLabels").(map[string]any)
		patch := ""
		for _, key := range slices.Sorted(maps.Keys(labels)) {
			patch += fmt.Sprintf("        %s: %q\n", key, labels[key])
		}
		if patch != "" {
			patch = fmt.Sprintf("# on %s\nspec:\n  template:\n    metadata:\n      labels:\n%s", s.Ref, patch)
		}
		return diagnose.Fix{Text: "In Git, give the pod template the labels of spec.selector.matchLabels", Patch: patch}
	}
	if named := namedHere(in, said); named != nil {
		return diagnose.Fix{Text: fmt.Sprintf("%s is in this application: check that it was applied. The Rollout looks again by itself after a while; move it to an earlier sync wave in Git", named.Ref())}
	}
	if strings.HasSuffix(said, "not found") {
		return diagnose.Fix{Text: fmt.Sprintf("Create what %s names, or correct the name in Git", m[1])}
	}
	return diagnose.Fix{Text: fmt.Sprintf("Correct %s in Git", m[1])}
}

// invalidName is the value of the field that a Rollout's validation names.
var invalidName = pattern.MustCompile(`Invalid value: "([^"]+)": .* not found$`)

// namedHere is the resource of the application that an invalid Rollout did not find; nil where it has none of that name and kind.
func namedHere(in *diagnose.In, said string) *evidence.ResourceStatus {
	m := invalidName.FindStringSubmatch(said)
	if m == nil {
		return nil
	}
	for i := range in.App().Status.Resources {
		r := &in.App().Status.Resources[i]
		if r.Name == m[1] && r.Kind != "Rollout" && strings.Contains(strings.ToLower(said), strings.ToLower(strings.TrimPrefix(r.Kind, "Cluster"))) {
			return r
		}
	}
	return nil
}

// withAnalysis adds what the failed AnalysisRun says: a metric that could not be measured says why, one that was measured its value.
func withAnalysis(f *diagnose.Finding, s *unhealthy.Resource, run *evidence.Node) {
	f.Evidence = append(f.Evidence, diagnose.Quote{From: run.Ref().String(), Text: cmp.Or(run.Health.Message, "health "+run.Health.Status)})
	f.Fix = append(f.Fix, diagnose.Fix{Text: "Show what was measured", Command: diagnose.Shell("kubectl %sdescribe %s", advice.InNamespace(run.Ref()), run.Ref().Resource())})
	metric, said, value := measured(s, run)
	switch {
	case said != "":
		f.Title = fmt.Sprintf("%s was aborted: metric %s was not measured", s.Ref, metric)
		f.Why += fmt.Sprintf(" %s got an error instead of a value.", run.Ref())
		f.Says = says("It says", said)
		f.Fix[1].Text = "Fix what the analysis asks, or its AnalysisTemplate in Git; then retry the rollout"
		f.Evidence = append(f.Evidence, diagnose.Quote{From: run.Ref().String(), Text: said})
	case value != "":
		f.Why += fmt.Sprintf(" %s failed: the last value of metric %s was %s.", run.Ref(), metric, value)
	default:
		f.Why += fmt.Sprintf(" %s failed.", run.Ref())
	}
}

var (
	// metricError is how an AnalysisRun passes on why a metric could not be measured; metricName how it names the metric.
	metricError = pattern.MustCompile(`"?Error Message: (.*?)"?$`)
	metricName  = pattern.MustCompile(`[Mm]etric "([^"]+)"`)
)

// measured is the metric that failed, with its error where it could not be measured, else with its last value.
func measured(s *unhealthy.Resource, run *evidence.Node) (metric, said, value string) {
	message := text.OneLine(cmp.Or(s.Below.Text("status", "message"), run.Health.Message))
	if m := metricName.FindStringSubmatch(message); m != nil {
		metric = m[1]
	}
	for _, r := range s.Below.List("status", "metricResults") {
		if phase := r.Text("phase"); phase != "Failed" && phase != "Error" {
			continue
		}
		metric, said = r.Text("name"), r.Text("message")
		for _, m := range r.List("measurements") {
			value, said = cmp.Or(m.Text("value"), value), cmp.Or(m.Text("message"), said)
		}
		break
	}
	if m := metricError.FindStringSubmatch(cmp.Or(said, message)); m != nil {
		return metric, m[1], ""
	}
	if metric == "" || value == "" {
		said = ""
	}
	return metric, said, value
}

// rolloutWords is what a Rollout says without the reason in front, which the title gives.
func rolloutWords(said string) string {
	for _, reason := range []string{"RolloutAborted: ", "InvalidSpec: ", "ProgressDeadlineExceeded: "} {
		said = strings.TrimPrefix(said, reason)
	}
	return strings.TrimLeft(abortedUpdate.ReplaceAllString(invalidSpec.ReplaceAllString(said, ""), ""), ": ")
}

// abortedUpdate is how a Rollout begins to say that it was aborted.
var abortedUpdate = pattern.MustCompile(`^Rollout (?:is aborted|aborted update to revision \d+)(?:: Metric "[^"]*" assessed \w+ due to)?`)

// rolloutEffect is what a failed rollout means.
func rolloutEffect(said string) string {
	switch outcome := rolloutOutcome(said); {
	case outcome == "was aborted":
		return "The stable version keeps serving. No metric is named: somebody aborted it, or its new pods did not become available in time."
	case strings.HasPrefix(outcome, "was aborted"):
		return "The stable version keeps serving."
	case strings.HasPrefix(outcome, "exceeded"):
		return "Its new pods did not become available in time."
	case said == "":
		return "Its status gives no reason."
	}
	return ""
}

// rolloutOutcome is what became of a rollout, for a title.
func rolloutOutcome(said string) string {
	switch lower := strings.ToLower(said); {
	case strings.Contains(lower, "invalidspec"):
		return "has an invalid spec"
	case strings.Contains(lower, "metric \""):
		_, metric, _ := strings.Cut(said, `etric "`)
		metric, _, _ = strings.Cut(metric, `"`)
		return "was aborted by metric " + metric
	case strings.Contains(lower, "abort"):
		return "was aborted"
	case strings.Contains(lower, "progressdeadlineexceeded"), strings.Contains(lower, "timed out progressing"):
		return "exceeded its progress deadline"
	}
	return "is degraded"
}

func failedAnalysis(p *unhealthy.Picture, ref evidence.Ref) *evidence.Node {
	var last *evidence.Node
	for _, n := range p.Descendants(ref) {
		if n.Kind == "AnalysisRun" && n.HealthStatus() == "Degraded" && (last == nil || n.CreatedAt.After(last.CreatedAt.Time)) {
			last = &n
		}
	}
	return last
}
