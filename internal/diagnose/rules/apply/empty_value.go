package apply

import (
	"slices"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/text"
)

// emptyLine is a Helm value that is an empty string: `bitwardenID: ""`.
var emptyLine = pattern.MustCompile(`(?m)^\s*([A-Za-z_][A-Za-z0-9_.\-]*):\s*(?:""|'')\s*(?:#.*)?$`)

// blameEmptyValues adds which Helm values of the Application are empty, where all that is wrong is that fields have no value.
func blameEmptyValues(in *diagnose.In, fields []wrongField, out *diagnose.Finding) {
	if len(fields) == 0 || slices.ContainsFunc(fields, func(w wrongField) bool { return w.wrong != " is required" }) {
		return
	}
	spec := in.App().Spec
	var empty []string
	sources := slices.Clone(spec.Sources)
	if spec.Source != nil {
		sources = append(sources, *spec.Source)
	}
	for _, source := range sources {
		if source.Helm == nil {
			continue
		}
		for _, p := range source.Helm.Parameters {
			if p.Value == "" {
				empty = append(empty, p.Name)
			}
		}
		for _, m := range emptyLine.FindAllStringSubmatch(source.Helm.Values, -1) {
			empty = append(empty, m[1])
		}
	}
	if len(empty) == 0 {
		return
	}
	out.Why = text.Paragraph(out.Why, "The Application leaves empty in its Helm values: "+text.List(empty, maxListed)+".")
	out.Fix[0].Text = "Set the empty Helm value in the Application if the field comes from it, or else correct the field in Git, then push"
}
