package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/repourl"
)

// gitHosts serve repositories of Git under OWNER/NAME; what they serve as Helm repositories has another host or a longer path.
var gitHosts = []string{"github.com", "gitlab.com", "bitbucket.org", "codeberg.org"}

// isGitURL reports whether a URL is one for cloning.
func isGitURL(url string) bool {
	if strings.HasSuffix(url, ".git") || strings.Contains(url, "/_git/") {
		return true
	}
	_, path, _ := strings.Cut(withoutScheme(url), "/")
	return slices.Contains(gitHosts, repourl.Host(url)) && strings.Count(strings.Trim(path, "/"), "/") == 1
}

// gitAsCharts is about a Git repository that is used as a Helm repository.
func gitAsCharts(r rendered, url string) diagnose.Finding {
	out := diagnose.Finding{
		Title: fmt.Sprintf("%s is a Git repository, not a Helm repository", shortRepository(url)),
		Short: "repoURL is a Git repository, not a Helm repository",
		Why:   "With chart, Argo CD looks for a Helm repository with an index.yaml at repoURL.",
		Fix: []diagnose.Fix{
			inApplication(r.in, diagnose.Fix{Text: "If the chart is a directory of this Git repository, replace chart by path in this source, with a branch, tag or commit as targetRevision", Patch: "path: DIRECTORY\ntargetRevision: HEAD\n"}),
			inApplication(r.in, diagnose.Fix{Text: "If its publisher has a Helm repository, set that URL", Command: diagnose.Shell("argocd app set %s%s --repo URL", advice.AppName(r.in), position(r.s))}),
		},
	}
	if dependency(r) {
		out.Short = "A dependency's repository is a Git repository"
		out.Why = "Chart.yaml" + inPath("of", sourcePath(r.src)) + " takes a dependency from there, and Helm looks for an index.yaml."
		out.Fix = []diagnose.Fix{{Text: "Set repository of the dependency in Chart.yaml to the Helm repository of its publisher, or commit the chart and use file://PATH; then update Chart.lock and push", Command: diagnose.Shell("helm dependency update %s", sourcePath(r.src))}}
	}
	return out
}

// chartHost are URLs as publishers of Helm repositories have them.
var chartHost = pattern.MustCompile(`^https?://(?:[\w-]+\.github\.io(?:/|$)|(?:charts?|helm)\.|[^/]+/(?:[^?#]*/)?(?:chartrepo|helm-charts|packages/helm)(?:/|$))`)

// chartsAsGit is about a Helm repository that is used as a Git repository, for want of chart.
func chartsAsGit(r rendered) (diagnose.Finding, bool) {
	src, _ := gitSource(r.in, r.s)
	if src.Chart != "" || !chartHost.MatchString(src.RepoURL) || isGitURL(src.RepoURL) {
		return diagnose.Finding{}, false
	}
	name, _ := lastElement(src.Path)
	if name == "" || name == "." {
		name = "CHART"
	}
	url := strings.TrimSuffix(src.RepoURL, "/")
	return diagnose.Finding{
		Confidence: diagnose.Likely,
		Title:      fmt.Sprintf("%s is a Helm repository, and the source has no chart", withoutScheme(url)),
		Short:      "Source names a Helm repository as if it were Git",
		Why:        inSource(r.s) + "Without chart, Argo CD looks for a Git repository at repoURL, and there is none. The URL looks like one of a Helm repository.",
		Fix: []diagnose.Fix{
			inApplication(r.in, diagnose.Fix{Text: "Replace path by chart in this source, with a version of the chart as targetRevision", Patch: fmt.Sprintf("repoURL: %s\nchart: %s\ntargetRevision: %s\n", url, name, cmp.Or(src.TargetRevision, "VERSION"))}),
			versionsIn(url, name),
		},
	}, true
}

// ociHosts are registries that serve no Helm repositories.
var ociHosts = pattern.MustCompile(`^(?:ghcr\.io|quay\.io|public\.ecr\.aws|registry\.gitlab\.com|registry-1\.docker\.io|docker\.io|[\w.-]+\.(?:azurecr\.io|pkg\.dev)|\d+\.dkr\.ecr\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?)$`)

// nameTwice reports whether repoURL ends with the name of the chart, which Argo CD adds to it.
func nameTwice(r rendered) bool {
	last, _ := lastElement(strings.TrimSuffix(r.src.RepoURL, "/"))
	return r.src.Chart != "" && last == r.src.Chart && !strings.HasPrefix(r.src.RepoURL, "http")
}

// wrongSplit is about a registry's repository that cannot exist, since repoURL and chart are not cut where they should be. Names on
// Docker Hub have two parts.
func wrongSplit(r rendered) (diagnose.Finding, bool) {
	if r.src.Chart == "" || dependency(r) || strings.HasPrefix(r.src.RepoURL, "http") {
		return diagnose.Finding{}, false
	}
	url := strings.Trim(strings.TrimPrefix(r.src.RepoURL, "oci://"), "/")
	name, repo := lastElement(url)
	hub := hostIn(url, "docker.io") && strings.Count(url, "/") > 1
	if !hub && !nameTwice(r) {
		return diagnose.Finding{}, false
	}
	_, path, _ := strings.Cut(url, "/")
	out := diagnose.Finding{
		Title: fmt.Sprintf("%s has no chart %s/%s", registryName(registryOf(url)), path, r.src.Chart),
		Short: "repoURL and chart are split in the wrong place",
		Why:   inSource(r.s) + "Argo CD joins repoURL and chart, so it asks for " + url + "/" + r.src.Chart + ". Registries answer 401 or 403 for names that do not exist.",
		Fix:   []diagnose.Fix{inApplication(r.in, diagnose.Fix{Text: "Keep the name of the chart out of repoURL, in Git if the Application is defined there", Patch: fmt.Sprintf("repoURL: %s\nchart: %s\n", repo, name)})},
	}
	out.Confidence = diagnose.Likely
	if !hub { // a registry may have such a path
		out.Title = fmt.Sprintf("repoURL ends with the name of the chart, %s, which Argo CD adds", name)
		out.Short = "repoURL ends with the chart's name, which Argo CD adds"
	}
	if hub {
		out.Confidence = diagnose.Certain
		out.Why = inSource(r.s) + "Argo CD joins repoURL and chart to " + path + "/" + r.src.Chart + ", but names on Docker Hub have two parts. It answers 401 for names that do not exist."
	}
	out.Fix = append(out.Fix, versionsIn("oci://"+repo, name))
	return out, true
}
