package render

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/text"
)

func notAVersion(r rendered, m []string) diagnose.Finding {
	if r.src.Chart == "" && !dependency(r) {
		return chartMissing(r)
	}
	out := diagnose.Finding{
		Title: fmt.Sprintf("%s is not a chart version", strings.TrimRight(m[1], ".:")),
		Why:   fmt.Sprintf("The targetRevision of a chart is a version or a range of versions, not a branch or tag of Git. Argo CD needs %s.", wantedChart(r)),
		Fix:   []diagnose.Fix{chooseVersion(r)},
	}
	if r.src.Chart != "" {
		out.Fix = append(out.Fix, versionsIn(sourceRepository(r.src), r.src.Chart))
	}
	return out
}

// noVersionSet is about a range that is empty: nothing was looked up for it.
func noVersionSet(r rendered, _ []string) diagnose.Finding {
	if dependency(r) {
		return diagnose.Finding{
			Title: "A chart dependency" + inPath("of", sourcePath(r.src)) + " has no version",
			Short: "A chart dependency has no version",
			Why:   "A dependency in Chart.yaml needs a version or a range of versions.",
			Fix:   []diagnose.Fix{{Text: "Set its version in Chart.yaml, update Chart.lock and push", Command: diagnose.Shell("helm dependency update %s", sourcePath(r.src))}},
		}
	}
	chart := strings.TrimSpace("chart " + r.src.Chart)
	out := diagnose.Finding{
		Title: "No version is set for " + chart,
		Why:   fmt.Sprintf("%s is empty. A chart needs a version there or a range of versions, such as 1.* or >=1.2.0.", text.UpperFirst(r.field("targetRevision"))),
		Fix:   []diagnose.Fix{chooseVersion(r)},
	}
	out.Fix[0].Text = strings.Replace(out.Fix[0].Text, "Set targetRevision to a version that exists", "Set targetRevision", 1)
	if r.src.TargetRevision != "" { // set since
		out.Why = "When Argo CD tried, targetRevision was empty. A chart needs a version there or a range of versions."
	}
	if r.src.Chart != "" {
		out.Fix = append(out.Fix, versionsIn(sourceRepository(r.src), r.src.Chart))
	}
	return out
}

// chooseVersion is the step that sets the version of the source's chart.
func chooseVersion(r rendered) diagnose.Fix {
	return inApplication(r.in, diagnose.Fix{
		Text:    "Set targetRevision to a version that exists, in Git if the Application is defined there",
		Command: diagnose.Shell("argocd app set %s%s --revision VERSION", advice.AppName(r.in), position(r.s)),
	})
}

func noVersionMatches(r rendered, _ []string) diagnose.Finding {
	if r.src.Chart == "" && !dependency(r) {
		return chartMissing(r)
	}
	out := diagnose.Finding{
		Title: fmt.Sprintf("No version of chart %s matches %s", cmp.Or(r.src.Chart, "in the registry"), cmp.Or(r.src.TargetRevision, "*")),
		Why:   "The repository has the chart, but in no version of this range. Pre-releases match only a range that names one.",
		Fix:   []diagnose.Fix{chooseVersion(r)},
	}
	if r.src.Chart != "" {
		out.Fix = append(out.Fix, versionsIn(sourceRepository(r.src), r.src.Chart))
	}
	return out
}

// pathInName is about a chart that was fetched and is not found in what was unpacked: older releases of Argo CD look for a directory of
// the whole name.
func pathInName(r rendered, _ []string) diagnose.Finding {
	out := diagnose.Finding{
		Title: "The unpacked chart is not where Argo CD looks for it",
		Why:   fmt.Sprintf("Argo CD fetched %s, and the archive does not have the directory that it expects.", wantedChart(r)),
		Fix:   []diagnose.Fix{{Text: "In case the download is damaged, fetch it again", Command: diagnose.Shell("argocd app get %s --hard-refresh", advice.AppName(r.in))}},
	}
	if name, prefix := lastElement(r.src.Chart); prefix != "" {
		out.Title = fmt.Sprintf("Chart name %s must not contain a path", r.src.Chart)
		out.Why = fmt.Sprintf("The archive has a directory %s, and this Argo CD looks for %s in it.", name, r.src.Chart)
		out.Fix = []diagnose.Fix{{Text: "Move the path to repoURL, in " + r.place(), Patch: fmt.Sprintf("repoURL: %s/%s\nchart: %s\n", strings.TrimSuffix(r.src.RepoURL, "/"), prefix, name)}}
	}
	return out
}

// How tools name the chart that they did not find, and where.
var (
	chartIn    = pattern.MustCompile(`chart "([^"]+)" (?:version|matching) "?([^" ]*)"? not found in (\S+?)(?: (?:repository|index)|\s|$)`)
	chartOf    = pattern.MustCompile(`(\S+) chart not found in repo (\S+)`)
	tagged     = pattern.MustCompile(`([a-z0-9][\w.-]*\.[\w.:-]+(?:/[\w.-]+)+):([\w.+-]+): not found`)
	fromURL    = pattern.MustCompile(`https?://([^/\s"]+)/v2/(\S+?)/(?:manifests|blobs|tags)/([\w.+-]+)`)
	downloaded = pattern.MustCompile(`(?:could not download|failed to (?:fetch|download)) "?(oci://\S+?|https?://\S+?\.tgz)[":]?(?:\s|$)`)
)

// missingChart is what the message says of the chart that was not found: its name, its version and its repository, as far as it does.
func missingChart(r rendered) (chart, version, repo string) {
	flat := r.s.Failure.Flat()
	if m := chartIn.FindStringSubmatch(flat); m != nil {
		return m[1], m[2], strings.TrimRight(m[3], ".:")
	}
	if m := chartOf.FindStringSubmatch(flat); m != nil {
		return m[1], "", strings.TrimRight(m[2], ".:")
	}
	if m := tagged.FindStringSubmatch(flat); m != nil {
		chart, repo = lastElement(m[1])
		return chart, m[2], "oci://" + repo
	}
	if m := fromURL.FindStringSubmatch(flat); m != nil {
		chart, repo = lastElement(m[1] + "/" + m[2])
		if version = m[3]; version == "list" {
			version = ""
		}
		return chart, version, "oci://" + repo
	}
	if r.src.Chart != "" && !dependency(r) {
		return r.src.Chart, r.src.TargetRevision, sourceRepository(r.src)
	}
	if m := downloaded.FindStringSubmatch(flat); m != nil && strings.HasPrefix(m[1], "oci://") {
		chart, repo = lastElement(strings.TrimPrefix(m[1], "oci://"))
		return chart, "", "oci://" + repo
	}
	return "", "", ""
}

// lastElement cuts a path in front of its last element.
func lastElement(path string) (last, rest string) {
	at := strings.LastIndexByte(path, '/')
	return path[at+1:], strings.TrimSuffix(path[:max(at, 0)], "/")
}
