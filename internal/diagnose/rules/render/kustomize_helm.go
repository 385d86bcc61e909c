package render

import (
	"fmt"
	"path"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/repourl"
	"github.com/argo-why/argo-why/internal/text"
)

// Kustomize pulls and renders the charts of helmCharts itself, and prints what Helm says in front of Helm's command line.
var (
	ociChart     = pattern.MustCompile(`oci://\S+`)
	chartRepo    = pattern.MustCompile(`--repo (\S+) (\S+)`)
	chartVersion = pattern.MustCompile(`--version (\S+)`)
	helmRun      = pattern.MustCompile(`: unable to run: '\S*helm\w* (pull|template) (.*?)' with env=`)
	chain        = pattern.MustCompile(`^.*\b(?:accumulateHelmCharts|accumulating resources|Error): `)
)

// inflationFails is about a chart of helmCharts that Helm cannot fetch or render.
func inflationFails(r rendered, cause string) (diagnose.Finding, bool) {
	m := helmRun.FindStringSubmatch(r.s.Failure.Flat())
	if m == nil {
		return diagnose.Finding{}, false
	}
	answer, _, _ := strings.Cut(cause, ": unable to run: ")
	answer = strings.TrimPrefix(relative(chain.ReplaceAllString(cutAdvice(answer), "")), "Error: ")
	out := notPulled(answer, m[2])
	if m[1] == "template" {
		out = notInflated(r, answer, m[2])
	}
	out.Confidence, out.Why = diagnose.Certain, inSource(r.s)+out.Why
	return out, true
}

// inflated is the chart that Kustomize has Helm render: its release and its directory below charts/.
var inflated = pattern.MustCompile(`^(\S+) (?:<path to cached source>/)?(\S+?)(?:charts/(\S+?))?(?: |$)`)

// notInflated is about a chart of helmCharts that Helm cannot render.
func notInflated(r rendered, answer, arguments string) diagnose.Finding {
	name, file := "a chart", "the kustomization.yaml with helmCharts"
	if m := inflated.FindStringSubmatch(arguments); m != nil && m[3] != "" {
		name, file = "chart "+path.Base(m[3]), path.Join(inRepository(r, m[2]), "kustomization.yaml")
	}
	out := diagnose.Finding{
		Title: "Helm cannot render " + name + " of the overlay",
		Short: "Helm cannot render a chart of the overlay",
		Brief: "Helm cannot render " + name,
		Why:   file + " lists it under helmCharts.",
		Says:  diagnose.Said{Who: "Helm says", Text: message.LastClause(answer)},
		Fix:   advice.Steps("Correct the values of the chart in " + file + " (valuesInline, valuesFile), or use another version of it"),
	}
	if m := wantsKubernetes.FindStringSubmatch(answer); m != nil {
		out.Title = fmt.Sprintf("%s needs Kubernetes %s; Helm rendered for %s", text.UpperFirst(name), m[1], strings.TrimRight(m[2], "."))
		out.Short, out.Brief, out.Says = "A chart of the overlay needs another Kubernetes", "", diagnose.Said{}
		out.Fix = advice.Steps("Use a version of the chart for the Kubernetes of the cluster: set version of helmCharts in " + file)
		if !strings.Contains(arguments, "--kube-version") {
			out.Why += fmt.Sprintf(" Nobody told Helm the version of the cluster, so it took the one that is built into it (%s).", strings.TrimRight(m[2], "."))
			out.Fix = append([]diagnose.Fix{{Text: "If the cluster has a version that the chart supports, name it in helmCharts of " + file, Patch: "kubeVersion: VERSION\n"}}, out.Fix...)
		}
	}
	return out
}

// wantsKubernetes is a chart's range of versions, and the one that Helm renders for.
var wantsKubernetes = pattern.MustCompile(`chart requires kubeVersion: (.+?) which is incompatible with Kubernetes v?(\S+)`)

// noScheme is how Helm refuses a repository whose URL does not say how to read it.
var noScheme = pattern.MustCompile(`could not find protocol handler for: *(?:$|\.|:)|unsupported protocol scheme ""|first path segment in URL cannot contain colon`)

// pluginScheme is the scheme of a repository that only a plugin of Helm reads.
var pluginScheme = pattern.MustCompile(`could not find protocol handler for: *([a-z][a-z0-9+.-]*)`)

// withoutRepoScheme is about a chart of helmCharts whose repo is no URL. A registry takes the name of the chart from the entry, as a
// repository does.
func withoutRepoScheme(out diagnose.Finding, repo, chart string) diagnose.Finding {
	out.Why = fmt.Sprintf("kustomization.yaml has repo: %s (helmCharts), a URL without a scheme. Kustomize does not use the repositories that are registered in Argo CD.", repo)
	out.Says = diagnose.Said{}
	registry := strings.TrimSuffix(strings.Trim(repo, "/"), "/"+chart)
	out.Fix = []diagnose.Fix{{
		Text:  "If it is an OCI registry, write it so in helmCharts of kustomization.yaml (the name of the chart is no part of repo)",
		Patch: fmt.Sprintf("helmCharts:\n- name: %s\n  repo: oci://%s\n", chart, registry),
	}, {
		Text:  "If it is a Helm repository (it has an index.yaml), write its https:// URL",
		Patch: fmt.Sprintf("helmCharts:\n- name: %s\n  repo: https://%s\n", chart, strings.Trim(repo, "/")),
	}}
	if ociHosts.MatchString(repourl.Host(registry)) {
		out.Fix = out.Fix[:1]
		out.Fix[0].Text = "Write it as an OCI registry in helmCharts of kustomization.yaml (the name of the chart is no part of repo)"
	}
	return out
}

// notPulled is about a chart of helmCharts that Helm cannot fetch.
func notPulled(answer, arguments string) diagnose.Finding {
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
	switch {
	case repo == "":
		return out
	case pluginScheme.MatchString(answer) && !strings.HasPrefix(repo, "oci://"):
		out.Why = fmt.Sprintf("kustomization.yaml takes it from %s (helmCharts). The Helm that Kustomize runs in the repo-server has no plugin for %s.", repo, pluginScheme.FindStringSubmatch(answer)[1])
		out.Says = diagnose.Said{}
		out.Fix = advice.Steps("Use the https:// or oci:// URL of the repository in helmCharts of kustomization.yaml", "Or install the Helm plugin in the repo-server, with an init container and HELM_PLUGINS")
		return out
	case noScheme.MatchString(answer) && !strings.Contains(repo, "://"):
		return withoutRepoScheme(out, repo, chart)
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
