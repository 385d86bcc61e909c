package hooks

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var Ordering = &diagnose.Rule{
	ID:    "hook/ordering",
	Needs: append(slices.Clip(needs), evidence.KindManaged),
	Doc: diagnose.Doc{
		Title:    "Hook runs before something it needs",
		What:     "The hook runs in an earlier phase or wave than a resource of the same application that it needs. It works in a cluster where that resource already exists, but never in a fresh one.",
		Decisive: "What the hook's pod is missing is a resource of this application that has not been applied yet.",
		Example:  "Error: configmap \"web-settings\" not found (ConfigMap/web-settings is in the Sync phase, the hook in PreSync)",
		Fix:      "Move the hook to the Sync phase, in a wave after what it needs and before the workloads.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/user-guide/sync-waves/"},
	},
	Sync: advice.Pointless("every sync runs the hook before what it needs"),
	Check: reporting(func(in *diagnose.In, h *run) (diagnose.Finding, bool) {
		needed, quote, confidence := neededLater(in, h)
		if needed == nil {
			return diagnose.Finding{}, false
		}
		what := needed.Kind
		if slices.Contains(secretSources, needed.Kind) {
			what = "Secret of this " + needed.Kind
		}
		article := "the " + what
		state, content := "exists", ""
		if stale := what == needed.Kind && !h.isMissing(needed); stale {
			state, content = "is updated", "the new content of "
		}
		title, named := h.titled(fmt.Sprintf("runs before %s %s", needed.Ref(), state))
		if !in.Fits(title) && what == needed.Kind { // the title may have to be shortened
			article = needed.Ref().String()
		}
		f := diagnose.Finding{
			Confidence: confidence,
			Title:      title,
			Short:      fmt.Sprintf("Hook runs before its %s %s", needed.Kind, state),
			Why:        text.Paragraph(named, fmt.Sprintf("It needs %s%s, which this application applies %s.", content, article, laterClause(h, needed))),
			Evidence:   []diagnose.Quote{quote},
			Fix:        []diagnose.Fix{h.moveBehind(in, needed, h.alsoNeeded(in, needed))},
		}
		if also := h.alsoNeeded(in, needed); len(also) > 0 {
			f.Why = text.Paragraph(f.Why, fmt.Sprintf("It also needs %s, and that comes no earlier.", advice.Names(also)))
		}
		if fromChart(in) && h.isTask() {
			f.Fix[0].Text += ". Many charts have a value that turns such a hook off instead"
		}
		if confidence == diagnose.Likely && len(h.logQuote()) > 0 {
			f.Says = h.logSays() // that it needs it is read in its log
			f.Why = text.Paragraph(f.Why, h.silentLog())
		}
		return h.withNextSteps(in, f), true
	}),
}

// neededLater is the resource of this application that the hook lacks: named by Kubernetes, or the host that its log
// cannot reach.
func neededLater(in *diagnose.In, h *run) (*evidence.ResourceStatus, diagnose.Quote, diagnose.Confidence) {
	if kind, name, key, quote, ok := h.lackedObject(); ok {
		if r := laterResource(in, kind, h.ref.Namespace, name); r != nil && (key == "" || h.isMissing(r)) {
			return r, quote, diagnose.Certain
		} else if r != nil { // it exists: only the new version of it may have the key
			return r, quote, diagnose.CertainIf(newKey(in, r.Ref(), key) != "")
		}
		return h.laterSource(in, kind, name), quote, diagnose.Likely
	}
	if w, waits := pods.WaitOf(h.podNode, h.pod, h.events); waits && w.Reason == "CreateContainerConfigError" {
		for _, ref := range pods.References(h.pod) {
			if r := laterResource(in, ref.Kind, h.ref.Namespace, ref.Name); r != nil {
				return r, diagnose.Quote{From: w.From, Text: fmt.Sprintf("%s; the pod refers to %s", w.Reason, ref)}, diagnose.Likely
			}
		}
	}
	line, names := h.lastWords()
	if !names && !waitsForHost(line) {
		return nil, diagnose.Quote{}, ""
	}
	quote := h.logQuote()[0]
	for _, ref := range h.references() {
		if r := laterResource(in, ref.Kind, h.ref.Namespace, ref.Name); r != nil && newKey(in, r.Ref(), line) != "" {
			return r, quote, diagnose.Likely
		}
	}
	for _, r := range []*evidence.ResourceStatus{h.laterDefinition(in, line), h.laterBinding(in, line)} {
		if r != nil {
			return r, quote, diagnose.Likely
		}
	}
	if kind, name, _, ok := pods.Missing(line); ok {
		return laterResource(in, kind, h.ref.Namespace, name), quote, diagnose.Likely
	}
	if !message.CannotReach(line) && !waitsForHost(line) {
		return nil, diagnose.Quote{}, ""
	}
	if r := peerOf(in, line); r != nil && h.isMissing(r) {
		return r, quote, diagnose.Likely
	}
	return nil, diagnose.Quote{}, ""
}

// secretSources are the kinds that operators make a Secret of, usually one of the same name.
var secretSources = []string{"ExternalSecret", "SealedSecret", "VaultStaticSecret", "VaultSecret", "OnePasswordItem", "Certificate"}

// laterSource is the application's own resource that the missing Secret most likely comes from, and that this sync has not applied.
func (h *run) laterSource(in *diagnose.In, kind, name string) *evidence.ResourceStatus {
	if kind != "Secret" {
		return nil
	}
	for _, source := range secretSources {
		if r := laterResource(in, source, h.ref.Namespace, name); r != nil && h.isMissing(r) {
			return r
		}
	}
	return nil
}

// alsoNeeded are the other resources of this application that the hook's pod refers to and that this sync has not applied: without them
// the next sync would stop at the next of them.
func (h *run) alsoNeeded(in *diagnose.In, needed *evidence.ResourceStatus) []evidence.Ref {
	template, _ := h.job.At("spec", "template").(map[string]any)
	refs := append(pods.References(h.pod), pods.References(evidence.Object(template))...)
	if name := evidence.Object(template).Text("spec", "serviceAccountName"); name != "" {
		refs = append(refs, evidence.Ref{Kind: "ServiceAccount", Name: name})
	}
	if strings.HasSuffix(needed.Kind, "RoleBinding") {
		refs = append(refs, roleOf(in, needed))
	}
	var out []evidence.Ref
	for _, ref := range refs {
		r := laterResource(in, ref.Kind, h.ref.Namespace, ref.Name)
		if r == nil {
			r = h.laterSource(in, ref.Kind, ref.Name)
		}
		if r != nil && h.isMissing(r) && !r.Ref().Same(needed.Ref()) && !slices.Contains(out, r.Ref()) {
			out = append(out, r.Ref())
		}
	}
	return out
}

func laterClause(h *run, r *evidence.ResourceStatus) string {
	if r.SyncWave != 0 {
		return fmt.Sprintf("only in wave %d of the Sync phase, after %s", r.SyncWave, cmp.Or(h.task.SyncPhase, h.task.HookType))
	}
	if h.task.HookType == "PreSync" {
		return "in the Sync phase, after PreSync"
	}
	return "later"
}

// moveBehind is the step that runs the hook after what it needs. A Service alone answers nobody: what runs behind it has to be there
// as well.
func (h *run) moveBehind(in *diagnose.In, needed *evidence.ResourceStatus, also []evidence.Ref) diagnose.Fix {
	if !h.isTask() {
		return h.noHook()
	}
	const annotations = "metadata:\n  annotations:\n"
	what, wave := needed.Ref().String(), -2
	switch needed.Kind {
	case "Service":
		what += ", and on the workload behind it"
	case "PersistentVolumeClaim":
		wave = -1 // many claims are bound only when a pod uses them: a wave of its own would wait for ever
	}
	for _, ref := range restsOn(in, needed.Ref()) {
		if !slices.Contains(also, ref) {
			also = append(slices.Clone(also), ref)
		}
	}
	if len(also) > 0 {
		what += ", " + advice.Names(also)
	}
	if own, err := strconv.Atoi(cmp.Or(h.job.Annotation(waveAnnotation), "0")); h.task.HookType == "Sync" && h.job != nil && err == nil {
		step := diagnose.Fix{Text: fmt.Sprintf("In Git, move what the hook needs to wave %d, before the hook in wave %d", own-1, own)}
		wave = own - 1
		if needed.Kind == "PersistentVolumeClaim" {
			step.Text, wave = fmt.Sprintf("In Git, move what the hook needs to its wave, %d", own), own
		}
		step.Patch = fmt.Sprintf("# on %s\n%s    %s: \"%d\"\n", what, annotations, waveAnnotation, wave)
		return step
	}
	step := diagnose.Fix{
		Text:  "In Git, move the hook to the Sync phase, after what it needs and before the workloads in wave 0",
		Patch: fmt.Sprintf("# on %s\n%s    argocd.argoproj.io/sync-wave: \"%d\"\n---\n# on %s\n%s    argocd.argoproj.io/hook: Sync\n    argocd.argoproj.io/sync-wave: \"-1\"\n", what, annotations, wave, h.ref, annotations),
	}
	if h.job.Annotation("helm.sh/hook") != "" {
		step.Text += ". On a Helm hook, this annotation replaces helm.sh/hook for Argo CD"
	}
	return step
}

// isTask reports whether the hook is of a kind that runs once and ends.
func (h *run) isTask() bool {
	return slices.Contains([]string{"Job", "Pod", "Workflow", "PipelineRun", "TaskRun", "CronWorkflow"}, h.ref.Kind)
}

// noHook is the step for a workload or the like that a chart made a hook, which is no task that ends.
func (h *run) noHook() diagnose.Fix {
	key := "argocd.argoproj.io~1hook"
	if h.job.Annotation("helm.sh/hook") != "" {
		key = "helm.sh~1hook"
	}
	return diagnose.Fix{
		Text:  fmt.Sprintf("In Git, remove the hook annotation from the %s, so that it is applied together with what it needs. For a chart that has no value for that, patch it with kustomize", h.ref.Kind),
		Patch: fmt.Sprintf("# kustomization.yaml\npatches:\n- target:\n    kind: %s\n    name: %s\n  patch: |-\n    - op: remove\n      path: /metadata/annotations/%s\n", h.ref.Kind, h.ref.Name, key),
	}
}
