package rules_test

import (
	"strings"
	"testing"
)

// TestRenderingFailuresSayWhatToChange: the finding names the part at fault, and its first step changes that part.
func TestRenderingFailuresSayWhatToChange(t *testing.T) {
	e := engine(t)
	want := map[string]struct{ title, why, fix string }{
		"render/helm-template/own-cut-path.json":           {"Helm cannot read .Values.ingress.annotations", "plain value or a list", "Make ingress a map"},
		"render/helm-template/own-nulled-parent.json":      {"Helm cannot read .Values.server.ingress.enabled", "nothing is indented below ingress", "spec.source.helm.values"},
		"render/helm-template/own-foreign-braces.json":     {"Helm cannot read .commonLabels.alertname", "Helm has no .commonLabels", "escape them"},
		"render/chart-repository/own-git-repository.json":  {"depot/charts is a Git repository", "index.yaml", "replace chart by path"},
		"render/chart-repository-auth/own-name-twice.json": {"ghcr.io has no chart depot/charts/api/api", "joins repoURL and chart", "Keep the name of the chart out"},
		"render/kustomize/own-unknown-option.json":         {"Kustomize does not know the option --enable_alpha_plugins", "with hyphens", "Write it with hyphens"},
		"render/git-auth/own-user-in-url.json":             {"Git host bitbucket.org rejects", "user name ci", "without the user name"},
		"render/repo-server-unavailable/own-cut-off.json":  {"Argo CD's repo-server broke off", "restarted", "See whether"},
		"spec/not-permitted/own-denied-namespace.json":     {"Project depot denies namespace kube-system (!kube-*)", "counts more", "Remove or narrow"},
		"spec/not-permitted/own-by-name.json":              {"Destination is not allowed", "by name", "give its name in place of the server, in the template of ApplicationSet depot"},
		"operation/retry-exhausted/own-renders-now.json":   {"The failed sync could not render", "before anything was applied", "Show what a sync would change"},
		"render/submodule-or-lfs/own-commit-missing.json":  {"Submodule lib/common has no commit 4be5f6a", "force push", "Push that commit"},
		"render/git-unreachable/own-dns-timeout.json":      {"Git host git.depot.example does not resolve", "", "DNS server does not answer"},
		"render/helm-dependency/own-empty-index.json":      {"Helm's copy of a chart repository's index is empty", "at the same time", "restart the repo-server"},
		"render/helm-template/own-undefined-variable.json": {"Helm template uses an undefined variable: $labels", "", "escape them"},
		"render/kustomize/own-label-twice.json":            {"Kustomize label team is set twice", "commonLabels", "Remove it from one"},
		"render/timeout/own-sending-files.json":            {"Sending the files to the plugin takes too long", "before it renders", "Send less"},
		"render/invalid-yaml/own-reason-lost.json":         {"Manifest web.yaml is not valid", "loses the parser's reason", "kubectl says what it reads"},
		"spec/not-permitted/own-dependency.json":           {"Project does not allow a dependency's repository", "charts.other.example", "Add the repository"},
		"spec/invalid/own-no-destination.json":             {"Destination has neither a server nor a name", "", "Set spec.destination.server or name"},
		"render/git-auth/own-no-right.json":                {"Argo CD's credentials have no access to depot/apps", "do not include this repository", "Give the token access"},
		"render/git-auth/own-sha1.json":                    {"github.com refuses SSH with ssh-rsa", "SHA-1", "Upgrade Argo CD"},
		"render/git-unreachable/own-host-overloaded.json":  {"Git host git.depot.example returns an error", "", "it answered"},
		"render/kustomize/own-remote-base.json":            {"Remote base depot/bases cannot be fetched", "", "If the repository is private"},
	}
	seen := 0
	for _, r := range recordedCases(t) {
		w, ok := want[r.name]
		if !ok {
			continue
		}
		seen++
		f := first(t, diagnosed(t, e, r.c))
		if !strings.HasPrefix(f.Title, w.title) || !strings.Contains(f.Why, w.why) || !strings.Contains(f.Fix[0].Text, w.fix) {
			t.Errorf("%s: %s\n%s\n%s", r.name, f.Title, f.Why, f.Fix[0].Text)
		}
	}
	if seen != len(want) {
		t.Errorf("%d of %d cases found", seen, len(want))
	}
}
