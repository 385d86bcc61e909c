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

// chartFaults are how fetching a chart or an OCI artifact fails, other than that the repository cannot be reached or lacks it.
var chartFaults = []fault{
	{pattern.MustCompile(`loading invalid entry`), invalidEntry},
	{pattern.MustCompile(`(?:could not find protocol handler for: *$|unsupported protocol scheme ""|--repo oci://\S+)`), notMarkedOCI},
	{pattern.MustCompile(`lookup oci(?: on [^:]+(?::\d+)?)?: |registry login oci://|https?://oci://`), schemeTwice},
	{pattern.MustCompile(`--repo https?://\S+ .*invalid_reference: invalid tag`), ociInIndex},
	{pattern.MustCompile(`expected only a single oci (?:content )?layer, got (\d+)`), severalLayers},
	{pattern.MustCompile(`oci layer media type (\S+) is not in the list of allowed media types`), layerNotAllowed},
	{pattern.MustCompile(`manifest does not contain a layer with mediatype (\S+)`), oldRegistryFormat},
	{pattern.MustCompile(`(?i)toomanyrequests|status code:? 429|too many requests|rate limit`), pullLimit},
	{pattern.MustCompile(`gzip: invalid header|does not appear to be a gzipped archive`), notAnArchive},
	{pattern.MustCompile(`improper constraint: *(?:"" *)?$`), noVersionSet},
	{pattern.MustCompile(`improper constraint: (\S+)`), notAVersion},
	{pattern.MustCompile(`(?:could not find|no version (?:found )?for|constraint not found|no versions? .*match)`), noVersionMatches},
	{pattern.MustCompile(`lstat /tmp/\S+: no such file`), pathInName},
	{pattern.MustCompile(`index: 404|index\.yaml ?: 404|index\.yaml: not found`), noRepository},
	{pattern.MustCompile(`(?:cannot extract contents of oci image|could not save oci digest)`), notUnpacked},
	{pattern.MustCompile(`get(?:ting)? (?:helm )?index: .*(?:yaml: |invalid character|unmarshal)`), brokenIndex},
}

func invalidEntry(rendered, []string) diagnose.Finding {
	return diagnose.Finding{
		Title: "Chart entry in the repository index is invalid",
		Why:   "Helm skips charts with an invalid index entry and then cannot find them.",
		Fix:   advice.Steps("Use another version of the chart, or have its publisher correct Chart.yaml and publish it again"),
	}
}

func notMarkedOCI(r rendered, _ []string) diagnose.Finding {
	url := strings.TrimPrefix(r.src.RepoURL, "oci://")
	if m := loginURL.FindStringSubmatch(r.s.Failure.Flat()); m != nil {
		url = strings.TrimPrefix(m[1], "oci://")
	}
	out := diagnose.Finding{
		OutsideGit: true,
		Title:      "OCI registry " + registryOf(url) + " is used as a Helm repository",
		Why:        "Argo CD has no entry that marks it as an OCI registry, so it looks for an index.yaml.",
		Fix:        []diagnose.Fix{{Text: "Register it as OCI registry (add --username and --password if it is private)", Command: diagnose.Shell("argocd repo add %s --type helm --name NAME --enable-oci --upsert", url)}},
	}
	if strings.HasPrefix(r.src.RepoURL, "oci://") && r.src.Chart != "" {
		out.OutsideGit = false
		out.Why = "With chart, repoURL is written without oci://; the registry is marked as OCI in Argo CD's entry for it."
		out.Fix = append([]diagnose.Fix{inApplication(r.in, diagnose.Fix{Text: "Write repoURL without oci://, in Git if the Application is defined there", Patch: "repoURL: " + url + "\nchart: " + r.src.Chart + "\n"})}, out.Fix...)
	}
	return out
}

// ociAsGit is about an OCI artifact that Argo CD itself takes for a Git repository, since its entry does not say what it is.
func ociAsGit(r rendered) diagnose.Finding {
	return diagnose.Finding{
		Confidence: diagnose.Certain, OutsideGit: true,
		Title: "Argo CD takes the OCI artifact for a Git repository",
		Why:   inSource(r.s) + fmt.Sprintf("Some releases of Argo CD (3.4 and 3.5) do so for %s where the registry has no entry of type oci. The artifact is not the reason.", r.src.RepoURL),
		Fix: []diagnose.Fix{
			{Text: "Register it with its type (and --username and --password if it is private)", Command: diagnose.Shell("argocd repo add %s --type oci --name NAME --upsert", r.src.RepoURL)},
			{Text: "Or upgrade Argo CD to a release without this error"},
		},
	}
}

// ociInIndex is about an index whose entries are addresses in a registry with the tag in them, which Helm before 3.17 puts a tag behind.
func ociInIndex(r rendered, _ []string) diagnose.Finding {
	url := strings.TrimSuffix(r.src.RepoURL, "/")
	out := diagnose.Finding{
		Title: "Helm of this Argo CD cannot read an OCI address in the index",
		Why:   fmt.Sprintf("The index of %s says that chart %s is in an OCI registry. Helm 3.16 and older do not understand the tag in such an address.", withoutScheme(url), r.src.Chart),
		Fix: []diagnose.Fix{
			{Text: "Fetch the chart from that registry: set repoURL to it without oci:// and without the name of the chart, with the registry registered as a Helm repository (argocd repo add --type helm --enable-oci). This shows the address", Command: diagnose.Shell("curl -sL %s/index.yaml | grep %s", url, "oci://.*/"+r.src.Chart+":")},
			{Text: "Or upgrade Argo CD to a release with Helm 3.17 or later"},
		},
	}
	if withoutScheme(url) == "charts.bitnami.com/bitnami" {
		out.Fix[0] = inApplication(r.in, diagnose.Fix{Text: "Fetch the chart from the registry, which has to be registered as a Helm repository (argocd repo add registry-1.docker.io/bitnamicharts --type helm --enable-oci --name NAME)", Patch: "repoURL: registry-1.docker.io/bitnamicharts\nchart: " + r.src.Chart + "\n"})
	}
	return out
}

func schemeTwice(r rendered, _ []string) diagnose.Finding {
	url := "oci://REGISTRY"
	if m := loginURL.FindStringSubmatch(r.s.Failure.Flat()); m != nil {
		url = m[1]
	}
	plain := strings.TrimPrefix(url, "oci://")
	return diagnose.Finding{
		OutsideGit: true,
		Title:      "A registry is registered with oci:// in its URL",
		Why:        "Argo CD adds the scheme itself, so it looks for a host named oci.",
		Fix: []diagnose.Fix{
			{Text: "Register it without the scheme", Command: diagnose.Shell("argocd repo add %s --type helm --name NAME --enable-oci --username USER --password TOKEN", plain)},
			{Text: "Then remove the other entry", Command: diagnose.Shell("argocd repo rm %s", url)},
		},
	}
}

var loginURL = pattern.MustCompile(`(oci://[A-Za-z0-9][^\s'"` + "`" + `:]*(?::\d+[^\s'":]*)?)`)

// registryOf is the host of a registry's URL, for a sentence.
func registryOf(url string) string { return cmp.Or(repourl.Authority(url), noHost) }

func severalLayers(r rendered, m []string) diagnose.Finding {
	out := diagnose.Finding{
		Title: fmt.Sprintf("The OCI artifact has %s layers; Argo CD takes one", m[1]),
		Why:   fmt.Sprintf("Argo CD unpacks %s as it is and does not choose between layers.", artifact(r)),
		Fix:   []diagnose.Fix{{Text: "If you publish it, push the manifests as one layer: one directory in one push", Command: diagnose.Shell("oras push %s DIRECTORY", artifact(r))}},
	}
	out = asChart(r, out)
	if r.in.App().Status.SourceType == "Helm" || strings.Contains(r.src.RepoURL, "chart") {
		slices.Reverse(out.Fix)
		out.Why += " A Helm chart with a signature (provenance) or an SBOM has a layer for it, which newer releases of Argo CD skip."
	}
	return out
}

// artifact is the OCI artifact of a source, as registries name it.
func artifact(r rendered) string {
	if strings.HasPrefix(r.src.TargetRevision, "sha256:") {
		return strings.TrimPrefix(r.src.RepoURL, "oci://") + "@" + r.src.TargetRevision
	}
	return strings.TrimPrefix(r.src.RepoURL, "oci://") + after(":", r.src.TargetRevision)
}

// asChart adds the other way to use a chart in a registry, which takes charts of several layers, such as signed ones.
func asChart(r rendered, out diagnose.Finding) diagnose.Finding {
	url := strings.TrimSuffix(strings.TrimPrefix(r.src.RepoURL, "oci://"), "/")
	at := strings.LastIndexByte(url, '/')
	if at < 0 || !strings.HasPrefix(r.src.RepoURL, "oci://") {
		return out
	}
	out.Fix = append(out.Fix, diagnose.Fix{
		Text:  "If it is a Helm chart, use it as one, with the registry registered as a Helm repository (argocd repo add --type helm --enable-oci)",
		Patch: fmt.Sprintf("repoURL: %s\nchart: %s\ntargetRevision: %s\n", url[:at], url[at+1:], cmp.Or(r.src.TargetRevision, "VERSION")),
	})
	return out
}

// layerTypes are those that Argo CD allows by default.
const layerTypes = "application/vnd.oci.image.layer.v1.tar,application/vnd.oci.image.layer.v1.tar+gzip,application/vnd.cncf.helm.chart.content.v1.tar+gzip"

func layerNotAllowed(r rendered, m []string) diagnose.Finding {
	out := diagnose.Finding{
		OutsideGit: true,
		Title:      "The OCI artifact has a layer type that Argo CD does not allow",
		Why:        fmt.Sprintf("%s has a layer of type %s.", artifact(r), m[1]),
		Fix: []diagnose.Fix{set(r.in, "If the layer contains the manifests, allow its type (it must be a tar archive)",
			setting{"repo-server", "", "ARGOCD_REPO_SERVER_OCI_LAYER_MEDIA_TYPES", layerTypes + "," + m[1]})},
	}
	return asChart(r, out)
}

func oldRegistryFormat(r rendered, m []string) diagnose.Finding {
	return diagnose.Finding{
		Title: "The registry's artifact is not a chart that this Helm can read",
		Why:   fmt.Sprintf("The Helm of this Argo CD looks for a layer of type %s, which only early Helm 3 published.", strings.TrimRight(m[1], ".")),
		Fix:   advice.Steps("Upgrade Argo CD to 2.3 or later, whose Helm reads charts of current registries"),
	}
}

func pullLimit(r rendered, _ []string) diagnose.Finding {
	repo := "chart repository " + host(r.in, r.s)
	return diagnose.Finding{
		OutsideGit: true,
		Shared:     repo,
		Title:      "Registry " + host(r.in, r.s) + " limits Argo CD's pulls",
		Why:        fmt.Sprintf("Argo CD needs %s%s from it, and has used up what the registry grants to this address or account.", wantedChart(r), sourceOf(r.s, r.s.Failure.Source)),
		Fix: []diagnose.Fix{
			{Text: "Store credentials, which raises the limit", Command: storeChartCredentials(r).Command},
			{Text: "Or wait until the limit is lifted (Docker Hub: 6 h at most), or use a mirror"},
		},
	}
}

func noRepository(r rendered, _ []string) diagnose.Finding {
	url, _ := chartURL(r)
	if isGitURL(url) {
		return gitAsCharts(r, url)
	}
	if plain := strings.TrimSuffix(withoutScheme(url), "/"); ociHosts.MatchString(repourl.Host(plain)) && !dependency(r) {
		return diagnose.Finding{
			Title: fmt.Sprintf("%s is an OCI registry, not a Helm repository", plain),
			Short: "repoURL is an OCI registry, not a Helm repository",
			Why:   "With https:// in front, Argo CD looks for an index.yaml.",
			Fix: []diagnose.Fix{
				inApplication(r.in, diagnose.Fix{Text: "Write repoURL without https://, in Git if the Application is defined there", Patch: fmt.Sprintf("repoURL: %s\nchart: %s\n", plain, r.src.Chart)}),
				{Text: "Register it as OCI registry (with --username and --password if it is private)", Command: diagnose.Shell("argocd repo add %s --type helm --name NAME --enable-oci --upsert", plain)},
			},
		}
	}
	out := diagnose.Finding{
		Title: fmt.Sprintf("%s is not a Helm repository", withoutScheme(url)),
		Short: "repoURL is not a Helm repository",
		Why:   "It answers 404 for index.yaml: the URL is wrong, or it is an OCI registry.",
		Fix: []diagnose.Fix{
			inApplication(r.in, diagnose.Fix{Text: "Correct repoURL to the directory that contains index.yaml", Command: diagnose.Shell("argocd app set %s%s --repo URL", advice.AppName(r.in), position(r.s))}),
			{Text: "See what the repository answers", Command: diagnose.Shell("curl -sIL %s/index.yaml", strings.TrimSuffix(url, "/"))},
		},
	}
	if dependency(r) {
		out.Fix[0] = diagnose.Fix{Text: "Correct repository of the dependency in Chart.yaml, and push", Command: diagnose.Shell("helm dependency update %s", sourcePath(r.src))}
	}
	return out
}

func notUnpacked(r rendered, _ []string) diagnose.Finding {
	return diagnose.Finding{
		OutsideGit: true,
		Title:      "Argo CD cannot unpack the OCI artifact",
		Why:        fmt.Sprintf("The download of %s is incomplete, or its layer is not a valid archive.", artifact(r)),
		Says:       said(r.s),
		Fix:        []diagnose.Fix{{Text: "In case the download is damaged, fetch it again", Command: diagnose.Shell("argocd app get %s --hard-refresh", advice.AppName(r.in))}, {Text: "Otherwise publish the artifact again"}},
	}
}

// notAnArchive is about a chart that was fetched and is something else.
func notAnArchive(r rendered, _ []string) diagnose.Finding {
	out := diagnose.Finding{
		OutsideGit: true,
		Title:      "What Argo CD fetched as a chart is not an archive",
		Why:        fmt.Sprintf("Argo CD needs %s, and what it got is not gzip: often a login page or an error page of a proxy, or a damaged download.", wantedChart(r)),
		Fix:        []diagnose.Fix{{Text: "In case the download is damaged, fetch it again", Command: diagnose.Shell("argocd app get %s --hard-refresh", advice.AppName(r.in))}},
	}
	if r.src.Chart != "" && strings.HasPrefix(r.src.RepoURL, "http") && r.src.TargetRevision != "" {
		out.Fix = append(out.Fix, diagnose.Fix{Text: "If it stays, fetch it yourself and see what the repository sends", Command: diagnose.Shell("helm pull %s --repo %s --version %s", r.src.Chart, r.src.RepoURL, r.src.TargetRevision)})
	}
	return out
}

func brokenIndex(r rendered, _ []string) diagnose.Finding {
	url := strings.TrimSuffix(cmp.Or(r.src.RepoURL, "URL"), "/") + "/index.yaml"
	return diagnose.Finding{
		OutsideGit: true,
		Shared:     "chart repository " + host(r.in, r.s),
		Title:      "Index of chart repository " + host(r.in, r.s) + " is not valid",
		Why:        "Its index.yaml is no index: often a login page or an error page of a proxy.",
		Says:       said(r.s),
		Fix:        []diagnose.Fix{{Text: "See what the repository answers, and correct repoURL or the repository", Command: diagnose.Shell("curl -sL %s | head -20", url)}},
	}
}
