package advice

import "github.com/argo-why/argo-why/internal/diagnose"

// Chart is the chart of a repository that all manifests of the application come from; empty where some come from elsewhere.
func Chart(in *diagnose.In) string {
	spec, chart := in.App().Spec, ""
	sources := spec.Sources
	if len(sources) == 0 && spec.Source != nil {
		sources = append(sources, *spec.Source)
	}
	for _, source := range sources {
		switch {
		case source.Ref != "" && source.Path == "" && source.Chart == "": // it only has values
		case source.Chart == "" || chart != "":
			return ""
		default:
			chart = source.Chart
		}
	}
	return chart
}
