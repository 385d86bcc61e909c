package render

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
)

// helmFaults are how helm template fails, and how Argo CD fails before it runs it, other than at a place in a template.
var helmFaults = []fault{
	{pattern.MustCompile(`values don't meet the specifications of the schema\(s\) in the following chart\(s\): (.*)`), violatesSchema},
	{pattern.MustCompile(`source referenced "(\$[^"]+)", (?:but no source has a 'ref' field defined|which is not one of the available sources \(([^)]*)\))`), unknownRef},
	{pattern.MustCompile(`source has a 'chart' field defined, but Helm charts are not`), chartAsRef},
	{pattern.MustCompile(`cannot reference (?:a different revision of the same repository|multiple revisions for the same repository) \((.*?)\)(?: |$)`), severalRevisions},
	{pattern.MustCompile(`(?:value )?file '([^']+)' resolved to outside repository root`), outsideRoot},
	{pattern.MustCompile(`the URL scheme '([^']+)' is not allowed`), schemeNotAllowed},
	{pattern.MustCompile(`scheme "secrets[^"]*" not supported|unknown command "secrets"|plugin "secrets" not found`), noHelmSecrets},
	{pattern.MustCompile(`helm chart version '([^']+)' is not supported`), wrongHelmVersion},
	{pattern.MustCompile(`failed parsing --set(?:-\w+)? data: (.*)`), malformedParameter},
	{pattern.MustCompile(`chart requires kubeVersion: (.+?) which is incompatible with Kubernetes v?(\S+)`), wrongKubernetes},
	{pattern.MustCompile(`no template "([^"]+)" associated`), noTemplate},
	{pattern.MustCompile(`function "([^"]+)" not defined`), noFunction},
	{pattern.MustCompile(`Chart\.yaml file is missing`), noChart},
	{pattern.MustCompile(`open ([^\s:]*Chart\.yaml): no such file`), noChart},
	{pattern.MustCompile(`(?:failed to parse|cannot load) (\S*?) ?: (?:error (?:converting|unmarshaling)[^:]*: )?(.*)`), malformedValues},
	{pattern.MustCompile(`validation: (.*)`), invalidChart},
	{pattern.MustCompile(`(.*?) ?Error: plugin "([\w-]+)" exited with\s+error`), pluginOfHelm},
	{pattern.MustCompile(`failed to fetch (https?://\S+) ?: (.*)`), valuesNotFetched},
	{pattern.MustCompile(`open ([^\s:]+\.[A-Za-z]+): no such file`), noValuesFile},
}

func violatesSchema(r rendered, m []string) diagnose.Finding {
	out := diagnose.Finding{
		Title: "Helm values do not match the chart's schema",
		Says:  diagnose.Said{Text: schemaErrors(m[1])},
		Fix:   advice.Steps("Correct these values in " + valuesOf(r) + " to match values.schema.json of the chart"),
	}
	if defaults := defaultsAtFault(r, m[1]); defaults != "" {
		out.Why = "The Application does not set " + defaults + ": there the chart's own defaults do not match its schema, which is an error of the chart."
	}
	out.Why = strings.TrimSpace(out.Why + valuesTooLarge(r))
	if r.src.Chart != "" {
		out.Fix = append(out.Fix, diagnose.Fix{Text: "If these values worked with another version of chart " + r.src.Chart + ", its release notes name what was renamed; or go back to that version (targetRevision)"})
	}
	return out
}

// schemaErrors are what a schema refuses, first things first, as many as fit in a sentence. Helm prints each behind a hyphen, below the
// name of the chart.
func schemaErrors(said string) string {
	_, list, found := strings.Cut(": "+said, ": - ")
	if !found {
		return message.LastClause(said)
	}
	errors := strings.Split(list, " - ")
	out := errors[0]
	for i, e := range errors[1:] {
		if len(out)+len(e) > message.MaxClause+message.MaxClause/2 {
			return fmt.Sprintf("%s; and %d more", out, len(errors)-1-i)
		}
		out += "; " + e
	}
	return out
}

// unknownRef is about a values file that is taken from another source by a name that no source has.
func unknownRef(r rendered, m []string) diagnose.Finding {
	name := strings.TrimPrefix(m[1], "$")
	out := diagnose.Finding{
		Title: fmt.Sprintf("No source of the application has ref: %s", name),
		Why:   fmt.Sprintf("valueFiles use it as %s/….", m[1]),
		Fix:   []diagnose.Fix{{Text: "Add ref to the source that contains the values files, in spec.sources of the Application", Patch: "ref: " + name + "\n"}},
	}
	if len(r.in.App().Spec.Sources) == 0 {
		out.Why += " A ref needs several sources, and the Application has one (spec.source)."
		out.Fix[0] = diagnose.Fix{Text: "Replace spec.source by spec.sources, in " + advice.Manifest(r.in) + ": this source, and the repository with the values files as another one", Patch: "- repoURL: URL\n  targetRevision: HEAD\n  ref: " + name + "\n"}
	}
	if m[2] != "" {
		out.Why += fmt.Sprintf(" What exists: %s.", m[2])
		out.Fix[0].Text = "Use an existing name in valueFiles, or correct ref of the source that contains the values files"
	}
	return out
}

func chartAsRef(rendered, []string) diagnose.Finding {
	return diagnose.Finding{
		Title: "A source with ref cannot be a Helm chart",
		Why:   "valueFiles can refer to files of Git repositories only.",
		Fix:   advice.Steps("Remove chart from the source with ref, or move ref to the Git source that contains the values files"),
	}
}

func severalRevisions(_ rendered, m []string) diagnose.Finding {
	return diagnose.Finding{
		Title: "Sources use one repository at different revisions",
		Why:   "Argo CD checks out each repository once per application: " + m[1] + ".",
		Fix:   advice.Steps("Set the same targetRevision on all sources with this repoURL"),
	}
}

func outsideRoot(_ rendered, m []string) diagnose.Finding {
	return diagnose.Finding{
		Title: fmt.Sprintf("%s is outside the repository", m[1]),
		Why:   "Argo CD reads no file outside the source's repository. The path leads out of it, or the file is a symbolic link that does.",
		Fix: advice.Steps("Correct the path: it is relative to the chart, and with a leading / to the root of the repository",
			"For a file in another repository, add that repository as a source with ref, and write $REF/PATH"),
	}
}

func schemeNotAllowed(r rendered, m []string) diagnose.Finding {
	out := diagnose.Finding{
		OutsideGit: true,
		Title:      fmt.Sprintf("Values files from %s:// URLs are not allowed", m[1]),
		Why:        "helm.valuesFileSchemes in argocd-cm lists the schemes that Argo CD accepts.",
		Fix:        []diagnose.Fix{advice.Config("helm.valuesFileSchemes").Edit(r.in, "Add "+m[1]+" to helm.valuesFileSchemes, behind what is there (without the setting: http, https)")},
	}
	if strings.HasPrefix(m[1], "secrets") {
		out.Fix = append(out.Fix, diagnose.Fix{Text: "The repo-server also needs the plugin helm-secrets, which Argo CD does not include"})
	}
	return out
}

func noHelmSecrets(rendered, []string) diagnose.Finding {
	return diagnose.Finding{
		OutsideGit: true,
		Title:      "Argo CD's Helm has no plugin helm-secrets",
		Why:        "valueFiles use secrets://, which only this plugin understands. Argo CD does not include it.",
		Fix:        advice.Steps("Install helm-secrets and sops in the repo-server, with an init container and HELM_PLUGINS"),
	}
}

func wrongHelmVersion(r rendered, m []string) diagnose.Finding {
	return diagnose.Finding{
		Title: r.field("helm.version") + " " + m[1] + " is not supported",
		Why:   "The field takes v3 only.",
		Fix:   advice.Steps("Remove the field from the Application, or write v3"),
	}
}

func malformedParameter(r rendered, m []string) diagnose.Finding {
	names := ""
	if helm := r.src.Helm; helm != nil && len(helm.Parameters) > 0 && len(helm.Parameters) <= 5 {
		var all []string
		for _, p := range helm.Parameters {
			all = append(all, p.Name)
		}
		names = " (" + strings.Join(all, ", ") + ")"
	}
	out := diagnose.Finding{
		Title: "A Helm parameter cannot be parsed",
		Says:  diagnose.Said{Text: message.LastClause(m[1])},
		Fix:   advice.Steps("Correct it in " + r.edited("helm.parameters") + names + ": in a name, dots separate and brackets count elements; in a value, commas and braces need a backslash. Or write the value in " + r.edited("helm.valuesObject")),
	}
	if strings.Contains(m[1], "interface conversion") {
		out.Title, out.Whole = "Helm parameters contradict each other", true
		out.Why = "One of them sets something below a value that another parameter, or a values file, sets to plain text."
		out.Fix[0].Text = "Remove one of the two from " + r.edited("helm.parameters") + names
	}
	return out
}

// invalidChart is about a Chart.yaml in which Helm misses something.
func invalidChart(r rendered, m []string) diagnose.Finding {
	file := path.Join(r.src.Path, "Chart.yaml")
	out := diagnose.Finding{
		Title: file + " is not valid",
		Short: "Chart.yaml is not valid",
		Says:  diagnose.Said{Who: "Helm says", Text: cutAdvice(m[1])},
		Fix:   advice.Steps("Correct " + file + ", and push"),
	}
	if r.src.Chart != "" {
		out.Title = "Chart.yaml of chart " + r.src.Chart + " is not valid"
		out.Fix = []diagnose.Fix{{Text: "Use another version of the chart (targetRevision)"}}
	}
	return out
}

// pluginOfHelm is about a plugin of Helm that fails, most often helm-secrets.
func pluginOfHelm(r rendered, m []string) diagnose.Finding {
	reason := m[1]
	if c := r.s.Failure.Command; c != nil && c.Result != "" { // behind Helm's own command line
		_, reason, _ = strings.Cut(reason, "failed "+c.Result+":")
	}
	out := diagnose.Finding{
		OutsideGit: true,
		Title:      "Helm plugin " + m[2] + " fails",
		Why:        "Argo CD's Helm starts it for the URLs that only this plugin understands, such as " + m[2] + "://.",
		Says:       diagnose.Said{Who: "It says", Text: message.LastClause(reason)},
		Fix:        []diagnose.Fix{ofRepoServer(r.in, "Show the plugins in the repo-server", "exec deploy/PART -- helm plugin list")},
	}
	if strings.Contains(m[1], "no plugin command is applicable") {
		out.Why += " Its plugin.yaml has no command that this version of Helm takes, for the system and architecture of the node."
		out.Fix = append([]diagnose.Fix{{Text: "Install a version of the plugin for the Helm of this Argo CD (helm-secrets is known to break with updates of Helm), and restart the repo-server"}}, out.Fix...)
	}
	return out
}

func noTemplate(r rendered, m []string) diagnose.Finding {
	at := templatePlace(r.s.Failure.Text)
	out := diagnose.Finding{
		Title: fmt.Sprintf("Template %q is not defined", m[1]),
		Short: "A Helm template that another one includes is not defined",
		Whole: true,
		Why:   "It is part of a library chart that is missing or has another version, or its name is misspelled.",
	}
	if at != "" {
		out.Why = "Template " + at + " includes it. " + out.Why
	}
	if strings.Contains(m[1], "/templates/") {
		out.Why = fmt.Sprintf("%s includes this file, which the chart does not have under this path.", cmp.Or(at, "A template"))
	}
	if !ownTemplate(r, at) {
		out.Fix = []diagnose.Fix{otherVersion(r, at)}
		out.Fix[0].Text += ": this is an error of the chart, unless the application's values name the template"
		return out
	}
	out.Fix = []diagnose.Fix{
		{Text: "Add the library chart to the dependencies, or correct the name in the template"},
		{Text: "If charts/ is committed, update it and push", Command: diagnose.Shell("helm dependency update %s", sourcePath(r.src))},
	}
	return out
}

func noFunction(r rendered, m []string) diagnose.Finding {
	step := "Use a chart version for Argo CD's Helm, or upgrade Argo CD"
	if ownTemplate(r, templatePlace(r.s.Failure.Text)) {
		step = "Correct the name, or use a function that Argo CD's Helm has"
	}
	return diagnose.Finding{
		Title: fmt.Sprintf("Helm has no template function %s", m[1]),
		Why:   fmt.Sprintf("Template %s uses it. It is misspelled, or the chart needs a newer Helm than Argo CD's.", cmp.Or(templatePlace(r.s.Failure.Text), "of the chart")),
		Fix: []diagnose.Fix{
			{Text: step},
			ofRepoServer(r.in, "Show the version of that Helm", "exec deploy/PART -- helm version --short"),
			{Text: "If the braces are meant for another program (an alert, a notification, an ApplicationSet), escape them for Helm", Patch: "{{ `{{ " + m[1] + " }}` }}\n"},
		},
	}
}

func noChart(r rendered, m []string) diagnose.Finding {
	dir := sourcePath(r.src)
	if len(m) > 1 {
		dir = path.Dir(inRepository(r, relative(m[1])))
	}
	return diagnose.Finding{
		Title: where(dir) + " has no Chart.yaml",
		Why:   "Helm needs it at the top of the chart.",
		Fix: []diagnose.Fix{
			{Text: "Commit Chart.yaml, or point " + r.edited("path") + " to the directory that has one"},
			{Text: "In a clone, list the charts that exist", Command: listTree(r.src.TargetRevision, "-r") + " | grep Chart.yaml"},
		},
	}
}
