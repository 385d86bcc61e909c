package rules_test

import (
	"strings"
	"testing"
)

// TestRenderingFailuresSayWhatToChange: the finding names the part at fault, and its first step changes that part.
func TestRenderingFailuresSayWhatToChange(t *testing.T) {
	e := engine(t)
	want := map[string]struct{ title, why, fix string }{
		"render/helm-template/own-cut-path.json":              {"Helm cannot read .Values.ingress.annotations", "plain value or a list", "Make ingress a map"},
		"render/helm-template/own-nulled-parent.json":         {"Helm cannot read .Values.server.ingress.enabled", "nothing is indented below ingress", "spec.source.helm.values"},
		"render/helm-template/own-foreign-braces.json":        {"Helm cannot read .commonLabels.alertname", "Helm has no .commonLabels", "escape them"},
		"render/chart-repository/own-git-repository.json":     {"depot/charts is a Git repository", "index.yaml", "replace chart by path"},
		"render/chart-repository-auth/own-name-twice.json":    {"repoURL ends with the name of the chart", "joins repoURL and chart", "Keep the name of the chart out"},
		"render/kustomize/own-unknown-option.json":            {"Kustomize does not know the option --enable_alpha_plugins", "with hyphens", "Write it with hyphens"},
		"render/git-auth/own-user-in-url.json":                {"Git host bitbucket.org rejects", "user name ci", "without the user name"},
		"render/repo-server-unavailable/own-cut-off.json":     {"Argo CD's repo-server broke off", "restarted", "See whether"},
		"spec/not-permitted/own-denied-namespace.json":        {"Project depot denies namespace kube-system (!kube-*)", "counts more", "Remove or narrow"},
		"spec/not-permitted/own-by-name.json":                 {"Destination is not allowed", "by name", "give its name in place of the server, in the template of ApplicationSet depot"},
		"render/helm-template/own-renders-now.json":           {"Renders now at 8888888, not synced yet", "The sync of 7777777 failed: Helm cannot read .Values.image.tag", "Show what a sync would change"},
		"render/submodule-or-lfs/own-commit-missing.json":     {"Submodule lib/common has no commit 4be5f6a", "force push", "Push that commit"},
		"render/git-unreachable/own-dns-timeout.json":         {"Git host git.depot.example does not resolve", "", "DNS server does not answer"},
		"render/helm-dependency/own-empty-index.json":         {"Helm's copy of a chart repository's index is empty", "at the same time", "restart the repo-server"},
		"render/helm-template/own-undefined-variable.json":    {"Helm template uses an undefined variable: $labels", "", "escape them"},
		"render/kustomize/own-label-twice.json":               {"Kustomize label team is set twice", "commonLabels", "Remove it from one"},
		"render/timeout/own-sending-files.json":               {"Sending the files to the plugin takes too long", "before it renders", "Send less"},
		"render/invalid-yaml/own-reason-lost.json":            {"Manifest web.yaml is not valid", "loses the parser's reason", "kubectl says what it reads"},
		"spec/not-permitted/own-dependency.json":              {"Project does not allow a dependency's repository", "charts.other.example", "Add the repository"},
		"spec/invalid/own-no-destination.json":                {"Destination has neither a server nor a name", "", "Set spec.destination.server or name"},
		"render/git-auth/own-no-right.json":                   {"Argo CD's credentials have no access to depot/apps", "do not include this repository", "Give the token access"},
		"render/git-auth/own-sha1.json":                       {"github.com refuses SSH with ssh-rsa", "SHA-1", "Upgrade Argo CD"},
		"render/git-unreachable/own-host-overloaded.json":     {"Git host git.depot.example returns an error", "", "it answered"},
		"render/kustomize/own-remote-base.json":               {"Remote base depot/bases cannot be fetched", "", "If the repository is private"},
		"render/helm-template/own-defaults-at-fault.json":     {"Helm values do not match the chart's schema", "The Application does not set cranes", "Correct these values in spec.source.helm.valuesObject"},
		"render/kustomize/own-patch-identity.json":            {"Kustomize patch for Deployment/dock has no target", "apiVersion apps/v1 and namespace ferry", "Correct kind, name"},
		"render/helm-template/own-dependency-value.json":      {"Helm cannot read .Values.storage.class", "whose values are below queue", "Set queue.storage.class in charts/ferry/values-prod.yaml"},
		"render/helm-template/own-required-by-publisher.json": {"The chart requires .Values.port.dock", "The check is in", "Set port.dock in spec.source.helm.valuesObject"},
		"render/helm-template/own-removed-value.json":         {"The chart no longer takes .Values.port.legacy", "Source 1 of 2", "Remove port.legacy from ferry.yaml of ops/apps"},
		"render/helm-template/own-not-both.json":              {"The chart refuses to render, at check.yaml:3", "The check is in", "Do what the chart"},
		"render/helm-template/own-number-annotation.json":     {"Template svc.yaml sets metadata.annotations to a number", "valid YAML", "Quote the value"},
		"render/helm-template/own-lookup.json":                {"Helm's lookup finds nothing in Argo CD", "does not ask the cluster", "Set the value itself"},
		"render/helm-template/own-not-a-template.json":        {"Helm template is not valid: unclosed action", "whatever the values are", "Correct the template at this line"},
		"render/helm-template/own-variable-field.json":        {"Helm cannot read $job.schedule.cron", "from the variable $job", "Look up in the template what $job stands for"},
		"render/helm-template/own-quoted-number.json":         {"Helm cannot use .Values.limit", "expects a number", "Write limit as a number"},
		"render/helm-template/own-inline-values.json":         {"The values in the Application are not valid YAML (line 2)", "", "Correct spec.source.helm.values"},
		"render/helm-template/own-secrets-plugin.json":        {"Helm plugin secrets fails: no plugin command is applicable", "plugin.yaml", "Install a version of the plugin"},
		"render/helm-dependency/own-file-dependency.json":     {"Dependency charts/queue is not in the repository", "file://", "Commit the chart there"},
		"render/chart-repository/own-path-in-name.json":       {"Chart name harbor/ferry must not contain a path", "", "Move the path to repoURL"},
		"render/invalid-yaml/own-helm-template.json":          {"dock.yaml has {{.Values.name}}, which nothing fills in", "plain manifests", "If it is a Helm template"},
		"render/invalid-yaml/own-label-null.json":             {"ConfigMap/dock: label tier is not a string", "empty (null)", "Render the chart"},
		"render/invalid-yaml/own-rendered-no-kind.json":       {"A document rendered from charts/ferry has no kind", "It begins with {\"dock\"", "Render the chart"},
		"render/invalid-yaml/own-excluded-already.json":       {"board.json is not a Kubernetes manifest", "has no kind", "If it is not meant to be one, exclude it, in spec.sources[1]"},
		"render/jsonnet/own-library-of-source.json":           {"Jsonnet cannot import queue/queue.libsonnet", "spec.sources[1].directory.jsonnet.libs has dock/vendor", "Commit the library below dock/vendor"},
		"render/jsonnet/own-no-object.json":                   {"params.jsonnet does not evaluate to Kubernetes objects", "every .jsonnet file", "If the file is only imported"},
		"render/kustomize/own-inflated-kubernetes.json":       {"A chart of the overlay needs another Kubernetes", "built into it", "If the cluster has a version that the chart supports"},
		"render/kustomize/own-patch-path.json":                {"A JSON patch has a path that does not exist", "containers/2/image does not exist", "Find the patch with this path"},
		"render/kustomize/own-patch-matches-several.json":     {"A Kustomize patch matches several resources", "Deployment/dock", "Give the patch the namespace"},
		"render/kustomize/own-contains-itself.json":           {"Kustomize overlay contains itself: overlays/prod", "leads to", "Remove or correct the entry ../prod"},
		"render/kustomize/own-settings-of-source.json":        {"overlays/prod has no kustomization.yaml", "kustomize settings", "Add the file, correct spec.sources[1].path, or remove spec.sources[1].kustomize"},
		"render/kustomize/own-unknown-options.json":           {"Kustomize may not load files from outside the overlay", "shared/dock.conf is not below", "Move the file"},
		"render/plugin/own-helm-in-plugin.json":               {"Helm cannot read .Values.dock.port", "another command", "Set dock.port in the values that the plugin gives to Helm"},
		"render/plugin/own-missing-key.json":                  {"The vault has no key berth", "placeholder <berth>", "Add the key berth"},
		"render/plugin/own-no-home.json":                      {"The plugin may not create /.cache", "HOME is /", "Give the sidecar a home"},
		"render/plugin/own-no-right.json":                     {"The plugin's service account lacks a permission", "argocd-repo-server may not get secrets in argocd", "bind a role with that permission to the account"},
		"render/plugin/own-not-executable.json":               {"./render.sh is not executable", "from the repository", "Make it executable in Git"},
		"render/plugin/own-closed-connection.json":            {"Sidecar of plugin tanka closed the connection", "ended or restarted", "Look at restarts"},
		"render/path-not-found/own-source-not-said.json":      {"Path queue/eu is not in the repository", "at v3", "Set spec.sources[1].path"},
		"render/kustomize/own-label-of-generated.json":        {"Kustomize label team is set twice", "spec.source.kustomize.commonLabels", "Remove it from one of the two: kustomize.commonLabels in the template of ApplicationSet depot"},
		"render/path-not-found/own-absolute.json":             {"Path /dock cannot be used", "inside the repository", "Set spec.sources[1].path without the slash"},
		"render/helm-template/own-looks-up-object.json":       {"The chart finds no ConfigMap: lookup is empty in Argo CD", "even if it exists", "Turn the check off in charts/ferry/values.yaml"},
		"render/plugin/own-no-kubeconfig.json":                {"The plugin has no kubeconfig", "no configuration has been provided", "Mount a kubeconfig into the sidecar"},
		"render/helm-dependency/own-helm2.json":               {"No version of dependency buoy matches requirements.yaml", "runs Helm 2", "Set the version of the dependency in requirements.yaml"},
		"render/path-not-found/own-one-file.json":             {"Path dock/crane.yaml cannot be used", "inside the repository", "Set the directory of the file as path"},
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
