package render

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var ChartRepository = &diagnose.Rule{
	ID: "render/chart-repository",
	Doc: diagnose.Doc{
		Title:    "Chart cannot be fetched",
		What:     "The Helm or OCI repository cannot be reached, its index is broken, or it does not have the chart or the version.",
		Decisive: "Argo CD fails to fetch the index or the chart, and not because of credentials.",
		Example:  "Error: chart \"web\" version \"1.0.6\" not found in https://charts.example.com repository",
		Fix:      "Correct the repository URL, the chart name or the version, or restore the connection to the repository.",
	},
	Sync: nothingRenders,
	Check: during(message.CallCharts, message.CallDependency, message.CallGit).rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if f.Call == message.CallGit {
			if r := renderedOf(in, s); strings.HasPrefix(r.src.RepoURL, "oci://") && f.Mentions(`unsupported scheme "oci"`) {
				return ociAsGit(r), true
			}
			return diagnose.Finding{}, false
		}
		fetching := f.Call == message.CallCharts
		if peerOf(in, s) != peerCharts || !fetching && !remoteFails(f) && !isNotFound(f) {
			return diagnose.Finding{}, false
		}
		r := renderedOf(in, s)
		if out, ok := firstOf(chartFaults, r, f.Flat()); ok {
			return out, true
		}
		repo := "chart repository " + host(in, s)
		out := diagnose.Finding{
			Confidence: diagnose.Certain, OutsideGit: true,
			Title: text.UpperFirst(repo) + " cannot be used",
			Why:   fmt.Sprintf("Argo CD needs %s%s from it.", wantedChart(r), sourceOf(s, s.Failure.Source)),
			Says:  said(s),
			Fix:   []diagnose.Fix{{Text: "Check whether Argo CD can connect to the repository", Command: listRepositories}},
		}
		switch n := f.Network(); {
		case n == message.NetworkTLS:
			out.Title, out.Shared = tlsTrouble(f, repo), repo
			out.Says.Text = requested.ReplaceAllString(out.Says.Text, "")
			out.Fix = trustHost(f, host(in, s))
		case n != message.NetworkOK:
			out.Title, out.Shared = n.Trouble(repo), repo
			if m := serverError.FindString(f.Flat()); n == message.NetworkUnavailable && m != "" {
				out.Title = text.UpperFirst(repo) + " answers " + m
				out.Says = diagnose.Said{}
			}
			out.Says.Text = requested.ReplaceAllString(resolver.ReplaceAllString(out.Says.Text, ""), "")
			out.Fix = reachGit(f, r, host(in, s), "")
		case isNotFound(f):
			return chartMissing(r), true
		}
		return out, true
	}),
}

// serverError is an HTTP status about the server's own state.
var serverError = pattern.MustCompile(`\b5\d\d [A-Z][a-z]+(?: [A-Z][a-z]+)*`)

// chartMissing is the finding about a chart, or a version of it, that the repository does not have.
func chartMissing(r rendered) diagnose.Finding {
	chart, version, repo := missingChart(r)
	out := diagnose.Finding{
		Confidence: diagnose.Certain,
		Title:      text.UpperFirst(strings.TrimSpace(cmp.Or(after("chart ", chart), wantedChart(r))+" "+version)) + " not found",
		Why:        inSource(r.s) + fmt.Sprintf("%s does not have the chart, or not in this version.", cmp.Or(repo, "The repository")),
	}
	if chart == "" {
		out.Says = said(r.s)
	}
	if told, ok := wrongSplit(r); ok && !dependency(r) {
		return told
	}
	if prefix, name, ok := strings.Cut(chart, "/"); ok && strings.HasPrefix(repo, "http") && !dependency(r) {
		out.Title = fmt.Sprintf("Chart name %s must not contain %s/", chart, prefix)
		out.Why = inSource(r.s) + fmt.Sprintf("%s is a name for the repository on somebody's computer. In an Application, repoURL says which repository it is.", prefix)
		out.Fix = []diagnose.Fix{inApplication(r.in, diagnose.Fix{Text: "Set the name without it, in Git if the Application is defined there", Patch: "chart: " + name + "\n"})}
		return out
	}
	if dependency(r) {
		out.Why += fmt.Sprintf(" %s depends on it.", strings.TrimPrefix(sourcePath(r.src), "./")+"/Chart.yaml")
		out.Fix = []diagnose.Fix{{Text: "Correct name, version and repository of the dependency in Chart.yaml, update Chart.lock and push", Command: diagnose.Shell("helm dependency update %s", sourcePath(r.src))}}
	} else {
		out.Fix = []diagnose.Fix{chooseVersion(r)}
		if r.src.Chart != "" && nameUnknown(&r.s.Failure) {
			out.Title = fmt.Sprintf("%s has no chart %s", registryName(withoutScheme(cmp.Or(repo, r.src.RepoURL))), r.src.Chart)
			out.Short = "The chart repository has no chart " + r.src.Chart
			out.Why = inSource(r.s) + "The repository answers that it has no chart of this name, in any version."
			out.Fix = []diagnose.Fix{inApplication(r.in, diagnose.Fix{Text: "Correct the name of the chart, or repoURL, in Git if the Application is defined there", Command: diagnose.Shell("argocd app set %s%s --helm-chart CHART", advice.AppName(r.in), position(r.s))})}
			if strings.HasPrefix(repo, "http") {
				out.Fix = append(out.Fix, diagnose.Fix{Text: "List the charts of the repository", Command: diagnose.Shell("helm repo add NAME %s && helm search repo NAME/", repo)})
			}
			return out
		}
	}
	switch {
	case r.src.Chart == "" && !dependency(r):
		out.Title = fmt.Sprintf("OCI artifact has no version %s", cmp.Or(r.src.TargetRevision, "latest"))
		out.Why = inSource(r.s) + fmt.Sprintf("The registry does not have %s.", artifact(r))
		out.Fix = append(out.Fix, diagnose.Fix{Text: "List the versions that exist", Command: diagnose.Shell("oras repo tags %s", strings.TrimPrefix(r.src.RepoURL, "oci://"))})
	case chart != "":
		out.Fix = append(out.Fix, versionsIn(repo, chart))
	}
	return out
}

// nameUnknown: the repository has no chart of the name, whatever the version.
func nameUnknown(f *message.Failure) bool {
	return f.Has("name unknown", "name_unknown", "repository name not known", "chart not found in repo", "no chart name found") || f.HasAll("chart ", " not found in index")
}

// dependency reports whether what is fetched is a chart that the source's own chart depends on.
func dependency(r rendered) bool {
	return r.s.Failure.Call == message.CallDependency || r.src.Chart == "" && !strings.HasPrefix(r.src.RepoURL, "oci://")
}

// wantedChart is what is fetched: the chart of the source, or one that the source depends on.
func wantedChart(r rendered) string {
	switch {
	case dependency(r):
		if chart, version, _ := missingChart(r); chart != "" {
			return strings.TrimSpace("chart "+chart+" "+version) + ", a dependency" + ofDependent(r)
		}
		return "a dependency" + ofDependent(r)
	case r.src.Chart != "":
		return strings.TrimSpace("chart " + r.src.Chart + " " + r.src.TargetRevision)
	}
	return strings.TrimSpace("OCI artifact " + strings.TrimPrefix(r.src.RepoURL, "oci://") + " " + r.src.TargetRevision)
}

// ofDependent names the chart that has a dependency: " of the chart in apps/web".
func ofDependent(r rendered) string {
	if r.src.Chart != "" {
		return " of chart " + r.src.Chart
	}
	return " of the chart" + inPath("in", sourcePath(r.src))
}

// versionsIn is the step that lists the versions of a chart. Helm lists none of a registry, but shows the newest.
func versionsIn(repo, chart string) diagnose.Fix {
	if strings.Contains(repo, "://") && !strings.HasPrefix(repo, "http") && !strings.HasPrefix(repo, "oci://") { // only a plugin of Helm reads it
		return diagnose.Fix{Text: "List the versions of the chart, with the plugin of Helm that reads this repository", Command: diagnose.Shell("helm repo add NAME %s && helm search repo NAME/%s --versions", repo, chart)}
	}
	if !strings.HasPrefix(repo, "http") {
		url := strings.TrimPrefix(strings.Trim(repo, "/"), "oci://")
		if !strings.HasSuffix(url, "/"+chart) && url != chart {
			url += "/" + chart
		}
		return diagnose.Fix{Text: "Show the newest version in the registry", Command: diagnose.Shell("helm show chart oci://%s", url)}
	}
	return diagnose.Fix{Text: "List the versions of the chart", Command: diagnose.Shell("helm repo add NAME %s && helm search repo NAME/%s --versions", repo, chart)}
}

// sourceRepository is the repository of a source, with the scheme that tells a registry from a Helm repository.
func sourceRepository(src evidence.ApplicationSource) string {
	if strings.Contains(src.RepoURL, "://") {
		return src.RepoURL
	}
	return "oci://" + src.RepoURL
}

// isNotFound: the repository answers that it has no such chart, version or tag.
func isNotFound(f *message.Failure) bool {
	return f.Has("not found", "404", "no such", "does not exist", "name_unknown", "manifest_unknown", "manifest unknown", "no chart version", "no versions", "constraint", "unable to find", "no cached repo", "improper constraint", "invalid chart", "invalid reference", "invalid revision")
}

// remoteFails: the repository did not deliver, as opposed to what was fetched, or requested, being wrong.
func remoteFails(f *message.Failure) bool {
	return f.Network() != message.NetworkOK || f.AuthRefused() ||
		f.Has("cannot be reached", "gzip: invalid header", "to be a gzipped archive", "is not a valid chart repository", "failed to fetch http", "error fetching chart", "failed to download", "could not download", "cannot get digest", "status code", "failed to get index", "404 not found", "chart not found in repo", "failed to login to registry") || chartIn.MatchString(f.Flat())
}
