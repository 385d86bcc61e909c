package render

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
)

// Charts with apiVersion v1, the only ones that Helm 2 knows, have their dependencies in files of their own. Releases of Argo CD that
// still have Helm 2 use it for these charts.

// byHelm2 reports whether Argo CD runs Helm 2.
func byHelm2(r rendered) bool {
	c := r.s.Failure.Command
	return c != nil && strings.HasPrefix(strings.TrimSpace(c.Line), "helm2 ")
}

// withRequirements makes a finding about the dependencies of a chart name the files that the chart has them in, and the Helm that writes
// them. Where Helm itself speaks of Chart.yaml, that is the file.
func withRequirements(r rendered, f diagnose.Finding) diagnose.Finding {
	said := r.s.Failure.Flat()
	if strings.Contains(said, "Chart.yaml") || strings.Contains(said, "Chart.lock") || !strings.Contains(said, "requirements.lock") && !strings.Contains(said, "requirements.yaml") && !byHelm2(r) {
		return f
	}
	files := strings.NewReplacer("Chart.yaml", "requirements.yaml", "Chart.lock", "requirements.lock")
	f.Title, f.Why = files.Replace(f.Title), files.Replace(f.Why)
	for i := range f.Fix {
		step := &f.Fix[i]
		step.Text = files.Replace(step.Text)
		if update, ok := strings.CutPrefix(step.Command, "helm dependency "); ok && byHelm2(r) {
			step.Command = "helm2 dependency " + update
			f.Why = strings.TrimSpace(f.Why + " Argo CD runs Helm 2 for this chart, and Helm 2 does not accept a lock file that Helm 3 wrote.")
		}
	}
	if byHelm2(r) && ownRepository(r) {
		f.Fix = append(f.Fix, diagnose.Fix{Text: "Or make it a chart for Helm 3: set apiVersion: v2 in Chart.yaml, move the dependencies there from requirements.yaml, replace requirements.lock by the Chart.lock that helm dependency update of Helm 3 writes, and push"})
	}
	return f
}
