package apply

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// olderCRD adds to the finding about an unknown field of a custom resource that the CRD in the cluster may be older than the manifest.
// Of a manifest that a released chart makes it is most likely so: its templates fit the CRDs that they are released with.
func olderCRD(in *diagnose.In, s *diagnose.Statement, ref evidence.Ref, fields []wrongField, out *diagnose.Finding) {
	if s.Derived() || s.Refusal || len(fields) == 0 || !fields[0].unknown || ref.Group == "" || evidence.BuiltIn(ref.Group) || ownCRD(in, ref.Kind, ref.Group) != nil {
		return
	}
	chart, source := advice.Chart(in), chartSource(in)
	if chart == "" {
		out.Why = strings.Replace(out.Why, fields[0].why, "The CRD in the cluster has no such field there.", 1)
		out.Fix = append(out.Fix, diagnose.Fix{Text: fmt.Sprintf("If a newer version of the operator has the field, update the CRD of %s in the cluster first; it is not part of this application", ref.Kind)})
		return
	}
	now := source.TargetRevision
	likely := fmt.Sprintf("Most likely the CRD is older than chart %s %s needs", chart, now)
	if before := versionBefore(in, chart); before != "" && before != now {
		likely += fmt.Sprintf(" (%s was deployed before)", before)
	}
	out.Why = text.Paragraph(strings.Replace(out.Why, fields[0].why, "The CRD in the cluster has no such field there.", 1), likely+"; this application does not bring it.")
	update := diagnose.Fix{Text: fmt.Sprintf("Update the CRDs of %s in the cluster to a version that has the field, in the application that brings them if one does; this shows those that the chart itself contains, to look at and then to apply (kubectl apply --server-side --force-conflicts)", ref.Group)}
	update.Command = showCRDs(source) // a chart may have objects of any kind there: whoever applies them looks at them first
	remove := diagnose.Fix{Text: fmt.Sprintf("Or use a version of chart %s that fits the CRDs; if the field comes from your values, remove it there", chart)}
	out.Fix, out.OutsideGit = append([]diagnose.Fix{update, remove}, out.Fix[1:]...), true
}

// chartSource is the first source that is a chart of a repository; where there are none, the first one.
func chartSource(in *diagnose.In) evidence.ApplicationSource {
	for _, source := range in.App().Spec.Sources {
		if source.Chart != "" {
			return source
		}
	}
	return in.App().Source(0)
}

// showCRDs is the command that prints the CRDs of a chart.
func showCRDs(source evidence.ApplicationSource) string {
	version := ""
	if source.TargetRevision != "" {
		version = diagnose.Shell(" --version %s", source.TargetRevision)
	}
	if strings.Contains(source.RepoURL, "://") && !strings.HasPrefix(source.RepoURL, "oci://") {
		return diagnose.Shell("helm show crds %s --repo %s", source.Chart, source.RepoURL) + version
	}
	return diagnose.Shell("helm show crds oci://%s", strings.TrimPrefix(source.RepoURL, "oci://")+"/"+source.Chart) + version
}
