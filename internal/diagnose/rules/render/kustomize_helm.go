package render

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
)

// Kustomize pulls and renders the charts of helmCharts itself, and prints what Helm says in front of Helm's command line.
var (
	ociChart     = regexp.MustCompile(`oci://\S+`)
	chartRepo    = regexp.MustCompile(`--repo (\S+) (\S+)`)
	chartVersion = regexp.MustCompile(`--version (\S+)`)
	chain        = regexp.MustCompile(`^.*\b(?:accumulateHelmCharts|accumulating resources|Error): `)
)

// helmFails is about a chart of helmCharts that Helm cannot fetch or render; m is what Helm says, its verb and its arguments.
func helmFails(r rendered, m []string) diagnose.Finding {
	answer, verb, arguments := chain.ReplaceAllString(m[1], ""), m[2], m[3]
	if verb == "template" {
		return diagnose.Finding{
			Title: "Helm cannot render a chart of the overlay",
			Why:   "kustomization.yaml lists the chart under helmCharts.",
			Says:  diagnose.Said{Who: "Helm says", Text: message.LastClause(relative(answer))},
			Fix:   advice.Steps("Correct the values of the chart in kustomization.yaml (valuesInline, valuesFile), or use another version of it"),
		}
	}
	chart, repo, version := "", "", ""
	if at := chartRepo.FindStringSubmatch(arguments); at != nil {
		repo, chart = at[1], at[2]
	} else if repo = ociChart.FindString(arguments); repo != "" {
		chart = path.Base(repo)
	}
	if at := chartVersion.FindStringSubmatch(arguments); at != nil {
		version = at[1]
	}
	named := strings.TrimSpace("chart " + chart)
	out := diagnose.Finding{
		Title: "Kustomize cannot pull " + named,
		Short: "A chart of the overlay cannot be pulled",
		Why:   "kustomization.yaml lists it under helmCharts.",
		Says:  diagnose.Said{Who: "Helm says", Text: message.LastClause(answer)},
		Fix:   []diagnose.Fix{{Text: "Check name, version and repo of helmCharts in kustomization.yaml, and whether the repo-server can read that repository"}},
	}
	if repo == "" {
		return out
	}
	out.Why = fmt.Sprintf("kustomization.yaml takes it from %s (helmCharts).", repo)
	if strings.Contains(answer, "not found") {
		out.Title = strings.TrimSpace("C"+named[1:]+" "+version) + " not found"
		out.Short = "A chart of the overlay is not found"
		out.Fix[0].Text = "Set version of helmCharts in kustomization.yaml to one that is published, or publish this one"
	}
	out.Fix = append(out.Fix, versionsIn(repo, chart))
	return out
}
