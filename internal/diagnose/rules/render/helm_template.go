package render

import (
	"cmp"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
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
		if !helmWords(f) || notGzip.MatchString(f.Flat()) && ownRepository(renderedOf(in, s)) {
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
		if who := out.Says.Who; out.Says.Text != "" && (who == "" || who == "Argo CD says") {
			out.Says.Who = "Helm says"
		}
		if m := braces.FindStringSubmatch(f.Flat()); f.Command != nil && r.known() && (m == nil || !passedBraces(r, m[1])) && reproducible(r, out) {
			out.Fix = append(out.Fix, reproduction(r))
			if m := kubeVersion.FindString(f.Command.Line); m != "" && f.Mentions("chart requires kubeversion") {
				out.Fix[len(out.Fix)-1].Command += m // Helm has a version of its own built in
			}
		}
		return out, true
	}),
}

// reproducible reports whether a local Helm fails in the same way: not where the repo-server's Helm, or a plugin of it, is the reason,
// nor where it is a values file that the command of the step leaves out.
func reproducible(r rendered, f diagnose.Finding) bool {
	if f.OutsideGit {
		return false
	}
	flags, whole := valueFlags(r)
	m := aboutFile.FindStringSubmatch(r.s.Failure.Flat())
	return whole || m == nil || strings.Contains(string(flags), relative(m[1]))
}

// aboutFile is a values file that Helm cannot read.
var aboutFile = pattern.MustCompile(`(?:failed to parse|open) ([^\s:]+\.ya?ml)\b`)

// reproduction is the step that renders the chart as Argo CD does.
func reproduction(r rendered) diagnose.Fix {
	out := diagnose.Fix{Text: "Reproduce it locally, with the application's values (-f FILE, --set KEY=VALUE)", Command: renderLocally(r)}
	_, whole := valueFlags(r)
	if helm := r.src.Helm; ownRepository(r) && (helm == nil || len(helm.Parameters)+len(helm.FileParameters)+len(helm.ValuesObject)+len(helm.Values) == 0 && whole) {
		out.Text = "Reproduce it in a clone of the repository"
	}
	return out
}

// renderLocally is the command that renders the chart of a source as Argo CD does, with those of its values that the chart's own
// repository has.
func renderLocally(r rendered) string {
	src, version := r.src, diagnose.Raw("")
	if src.TargetRevision != "" {
		version = diagnose.Raw(diagnose.Shell(" --version %s", src.TargetRevision))
	}
	switch {
	case src.Chart == "" && strings.HasPrefix(src.RepoURL, "oci://"):
		return diagnose.Shell("helm template %s%s --debug", strings.TrimSuffix(src.RepoURL, "/"), version)
	case src.Chart == "":
		flags, _ := valueFlags(r)
		return diagnose.Shell("helm template %s%s --debug", sourcePath(src), flags)
	case strings.HasPrefix(src.RepoURL, "http"):
		return diagnose.Shell("helm template %s --repo %s%s --debug", src.Chart, src.RepoURL, version)
	}
	return diagnose.Shell("helm template oci://%s%s --debug", strings.TrimPrefix(src.RepoURL, "oci://")+"/"+src.Chart, version)
}

func helmWords(f *message.Failure) bool {
	return f.Call == message.CallHelm || f.Mentions("`helm template") || f.Has("helm template", "helm chart", "execution error at (", "nil pointer evaluating", "yaml parse error on", "values don't meet the specifications", "error calling include", "chart.yaml", "helm values", "helm version", "helm parameters", "value file", "kubeversion", "render error in", "error: template: ", "executing \"", "source referenced \"", "cannot reference a different revision of the same repository", "cannot reference multiple revisions")
}

var (
	place = pattern.MustCompile(`(?:template: |execution error at \(|parse error at \(|error on )([A-Za-z0-9_.\-/]+\.(?:ya?ml|tpl|txt)(?::\d+)?)`)
	// executing leads to the expression, or the error, at the innermost place.
	executing = pattern.MustCompile(`^.*(?:executing "[^"]*" |execution error at \([^)]*\): |parse error at \([^)]*\): )`)
	// readFrom is what a template reads other than a value.
	readFrom = pattern.MustCompile(`at <(\.(?:Release|Chart|Capabilities|Template|Files)[A-Za-z0-9_.]*)>: nil pointer`)
	// kubeVersion is the version that Argo CD lets Helm render for.
	kubeVersion = pattern.MustCompile(` --kube-version [\w.+-]+`)
	// undefined is what a template calls and nothing defines.
	undefined = pattern.MustCompile(`no template "[^"]+" associated|template: no template|function "[^"]+" not defined`)
)

// templatePlace is the innermost template and line the message names, e.g. "web/templates/deploy.yaml:15".
func templatePlace(said string) string {
	all := place.FindAllStringSubmatch(said, -1)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1][1]
}

// valuePath is the value that the innermost expression is about, e.g. ".Values.image.tag"; empty where it is about none or several.
func valuePath(said string) string {
	all := expression.FindAllStringSubmatch(said, -1)
	if len(all) == 0 {
		return ""
	}
	used := slices.Compact(usedValue.FindAllString(all[len(all)-1][1], -1))
	if len(used) != 1 || strings.Contains(all[len(all)-1][1], "...") {
		return ""
	}
	return used[0]
}
