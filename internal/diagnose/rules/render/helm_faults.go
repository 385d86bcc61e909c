package render

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
)

// helmFaults are how helm template fails, and how Argo CD fails before it runs it, other than at a place in a template.
var helmFaults = []fault{
	{regexp.MustCompile(`values don't meet the specifications of the schema\(s\) in the following chart\(s\): (.*)`), violatesSchema},
	{regexp.MustCompile(`source referenced "(\$[^"]+)", (?:but no source has a 'ref' field defined|which is not one of the available sources \(([^)]*)\))`), unknownRef},
	{regexp.MustCompile(`source has a 'chart' field defined, but Helm charts are not`), chartAsRef},
	{regexp.MustCompile(`cannot reference (?:a different revision of the same repository|multiple revisions for the same repository) \((.*?)\)(?: |$)`), severalRevisions},
	{regexp.MustCompile(`(?:value )?file '([^']+)' resolved to outside repository root`), outsideRoot},
	{regexp.MustCompile(`the URL scheme '([^']+)' is not allowed`), schemeNotAllowed},
	{regexp.MustCompile(`scheme "secrets[^"]*" not supported|unknown command "secrets"|plugin "secrets" not found`), noHelmSecrets},
	{regexp.MustCompile(`helm chart version '([^']+)' is not supported`), wrongHelmVersion},
	{regexp.MustCompile(`failed parsing --set(?:-\w+)? data: (.*)`), malformedParameter},
	{regexp.MustCompile(`chart requires kubeVersion: (.+?) which is incompatible with Kubernetes v?(\S+)`), wrongKubernetes},
	{regexp.MustCompile(`no template "([^"]+)" associated`), noTemplate},
	{regexp.MustCompile(`function "([^"]+)" not defined`), noFunction},
	{regexp.MustCompile(`Chart\.yaml file is missing`), noChart},
	{regexp.MustCompile(`open ([^\s:]*Chart\.yaml): no such file`), noChart},
	{regexp.MustCompile(`(?:failed to parse|cannot load) (\S+): (?:error (?:converting|unmarshaling)[^:]*: )?(.*)`), malformedValues},
	{regexp.MustCompile(`failed to fetch (https?://\S+) ?: (.*)`), valuesNotFetched},
	{regexp.MustCompile(`open ([^\s:]+\.[A-Za-z]+): no such file`), noValuesFile},
}

func violatesSchema(_ rendered, m []string) diagnose.Finding {
	return diagnose.Finding{
		Title: "Helm values do not match the chart's schema",
		Says:  diagnose.Said{Text: schemaErrors(m[1])},
		Fix:   advice.Steps("Correct these values to match values.schema.json of the chart"),
	}
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
func unknownRef(_ rendered, m []string) diagnose.Finding {
	name := strings.TrimPrefix(m[1], "$")
	out := diagnose.Finding{
		Title: fmt.Sprintf("No source of the application has ref: %s", name),
		Why:   fmt.Sprintf("valueFiles use it as %s/….", m[1]),
		Fix:   []diagnose.Fix{{Text: "Add ref to the source that contains the values files, in spec.sources of the Application", Patch: "ref: " + name + "\n"}},
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
		Fix: []diagnose.Fix{{
			Text:    "Add the scheme to the list",
			Command: diagnose.Shell("kubectl -n %s patch cm argocd-cm --type merge -p %s", advice.ArgoNamespace(r.in), fmt.Sprintf(`{"data":{"helm.valuesFileSchemes":"http, https, %s"}}`, m[1])),
		}},
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
		Title: field(r.s, "helm.version") + " " + m[1] + " is not supported",
		Why:   "The field takes v3 only.",
		Fix:   advice.Steps("Remove the field from the Application, or write v3"),
	}
}

func malformedParameter(r rendered, m []string) diagnose.Finding {
	return diagnose.Finding{
		Title: "A Helm parameter cannot be parsed",
		Says:  diagnose.Said{Text: message.LastClause(m[1])},
		Fix:   advice.Steps("Correct it in " + field(r.s, "helm.parameters") + " (commas and braces need a backslash), or write the value in a values file"),
	}
}

func wrongKubernetes(r rendered, m []string) diagnose.Finding {
	has := strings.TrimRight(m[2], ".")
	out := diagnose.Finding{
		Title: fmt.Sprintf("The chart needs Kubernetes %s; the cluster has %s", m[1], has),
		Fix:   advice.Steps("Use a version of the chart that supports this cluster"),
	}
	switch old, limit := outsideRange(m[1], has); {
	case old:
		out.Fix[0].Text += ", or upgrade the cluster"
	case limit != "":
		out.Why = "The cluster is newer than the chart allows."
		out.Fix = append(out.Fix, diagnose.Fix{
			Text:  "As a workaround, let Helm render for a version that the chart allows, in " + field(r.s, "helm") + " of the Application; check that the cluster still serves the API versions of the chart",
			Patch: "kubeVersion: \"" + limit + "\"\n",
		})
	}
	return out
}

// bound is one end of a range of versions; cluster the version that Helm renders for.
var (
	bound   = regexp.MustCompile(`(>=?|<=?)\s*v?(\d+)\.(\d+)`)
	cluster = regexp.MustCompile(`^v?(\d+)\.(\d+)`)
)

// outsideRange says on which side of a chart's range a cluster is: too old, or too new, with a version in
// the range. Neither where the range has alternatives or another form.
func outsideRange(versions, has string) (old bool, limit string) {
	at := cluster.FindStringSubmatch(has)
	if at == nil || strings.Contains(versions, "||") {
		return false, ""
	}
	minor := func(major, minor string) int {
		a, _ := strconv.Atoi(major)
		b, _ := strconv.Atoi(minor)
		return a*1000 + b
	}
	runs := minor(at[1], at[2])
	for _, m := range bound.FindAllStringSubmatch(versions, -1) {
		end := minor(m[2], m[3])
		switch {
		case m[1][0] == '>' && runs < end:
			return true, ""
		case m[1] == "<=" && runs > end:
			limit = fmt.Sprintf("%d.%d.0", end/1000, end%1000)
		case m[1] == "<" && runs >= end && end%1000 > 0:
			limit = fmt.Sprintf("%d.%d.0", end/1000, end%1000-1)
		}
	}
	return false, limit
}

func noTemplate(r rendered, m []string) diagnose.Finding {
	out := diagnose.Finding{
		Title: fmt.Sprintf("Template %q is not defined", m[1]),
		Why:   "It is part of a library chart that is missing or has another version, or its name is misspelled.",
		Fix:   []diagnose.Fix{{Text: "Add the library chart to the dependencies, or correct the name in the template"}},
	}
	if at := templatePlace(r.s.Failure.Text); at != "" {
		out.Why = "Template " + at + " includes it. " + out.Why
	}
	if r.src.Chart == "" {
		out.Fix = append(out.Fix, diagnose.Fix{Text: "If charts/ is committed, update it and push", Command: diagnose.Shell("helm dependency update %s", sourcePath(r.src))})
	}
	return out
}

func noFunction(r rendered, m []string) diagnose.Finding {
	return diagnose.Finding{
		Title: fmt.Sprintf("Helm has no template function %s", m[1]),
		Why:   fmt.Sprintf("Template %s uses it. It is misspelled, or the chart needs a newer Helm than Argo CD's.", cmp.Or(templatePlace(r.s.Failure.Text), "of the chart")),
		Fix: []diagnose.Fix{
			{Text: "Use a chart version for Argo CD's Helm, or upgrade Argo CD"},
			{Text: "Show the version of that Helm", Command: diagnose.Shell("kubectl -n %s exec deploy/argocd-repo-server -c argocd-repo-server -- helm version --short", advice.ArgoNamespace(r.in))},
			{Text: "If the braces are meant for another program (an alert, a notification), escape them for Helm", Patch: "{{ `{{ " + m[1] + " }}` }}\n"},
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
			{Text: "Commit Chart.yaml, or point " + field(r.s, "path") + " to the directory that has one"},
			{Text: "In a clone, list the charts that exist", Command: diagnose.Shell("git ls-tree --name-only -r %s | grep Chart.yaml", cmp.Or(r.src.TargetRevision, "HEAD"))},
		},
	}
}

func malformedValues(_ rendered, m []string) diagnose.Finding {
	reason := strings.TrimPrefix(parsing.ReplaceAllString(m[2], ""), "yaml: ")
	out := diagnose.Finding{
		Title: fmt.Sprintf("%s is not valid YAML", relative(m[1])),
		Says:  diagnose.Said{Text: message.LastClause(reason)},
		Fix:   advice.Steps("Correct the file and push"),
	}
	if line := atLine.FindStringSubmatch(m[2]); line != nil {
		out.Title += " (line " + line[1] + ")"
	}
	return out
}

func valuesNotFetched(_ rendered, m []string) diagnose.Finding {
	return diagnose.Finding{
		Title: "Helm cannot fetch a values file",
		Why:   "It is " + m[1] + ".",
		Says:  diagnose.Said{Text: m[2]},
		Fix:   advice.Steps("Correct the URL in valueFiles (a private one needs a token in it), or commit the file and refer to it by path"),
	}
}

// noValuesFile is about a file of valueFiles that does not exist, in the source that it is taken from.
func noValuesFile(r rendered, m []string) diagnose.Finding {
	file := relative(m[1])
	repo, revision, list := r.src.RepoURL, r.src.TargetRevision, field(r.s, "helm.valueFiles")
	named := ""
	if r.src.Helm != nil {
		for _, v := range r.src.Helm.ValueFiles {
			if ref, inRef, ok := strings.Cut(v, "/"); ok && strings.HasPrefix(ref, "$") && strings.HasSuffix(file, inRef) {
				file = inRef
				for _, s := range r.in.App().Spec.Sources {
					if s.Ref == ref[1:] {
						repo, revision, named = s.RepoURL, s.TargetRevision, " (the source with ref: "+s.Ref+")"
					}
				}
			}
		}
	}
	out := diagnose.Finding{
		Title: "Values file " + file + " not found",
		Short: "A Helm values file is not found",
		Why:   fmt.Sprintf("%s lists it, but %s at %s does not have it%s.", list, cmp.Or(repo, "the repository"), cmp.Or(revision, "HEAD"), named),
		Fix: []diagnose.Fix{
			{Text: fmt.Sprintf("Commit the file, or correct %s; ignoreMissingValueFiles: true skips files that do not exist", list)},
			similarPaths(cmp.Or(revision, "HEAD"), file),
		},
	}
	if r.src.Chart != "" && named == "" {
		out.Why = fmt.Sprintf("%s lists it, but chart %s does not contain it: without a source with ref, values files are those of the chart.", list, r.src.Chart)
		out.Fix = out.Fix[:1]
		out.Fix[0].Text = "Correct " + list + ", or take the file from Git: add the repository as a source with ref, and write $REF/PATH"
	}
	return out
}
