package render

import (
	"cmp"
	"fmt"
	"regexp"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/text"
)

var HelmTemplate = &diagnose.Rule{
	ID: "render/helm-template",
	Doc: diagnose.Doc{
		Title:    "helm template fails",
		What:     "Helm cannot render the chart with the values of this application: a value is missing (nil pointer), the chart demands one (required, fail, a schema), a values file is not there, or a template produces invalid YAML.",
		Decisive: "helm template ends with an error that names template, line and value.",
		Example:  "template: web/templates/deploy.yaml:15:47: executing \"web/templates/deploy.yaml\" at <.Values.image.tag>: nil pointer evaluating interface {}.tag",
		Fix:      "Correct the values or the chart and push; then hard refresh if the error is cached.",
	},
	Sync: nothingRenders,
	Check: rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !helmWords(f) {
			return diagnose.Finding{}, false
		}
		path := cmp.Or(in.App().Source(f.Source).Chart, in.App().Source(f.Source).Path, ".")
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      "helm cannot render " + path,
			Why:        fmt.Sprintf("helm template fails%s: %s", sourceOf(s), text.Sentence(f.Line(2*message.MaxClause))),
			Fix:        []diagnose.Fix{{Text: "Render it where you can see it, with the values of the application", Command: diagnose.Shell("helm template %s --debug", path)}},
		}
		switch at, value := templatePlace(f.Text), valuePath(f.Text); {
		case value != "" && at != "" && f.Has("nil pointer", "can't evaluate", "map has no entry"):
			out.Title = fmt.Sprintf("helm cannot render %s: %s has no value", path, value)
			out.Why = fmt.Sprintf("The template %s reads %s, and no values file sets what it stands in%s.", at, value, sourceOf(s))
			out.Fix = append([]diagnose.Fix{{Text: fmt.Sprintf("Set %s in the values of this application, or guard the template with a default", value)}}, out.Fix...)
		case at != "":
			out.Title = fmt.Sprintf("helm cannot render %s (%s)", path, at)
		case f.HasAll("open ", "no such file"):
			out.Title = fmt.Sprintf("helm cannot render %s: a values file is missing", path)
			out.Fix = append([]diagnose.Fix{{Text: "Correct spec.source.helm.valueFiles, or set ignoreMissingValueFiles: true"}}, out.Fix...)
		}
		return out, true
	}),
}

func helmWords(f *message.Failure) bool {
	if f.Command != nil && f.Command.Tool == "helm" {
		return !fetchesCharts(f.Command)
	}
	return f.Mentions("`helm template") || f.Has("helm template", "helm chart", "execution error at (", "nil pointer evaluating", "yaml parse error on", "values don't meet the specifications", "error calling include", "chart.yaml", "helm values", "helm version", "helm parameters", "value file", "kubeversion", "render error in", "error: template: ", "executing \"", "source referenced \"", "cannot reference a different revision of the same repository")
}

var (
	place  = regexp.MustCompile(`(?:template: |execution error at \(|error on )([A-Za-z0-9_.\-/]+\.(?:ya?ml|tpl|txt)(?::\d+)?)`)
	values = regexp.MustCompile(`at <\$?(\.Values\.[A-Za-z0-9_.\-]+)`)
)

// templatePlace is the innermost template and line the message names, e.g. "web/templates/deploy.yaml:15".
func templatePlace(said string) string {
	all := place.FindAllStringSubmatch(said, -1)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1][1]
}

// valuePath is the value that was read, e.g. ".Values.image.tag".
func valuePath(said string) string {
	all := values.FindAllStringSubmatch(said, -1)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1][1]
}
