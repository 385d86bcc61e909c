package render

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/repourl"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

var ChartRepositoryAuth = &diagnose.Rule{
	ID:    "render/chart-repository-auth",
	Needs: []evidence.Kind{evidence.KindRepositories, evidence.KindProject},
	Doc: diagnose.Doc{
		Title:    "Chart repository credentials rejected",
		What:     "A Helm or OCI registry answers 401 or 403 when Argo CD fetches the chart. Credentials are missing, expired, or stored under a URL that does not match (for OCI: without oci://, and with enableOCI).",
		Decisive: "The chart repository answers 401, 403, unauthorized or denied.",
		Example:  "`helm pull oci://registry.example.com/charts/web --version 1.2.3` failed exit status 1: Error: unexpected status from HEAD request: 401 Unauthorized",
		Fix:      "Store valid credentials under the URL of the repository.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/operator-manual/declarative-setup/#helm-chart-repositories"},
	},
	Sync: nothingRenders,
	Check: during(message.CallCharts, message.CallDependency).rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if name, key := missingCredentials(f); name != "" && makingSource(in, f).Chart != "" {
			return credentialsMissing(renderedOf(in, s), name, key), true
		}
		if peerOf(in, s) != peerCharts || f.Has("toomanyrequests", "rate limit") {
			return diagnose.Finding{}, false
		}
		confidence := diagnose.Certain
		if !f.AuthRefused() {
			if !asksForToken(f) {
				return diagnose.Finding{}, false
			}
			confidence = diagnose.Likely
		}
		r := renderedOf(in, s)
		if out, ok := wrongSplit(r); ok {
			return out, true
		}
		h := host(in, s)
		out := diagnose.Finding{
			Confidence: confidence, OutsideGit: true,
			Shared: "chart repository " + h,
			Title:  text.UpperFirst(registryName(h)) + " denies Argo CD access",
			Why:    fmt.Sprintf("Argo CD cannot fetch %s%s.", wantedChart(r), sourceOf(s, s.Failure.Source)),
			Says:   said(s),
			Fix: []diagnose.Fix{
				storeChartCredentials(r),
				{Text: "Check which URLs Argo CD already has credentials for", Command: "argocd repo list; argocd repocreds list"},
			},
		}
		out.Says.Text = requested.ReplaceAllString(refusal(out.Says.Text, f.Flat()), "")
		url, kind := chartURL(r)
		if loggedIn(r, url) {
			out.Title = text.UpperFirst(registryName(h)) + " rejects Argo CD's login"
		}
		if registrationOf(r.in, url) == listedWithUser && ecrRegion(url) == "" {
			out.Fix = append(out.Fix, diagnose.Fix{Text: "If the chart is public, store the entry without credentials", Command: diagnose.Shell("argocd repo add %s%s --name NAME --upsert", url, kind)})
		}
		if kind == helmOCI && f.Has("denied", "insufficient_scope", "does not exist") && r.src.Chart != "" && !dependency(r) {
			out.Fix = append(out.Fix, diagnose.Fix{
				Text:    "Check with your own login whether the chart and the version exist: registries give the same answer where they do not",
				Command: diagnose.Shell("helm show chart oci://%s --version %s", strings.Trim(url, "/")+"/"+r.src.Chart, r.src.TargetRevision),
			})
		}
		if kind == helmHTTP && registrationOf(in, url) != listedWithUser && f.Has("403") {
			out.Fix = append(out.Fix, diagnose.Fix{Text: "If the repository is public, it refuses the address or the client (a firewall, a proxy or a limit): see what it answers", Command: diagnose.Shell("curl -sSIL %s/index.yaml", strings.TrimSuffix(url, "/"))})
		}
		if entry, user := loginOnHost(r, url); entry != "" {
			out.Why += fmt.Sprintf(" Argo CD has %s (user %s) on this host: its token is no longer valid or may not read this chart, or the chart does not exist.", entry, user)
			out.Fix[0].Text = fmt.Sprintf("Renew the token of %s, and give it the right to read this chart; or store another one for the chart's own URL (without oci://)", entry)
		} else if last := len(out.Fix) - 1; strings.HasPrefix(out.Fix[last].Command, "helm show chart") && registrationOf(r.in, url) == notListed {
			out.Fix = append([]diagnose.Fix{out.Fix[last]}, out.Fix[:last]...) // nothing says that it is private
		}
		switch {
		case f.Has("authorization token has expired", "token has expired", "expired token"):
			out.Title = "Stored token of " + registryName(h) + " has expired"
		case f.Has("anonymous token"):
			askedAnonymously(r, h, url, &out)
		}
		return out, true
	}),
}

// loginOnHost is the only entry with a user name for the registry that refused a dependency, under another path of it: Helm logs in to a
// registry, not to a path. Empty where there is none or several, or Argo CD has the URL itself.
func loginOnHost(r rendered, url string) (entry, user string) {
	if !dependency(r) || registrationOf(r.in, url) == listedWithUser {
		return "", ""
	}
	repos, _ := repositories(r.in)
	for _, repo := range repos {
		if repo.Username == "" || !repo.EnableOCI || repourl.Host(url) == "" || registryOf(repo.Repo) != registryOf(url) {
			continue
		}
		if entry != "" {
			return "", ""
		}
		entry, user = repo.Repo, repo.Username
	}
	return entry, user
}

// loggedIn reports whether Argo CD sent credentials: it has a user name for the repository, or the registry judged a password.
func loggedIn(r rendered, url string) bool {
	return registrationOf(r.in, url) == listedWithUser || r.s.Failure.Has("incorrect username or password", "invalid username", "bad credentials", "invalid credentials", "token has expired", "expired token", "token is expired", "login attempt to")
}

// asksForToken: the text ends while a registry's token is requested, which is where credentials are refused.
func asksForToken(f *message.Failure) bool {
	return f.Mentions("/token?", "oauth2/token", "fetch oauth token", "failed to authorize", "registry login") && !f.Has("no such host")
}

// update is how Helm says that it did not get an index, before it fails for want of it.
var update = pattern.MustCompile(`Unable to get an update from the "[^"]*" chart repository \([^)]*\): (.*?)(?: \.\.\.|$)`)

// refusal is the answer of the repository that refused.
func refusal(said, flat string) string {
	if m := update.FindStringSubmatch(flat); m != nil {
		return message.LastClause(m[1])
	}
	return said
}

// storeChartCredentials is the step that stores credentials under the URL that Argo CD looks for.
func storeChartCredentials(r rendered) diagnose.Fix {
	url, kind := chartURL(r)
	add := func(said string, kind, login diagnose.Raw) diagnose.Fix {
		return diagnose.Fix{Text: said, Command: diagnose.Shell("argocd repo add %s%s --name NAME%s --upsert", url, kind, login)}
	}
	login := diagnose.Raw(" --username USER --password TOKEN")
	if region := ecrRegion(url); region != "" {
		token := diagnose.Raw(diagnose.Shell(` --username AWS --password "$(aws ecr get-login-password --region %s)"`, region))
		return add("Store a new token; those of ECR are valid for 12 hours, so have a job renew it", kind, token)
	}
	if hostIn(url, "pkg.dev") {
		return diagnose.Fix{
			Text:    "Give a Google service account the role roles/artifactregistry.reader on the registry, and store its key (the user is _json_key, the password its JSON)",
			Command: diagnose.Shell(`argocd repo add %s%s --name NAME --username _json_key --password "$(cat KEY.json)" --upsert`, url, kind),
		}
	}
	if kind == helmOCI {
		return add("Store valid credentials (write an OCI URL without oci://)", kind, login)
	}
	return add("Store valid credentials for the repository", kind, login)
}

// registryName is a registry's host, or what people call it where that is long.
func registryName(host string) string {
	if region := ecrRegion(host); region != "" {
		return "ECR in " + region
	}
	return host
}

// ecrRegion is the region of a registry of AWS; empty for all other URLs, whatever else in them looks like one.
func ecrRegion(url string) string {
	if m := ecr.FindStringSubmatch(repourl.Host(url)); m != nil {
		return m[1]
	}
	return ""
}

var ecr = pattern.MustCompile(`^\d+\.dkr\.ecr\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?$`)

// hostIn reports whether the host of a URL is a domain or in it.
func hostIn(url, domain string) bool {
	host := repourl.Host(url)
	return host == domain || strings.HasSuffix(host, "."+domain)
}

// The kinds of chart repository, as argocd repo add takes them.
const (
	helmOCI  = diagnose.Raw(" --type helm --enable-oci")
	helmHTTP = diagnose.Raw(" --type helm")
	pureOCI  = diagnose.Raw(" --type oci")
)

// chartURL is the URL that the credentials of a chart repository belong to, and its kind. The repository of a dependency is the one in
// the text, without the name of the chart.
func chartURL(r rendered) (url string, kind diagnose.Raw) {
	f := &r.s.Failure
	flat := f.Flat()
	if !dependency(r) {
		switch {
		case strings.HasPrefix(r.src.RepoURL, "oci://") && r.src.Chart == "":
			return r.src.RepoURL, pureOCI
		case strings.HasPrefix(r.src.RepoURL, "http"):
			return r.src.RepoURL, helmHTTP
		}
		url = strings.TrimPrefix(r.src.RepoURL, "oci://")
		if m := fromURL.FindStringSubmatch(flat); m != nil && registryOf(url) != m[1] { // the registry that answered decides
			_, url = lastElement(m[1] + "/" + m[2])
		}
		return url, helmOCI
	}
	if m := downloaded.FindStringSubmatch(flat); m != nil {
		if oci, ok := strings.CutPrefix(m[1], "oci://"); ok {
			_, repo := lastElement(oci)
			return cmp.Or(repo, oci), helmOCI
		}
	}
	if m := fromURL.FindStringSubmatch(flat); m != nil {
		_, repo := lastElement(m[1] + "/" + m[2])
		return repo, helmOCI
	}
	if m := updating.FindStringSubmatch(flat); m != nil {
		return m[1], helmHTTP
	}
	if f.Mentions("/v2/") || f.Mentions("registry login") {
		return cmp.Or(f.Host(), "REGISTRY"), helmOCI
	}
	u := strings.TrimSuffix(f.URL(), "/index.yaml")
	if strings.HasSuffix(u, ".tgz") {
		u = directoryOf(u)
	}
	if oci, ok := strings.CutPrefix(u, "oci://"); ok {
		return oci, helmOCI
	}
	return cmp.Or(u, "URL"), helmHTTP
}

// directoryOf is the repository that an archive is probably in: they are often kept in a directory of their own, which is no part of
// the repository's URL.
func directoryOf(archive string) string {
	file, url := lastElement(archive)
	if dir, rest := lastElement(url); dir == "charts" || strings.HasPrefix(file, dir+"-") {
		return rest
	}
	return url
}

// updating is the repository whose index Helm did not get.
var updating = pattern.MustCompile(`Unable to get an update from the "[^"]*" chart repository \(([^)]*)\)`)
