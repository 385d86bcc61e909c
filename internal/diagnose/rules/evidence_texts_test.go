package rules_test

import (
	"testing"
)

// TestTextsUseWhatTheEvidenceHas: names, accounts and settings that only the evidence knows are in the texts, and what it refutes is not.
func TestTextsUseWhatTheEvidenceHas(t *testing.T) {
	want := map[string]parts{
		"render/helm-template/own-generated-braces.json":       {"A Helm template prints braces", "spec.destination.namespace has {{.squad}}", "ApplicationSet harbour", "helm template"},
		"render/kustomize/own-repo-without-scheme.json":        {"Kustomize cannot pull chart lamp", "without a scheme", "repo: oci://ghcr.io/lantern/charts", "https://"},
		"render/invalid-yaml/own-directory-without-kind.json":  {"A file in wick is not a Kubernetes manifest", `{"oil"`, "grep -rL", "helm template"},
		"render/invalid-yaml/own-directory-line.json":          {"A manifest in wick is not valid (line 14)", "", "kubectl apply --dry-run=client -o name -f wick", "kustomize build"},
		"render/jsonnet/own-cloned-url.json":                   {"Jsonnet cannot import optics/lens.libsonnet", "at prism/glass.jsonnet:4:13", "- prism/vendor", "__git"},
		"render/plugin/own-no-socket.json":                     {"The repo-server has no sidecar of plugin cue-v2", "plugins/cue-v2.sock does not exist", "deploy/cd-argocd-repo-server", "discovery rules"},
		"render/repo-server-unavailable/own-helm-release.json": {"Argo CD cannot resolve the name of its repo-server", "", "Service named deck-argocd-repo-server", ""},
		"render/chart-repository/own-no-version-set.json":      {"No version is set for chart keel", "targetRevision is empty", "helm search repo NAME/keel", "not found"},
		"render/git-auth/own-secret-missing.json":              {"Secret rudder-deploy-key for ops/rudder not found", "does not exist in namespace argocd", "--from-file=KEY=KEYFILE", "--from-literal"},
		"render/chart-repository-auth/own-secret-missing.json": {"Secret charts-login for ", "", "secret generic charts-login", ""},
		"render/git-auth/own-tested-well.json":                 {"Git host ado.lantern.example rejects", "with user fleet-bot, succeeded", "this user name", ""},
		"render/chart-repository-auth/own-login-on-host.json":  {"registry.lantern.example", "registry.lantern.example/galley (user robot$galley)", "Renew the token", ""},
		"render/submodule-or-lfs/own-chart-pointer.json":       {"charts/crane-4.2.0.tgz is not a chart archive", "LFS turned off", "--enable-lfs", ""},
		"render/submodule-or-lfs/own-chart-page.json":          {"charts/crane-4.2.0.tgz is not a chart archive", "a web page", "helm dependency update charts/cargo", "LFS"},
		"compare/cluster-forbidden/typographic.json":           {"Argo CD is not allowed to list winches", "kube-system:argocd-manager lacks", "--resource=winches.deck.lantern.example", "argocd-application-controller"},
		"compare/cluster-forbidden/foreign-account.json":       {"Argo CD is not allowed to list nodes", "no ClusterRole at all", "kubectl -n access get serviceaccount deployer -o yaml", "argocd-application-controller"},
		"compare/cluster-forbidden/nobody-named.json":          {"Argo CD is not allowed to list Winch.deck.lantern.example", "", "Let the account of Argo CD", "USER"},
		"compare/cluster-forbidden/anonymous.json":             {"Cluster takes Argo CD for an anonymous caller", "system:anonymous cannot list services", "argocd cluster add", "clusterrole"},
		"render/helm-dependency/own-no-scheme.json":            {"A dependency's repository has no scheme", "", "oci://", ""},
		"render/helm-dependency/own-version-range.json":        {"Dependency halyard has no valid version", "asks for latest", "halyard in charts/sail/Chart.yaml", ""},
		"render/kustomize/own-plugin-scheme.json":              {"Kustomize cannot pull chart lamp", "no plugin for gs", "https:// or oci://", "helm show chart"},
		"render/chart-repository/own-not-an-archive.json":      {"What Argo CD fetched as a chart is not an archive", "not gzip", "helm pull bilge", ""},
		"spec/not-permitted/own-cached.json":                   {"Helm repository of a dependency is not allowed", "", "--hard-refresh", ""},
		"apply/api-server-timeout/own-client-gave-up.json":     {"API server did not respond in time", "Argo CD says: ", "", "The API server says"},
	}
	checkParts(t, want)
}
