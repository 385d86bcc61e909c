package apply

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/text"
)

// selectorLabels are the labels of a selector in which the two states differ; none where anything else differs as well.
func selectorLabels(changes []drift.Field) []string {
	var out []string
	for _, f := range changes {
		if !f.Path.Under("spec", "selector") || f.Path.Last() == "matchLabels" || f.Path.Has("matchExpressions") {
			return nil
		}
		out = append(out, f.Path.Last())
	}
	return out
}

// versioned reports whether a label has the version of what it is on in its value.
func versioned(label string) bool {
	return slices.Contains([]string{"helm.sh/chart", "chart", "app.kubernetes.io/version", "version"}, label)
}

// fromTemplates reports whether a chart's templates set a label to something that no value changes.
func fromTemplates(label string) bool {
	return versioned(label) || strings.HasPrefix(label, "helm.sh/") || label == "heritage" || label == "app.kubernetes.io/managed-by" || label == "app.kubernetes.io/component"
}

// fromRelease reports whether a label is the name of a chart or of its release, which nearly all charts let people set.
func fromRelease(label string) bool {
	return slices.Contains([]string{"app.kubernetes.io/name", "app.kubernetes.io/instance", "app", "release"}, label)
}

// restoreLabels is the step that restores the labels of a selector that a chart of somebody else sets; ok is false where it is no such one.
func restoreLabels(in *diagnose.In, x fixed) (fix diagnose.Fix, ok bool) {
	chart, labels := advice.Chart(in), selectorLabels(x.changes)
	if chart == "" || len(labels) == 0 {
		return fix, false
	}
	back := "go back to the version of chart " + chart + " that was deployed before"
	if v := chartBefore(in, chart, x); v != "" {
		back = fmt.Sprintf("go back to version %s of chart %s", v, chart)
	}
	them, come := "label "+list(labels), "the label comes from its templates"
	if len(labels) > 1 {
		them, come = "labels "+list(labels), "the labels come from its templates"
	}
	again := backTo(x.changes, them)
	switch {
	case !slices.ContainsFunc(labels, func(l string) bool { return !fromTemplates(l) }):
		fix.Text = fmt.Sprintf("%s: %s, not from values", text.UpperFirst(back), come)
	case !slices.ContainsFunc(labels, func(l string) bool { return !fromRelease(l) }):
		fix.Text = again + ": most charts set it from the release name, nameOverride or fullnameOverride"
	default:
		fix.Text = fmt.Sprintf("%s through the values of chart %s, if it has one for it; else %s", again, chart, back)
	}
	return fix, true
}

// backTo says how a selector gets back to what is live: a label that only Git has is taken out, one that only the cluster has is put in.
func backTo(changes []drift.Field, them string) string {
	added := !slices.ContainsFunc(changes, func(f drift.Field) bool { return f.InLive })
	removed := !slices.ContainsFunc(changes, func(f drift.Field) bool { return f.InDesired })
	switch {
	case added:
		return fmt.Sprintf("Take %s out of the selector", them)
	case removed:
		return fmt.Sprintf("Put %s back into the selector", them)
	}
	return fmt.Sprintf("Restore the live %s in the selector", them)
}

// chartBefore is the version of the chart that the live object is from: as the label helm.sh/chart says, else what was synced before.
func chartBefore(in *diagnose.In, chart string, x fixed) string {
	for _, f := range x.changes {
		if live, ok := f.Live.(string); ok && (f.Path.Last() == "helm.sh/chart" || f.Path.Last() == "chart") {
			if v, ok := strings.CutPrefix(live, chart+"-"); ok {
				return v
			}
		}
	}
	return versionBefore(in, chart)
}

// versionBefore is the other version of a chart that was synced last; empty where the history has none.
func versionBefore(in *diagnose.In, chart string) string {
	now := in.App().Source(0).TargetRevision
	history := in.App().Status.History
	for _, h := range slices.Backward(history) {
		if h.Source != nil && h.Source.Chart == chart && h.Revision != now && h.Revision != in.App().Status.Sync.Revision && h.Revision != "" {
			return h.Revision
		}
	}
	return ""
}
