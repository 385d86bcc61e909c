package render

import (
	"cmp"
	"fmt"
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
		What:     "Helm cannot render the chart with the values of this application: a value is missing (nil pointer), the chart requires one (required, fail, a schema), a values file does not exist or cannot be decrypted, or a template produces invalid YAML.",
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
		r := renderedOf(in, s)
		out, ok := undecrypted(r)
		if ok {
			return out, true
		}
		if out, ok = atTemplate(r); !ok {
			out, ok = firstOf(helmFaults, r, relative(f.Flat()))
		}
		if !ok {
			out = diagnose.Finding{
				Confidence: diagnose.Certain,
				Title:      "Helm cannot render " + strings.TrimSpace(cmp.Or(r.src.Chart, r.src.Path, "the chart")),
				Why:        strings.TrimSpace(inSource(s)),
				Says:       said(s),
			}
			out.Says.Text = relative(out.Says.Text)
		}
		if out.Says.Text != "" {
			out.Says.Who = "Helm says"
		}
		if f.Command != nil {
			out.Fix = append(out.Fix, diagnose.Fix{Text: "Reproduce it locally, with the application's values (-f FILE, --set KEY=VALUE)", Command: renderLocally(r.src)})
			if m := kubeVersion.FindString(f.Command.Line); m != "" && f.Mentions("chart requires kubeversion") {
				out.Fix[len(out.Fix)-1].Command += m // Helm has a version of its own built in
			}
		}
		return out, true
	}),
}

// atTemplate is the finding about an error that names its place in a template.
func atTemplate(r rendered) (diagnose.Finding, bool) {
	s, f := r.s, &r.s.Failure
	at, value, path := templatePlace(f.Text), valuePath(f.Text), readOf(f.Text)
	if at == "" || undefined.MatchString(f.Text) {
		return diagnose.Finding{}, false
	}
	out := diagnose.Finding{Confidence: diagnose.Certain, Says: said(s)}
	if m := executing.FindStringIndex(out.Says.Text); m != nil {
		out.Says.Text = out.Says.Text[m[1]:]
	}
	if m := requiredValue.FindString(out.Says.Text); m != "" && value == "" {
		value = strings.TrimRight(m, ".")
	}
	switch {
	case (strings.HasPrefix(path.path, ".Values.") || path.foreign()) && f.Has("nil pointer", "can't evaluate", "map has no entry"):
		told := cannotRead(r, at, path)
		told.Confidence, told.Says = out.Confidence, out.Says
		out, value = told, path.path
	case strings.Contains(f.Text, "execution error at ("):
		out.Title, out.Brief = "The chart refuses its values at "+base(at), "The chart refuses its values"
		out.Short = out.Brief
		out.Why = strings.TrimSpace(inSource(s) + "The chart checks its values in " + at + ".")
		out.Fix = []diagnose.Fix{{Text: "Correct the values of this application to what the message asks for"}}
		if value != "" {
			out.Title, out.Fix[0].Text = "The chart requires "+value, fmt.Sprintf("Set %s in the values of this application", value)
		}
	case strings.Contains(f.Text, "YAML parse error on "):
		out.Title, out.Short = "Template "+base(at)+" renders to invalid YAML", "A Helm template renders to invalid YAML"
		out.Why = inSource(s) + "The line counts in the output of " + at + ", not in the template."
		out.Says.Text = parsing.ReplaceAllString(strings.TrimPrefix(out.Says.Text, "YAML parse error on "+at+": "), "")
		if m := atLine.FindStringSubmatch(f.Text); m != nil {
			out.Title += " (line " + m[1] + ")"
		}
		out.Fix = []diagnose.Fix{{Text: "Correct the values that this template inserts (quoting, indentation), or the template"}}
	case value == "" && f.Has("nil pointer") && readFrom.MatchString(f.Text):
		field := readFrom.FindStringSubmatch(f.Text)[1]
		out.Title = "Helm cannot read " + field
		out.Why = fmt.Sprintf("Template %s uses it%s, and was called with a context that does not contain it.", at, sourceOf(s))
		out.Fix = []diagnose.Fix{{Text: "Where this template is included, pass the root context (include \"NAME\" $), or use a version of the chart that does"}}
	case value != "":
		out.Title = "Helm cannot use " + value
		out.Why = fmt.Sprintf("Template %s uses it%s as another type than it has.", at, sourceOf(s))
		out.Fix = []diagnose.Fix{{Text: fmt.Sprintf("Correct %s in the values of this application to the type that the template expects", value)}}
	default:
		told := anyTemplate(r, at, base(at))
		told.Confidence = out.Confidence
		if !strings.Contains(told.Title, "undefined variable") {
			told.Says = out.Says
		}
		out = told
	}
	if _, reason, ok := strings.Cut(out.Says.Text, ">: "); ok && value != "" {
		out.Says.Text = reason
	}
	return out, true
}

// base is a template and its line without the directories.
func base(at string) string { return at[strings.LastIndexByte(at, '/')+1:] }

// renderLocally is the command that renders the chart of a source as Argo CD does, but for its values.
func renderLocally(src evidence.ApplicationSource) string {
	version := diagnose.Raw("")
	if src.TargetRevision != "" {
		version = diagnose.Raw(diagnose.Shell(" --version %s", src.TargetRevision))
	}
	switch {
	case src.Chart == "":
		return diagnose.Shell("helm template %s --debug", sourcePath(src))
	case strings.HasPrefix(src.RepoURL, "http"):
		return diagnose.Shell("helm template %s --repo %s%s --debug", src.Chart, src.RepoURL, version)
	}
	return diagnose.Shell("helm template oci://%s%s --debug", strings.TrimPrefix(src.RepoURL, "oci://")+"/"+src.Chart, version)
}

func helmWords(f *message.Failure) bool {
	return f.Call == message.CallHelm || f.Mentions("`helm template") || f.Has("helm template", "helm chart", "execution error at (", "nil pointer evaluating", "yaml parse error on", "values don't meet the specifications", "error calling include", "chart.yaml", "helm values", "helm version", "helm parameters", "value file", "kubeversion", "render error in", "error: template: ", "executing \"", "source referenced \"", "cannot reference a different revision of the same repository", "cannot reference multiple revisions")
}

var (
	place = regexp.MustCompile(`(?:template: |execution error at \(|parse error at \(|error on )([A-Za-z0-9_.\-/]+\.(?:ya?ml|tpl|txt)(?::\d+)?)`)
	// executing leads to the expression, or the error, at the innermost place.
	executing = regexp.MustCompile(`^.*(?:executing "[^"]*" |execution error at \([^)]*\): |parse error at \([^)]*\): )`)
	values    = regexp.MustCompile(`at <\$?(\.Values\.[A-Za-z0-9_.\-]+)`)
	// readFrom is what a template reads other than a value.
	readFrom = regexp.MustCompile(`at <(\.(?:Release|Chart|Capabilities|Template|Files)[A-Za-z0-9_.]*)>: nil pointer`)
	// kubeVersion is the version that Argo CD lets Helm render for.
	kubeVersion = regexp.MustCompile(` --kube-version [\w.+-]+`)
	// requiredValue is the value that a chart's own message names; undefined what a template calls and nothing defines.
	requiredValue = regexp.MustCompile(`\.Values\.[A-Za-z0-9_.\-]+`)
	undefined     = regexp.MustCompile(`no template "[^"]+" associated|template: no template|function "[^"]+" not defined`)
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
