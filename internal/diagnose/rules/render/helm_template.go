package render

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
)

var HelmTemplate = &diagnose.Rule{
	ID: "render/helm-template",
	Doc: diagnose.Doc{
		Title:    "Helm cannot render the chart",
		What:     "Helm cannot render the chart with the values of this application: a value is missing (nil pointer), the chart requires one (required, fail, a schema), a values file does not exist, or a template produces invalid YAML.",
		Decisive: "helm template ends with an error that names the template, line and value.",
		Example:  "template: web/templates/deploy.yaml:15:47: executing \"web/templates/deploy.yaml\" at <.Values.image.tag>: nil pointer evaluating interface {}.tag",
		Fix:      "Correct the values or the chart and push. If the error is cached, hard-refresh the application.",
	},
	Sync: nothingRenders,
	Check: during(message.CallHelm).rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !helmWords(f) {
			return diagnose.Finding{}, false
		}
		src := in.App().Source(f.Source)
		render := diagnose.Fix{Text: "Reproduce it locally, with the application's values (-f FILE, --set KEY=VALUE)", Command: renderLocally(src)}
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      "Helm cannot render " + strings.TrimSpace(cmp.Or(src.Chart, src.Path, "the chart")),
			Why:        strings.TrimSpace(inSource(s)),
			Says:       said(s),
			Fix:        []diagnose.Fix{render},
		}
		switch at, value := templatePlace(f.Text), valuePath(f.Text); {
		case value != "" && at != "" && f.Has("nil pointer", "can't evaluate", "map has no entry"):
			out.Title = fmt.Sprintf("Helm cannot read %s", value)
			out.Why = fmt.Sprintf("Template %s uses it%s, and no values file sets it or its parent.", at, sourceOf(s))
			if f.Has("can't evaluate") && !f.Has("nil pointer") {
				out.Why = fmt.Sprintf("Template %s uses it%s, but its parent has another type.", at, sourceOf(s))
			}
			out.Fix = []diagnose.Fix{{Text: fmt.Sprintf("Set %s in the values of this application, or give it a default in the template", value)}, render}
		case at != "":
			out.Title = "Helm fails at " + path.Base(at)
			out.Why = strings.TrimSpace(inSource(s) + "The template is " + at + ".")
			out.Fix = []diagnose.Fix{{Text: "Correct the values that this template uses, or the template itself"}, render}
		case f.Has("values don't meet the specifications"):
			out.Title = "Helm values do not match the chart's schema"
			if _, faults, ok := strings.Cut(f.Core(), "chart(s): "); ok {
				out.Says.Text = message.LastClause(strings.NewReplacer(": - ", ": ", " - ", "; ").Replace(faults))
			}
			out.Fix = []diagnose.Fix{{Text: "Correct these values to match values.schema.json of the chart"}, render}
		case f.HasAll("open ", "no such file"):
			out.Title = "Helm cannot open a values file"
			if file := valuesFile(f.Text); file != "" {
				out.Title, out.Says = "Values file "+file+" not found", diagnose.Said{}
				out.Why = inSource(s) + "The application's valueFiles list it, but it does not exist in the repository."
			}
			out.Fix = []diagnose.Fix{{Text: "Correct spec.source.helm.valueFiles, or set ignoreMissingValueFiles: true"}, render}
		}
		out.Says.Who = "Helm says"
		if at := executing.FindStringIndex(out.Says.Text); at != nil {
			out.Says.Text = out.Says.Text[at[1]:]
		}
		if _, reason, ok := strings.Cut(out.Says.Text, ">: "); ok && strings.HasPrefix(out.Title, "Helm cannot read ") {
			out.Says.Text = reason
		}
		return out, true
	}),
}

// renderLocally is the command that renders the chart of a source as Argo CD does, but for its values.
func renderLocally(src evidence.ApplicationSource) string {
	switch {
	case src.Chart == "":
		return diagnose.Shell("helm template %s --debug", sourcePath(src))
	case strings.HasPrefix(src.RepoURL, "http"):
		return diagnose.Shell("helm template %s --repo %s --version %s --debug", src.Chart, src.RepoURL, src.TargetRevision)
	}
	return diagnose.Shell("helm template oci://%s --version %s --debug", strings.TrimPrefix(src.RepoURL, "oci://")+"/"+src.Chart, src.TargetRevision)
}

func helmWords(f *message.Failure) bool {
	if f.Command != nil && f.Command.Tool == "helm" {
		return !f.Command.FetchesCharts()
	}
	return f.Mentions("`helm template") || f.Has("helm template", "helm chart", "execution error at (", "nil pointer evaluating", "yaml parse error on", "values don't meet the specifications", "error calling include", "chart.yaml", "helm values", "helm version", "helm parameters", "value file", "kubeversion", "render error in", "error: template: ", "executing \"", "source referenced \"", "cannot reference a different revision of the same repository")
}

var (
	place = regexp.MustCompile(`(?:template: |execution error at \(|error on )([A-Za-z0-9_.\-/]+\.(?:ya?ml|tpl|txt)(?::\d+)?)`)
	// executing leads to the expression, or the error, at the innermost place.
	executing = regexp.MustCompile(`^.*(?:executing "[^"]*" |execution error at \([^)]*\): )`)
	values    = regexp.MustCompile(`at <\$?(\.Values\.[A-Za-z0-9_.\-]+)`)
)

// missingFile is a values file that does not exist, without the directory that Argo CD checked the source out to.
var missingFile = regexp.MustCompile(`open (?:<path to cached source>/|/tmp/[^/\s]+/)?([^\s:]+\.ya?ml): no such file`)

// valuesFile is the values file that does not exist; empty where the message names none.
func valuesFile(said string) string {
	m := missingFile.FindStringSubmatch(said)
	if m == nil || strings.HasSuffix(m[1], "Chart.yaml") {
		return ""
	}
	return m[1]
}

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
