package rules_test

import (
	"testing"
)

// TestFetchingFailuresSayWhatToChange: what the headline, the why and any step must say of failures to get the sources.
func TestFetchingFailuresSayWhatToChange(t *testing.T) {
	want := map[string]parts{
		"render/repo-server-unavailable/own-dns.json":              {"Cluster DNS fails for Argo CD's repo-server", "", "-l k8s-app=kube-dns", ""},
		"render/repo-server-unavailable/own-openshift.json":        {"Argo CD cannot resolve the name of its repo-server", "", "-n openshift-gitops get services", ""},
		"render/repo-server-unavailable/own-proxy.json":            {"Argo CD asks an HTTP proxy for its own repo-server", "NO_PROXY", "argocd-repo-server,.svc", ""},
		"render/git-unreachable/own-host-named-forbidden.json":     {"Git host cannot be reached: no such host", "cannot-list.forbidden.example.com does not resolve", "getent hosts", ""},
		"render/git-unreachable/own-proxy-login.json":              {"Proxy in front of Git host github.com fails", "Proxy Authentication Required", "HTTPS_PROXY", ""},
		"render/git-unreachable/own-cut-off.json":                  {"Fetch from Git host github.com broke off", "memory", "--refresh", ""},
		"render/git-unreachable/own-app-token-timeout.json":        {"Git host github.example.com does not respond", "", "git ls-remote https://github.example.com/tram/apps.git", ""},
		"render/git-auth/own-web-page.json":                        {"repoURL is the address of a web page", "", "--repo https://gitlab.example.com/tram/apps.git", ""},
		"render/git-auth/own-missing-or-denied.json":               {"Git host ssh.dev.azure.com denies access", "does not exist", "git ls-remote", ""},
		"render/git-auth/own-suspended.json":                       {"The account of Argo CD's credentials for github.com is suspended", "", "another one", ""},
		"render/git-auth/own-several-sources.json":                 {"Git host gitlab.com rejects Argo CD's credentials", "https://gitlab.com/tram/base.git", "argocd repo add https://gitlab.com/tram/base.git", ""},
		"render/git-auth/own-credential-template.json":             {"Argo CD probably has no credentials for tram/apps", "a credential template can still cover it", "argocd repocreds list", ""},
		"render/git-repository-not-found/own-helm-repository.json": {"Source names a Helm repository as if it were Git", "", "chart: ticketing", ""},
		"render/git-revision-not-found/own-range.json":             {"No tag matches v2.*", "", "Push a tag in this range", ""},
		"render/git-revision-not-found/own-head.json":              {"The repository has no default branch", "", "BRANCH", ""},
		"render/chart-repository/own-tag-in-index.json":            {"Helm of this Argo CD cannot read an OCI address", "3.16", "Helm 3.17", ""},
		"render/chart-repository/own-no-such-chart.json":           {"charts.tram.example has no chart tickets", "in any version", "--helm-chart CHART", ""},
		"render/chart-repository/own-registry-as-helm.json":        {"quay.io/tram/charts is an OCI registry", "", "repoURL: quay.io/tram/charts", ""},
		"render/chart-repository/own-oci-as-git.json":              {"Argo CD takes the OCI artifact for a Git repository", "", "--type oci", ""},
		"render/chart-repository/own-index-slow.json":              {"Chart repository charts.tram.example does not respond", "", "charts.tram.example", ""},
		"render/signature-required/own-not-trusted.json":           {"The commit has no accepted signature", "does not accept the signature", "argocd gpg list", ""},
		"render/submodule-or-lfs/own-other-transport.json":         {"Git submodule tram/rails cannot be fetched", "has no credentials for SSH", "write the URL for HTTPS", ""},
		"render/redis-unavailable/own-readonly.json":               {"Argo CD's Redis rejects commands", "read only replica", "haproxy", ""},
		"render/hydrator/own-branch-rule.json":                     {"Git host's rules refuse the hydrator's push", "verified signatures", "Exempt the hydrator's account", ""},
		"render/hydrator/own-no-credentials.json":                  {"Hydrator has no credentials for pushing to platform/deploy", "", "repository-write", ""},
		"render/hydrator/own-push-race.json":                       {"Hydrator's push collided", "at the same moment", "If the next attempt", ""},
	}
	checkParts(t, want)
}
