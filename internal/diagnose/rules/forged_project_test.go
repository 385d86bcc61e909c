package rules_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/evidence"
)

// refusedBy is a status in which Argo CD refuses the application.
func refusedBy(t *testing.T, message string) string {
	t.Helper()
	quoted, err := json.Marshal(message)
	if err != nil {
		t.Fatal(err)
	}
	return `{"sync": {"status": "Unknown"}, "conditions": [{"type": "InvalidSpecError", "message": ` + string(quoted) + `}]}`
}

// TestAProjectIsOpenedOnlyForItsOwnApplications: an application may name any project, and its status any refusal.
func TestAProjectIsOpenedOnlyForItsOwnApplications(t *testing.T) {
	const (
		repository = "application repo https://git.evil.example/x.git is not permitted in project 'team-a'"
		namespace  = "application 'shop' in namespace 'team-a' is not permitted to use project 'team-a'"
		elsewhere  = "application 'shop' in namespace 'evil' is not permitted to use project 'team-a'"
	)
	closed := strings.Replace(teamA, `"sourceNamespaces": ["team-a"]`, `"sourceNamespaces": ["platform"]`, 1)
	for name, x := range map[string]struct {
		message, project string
		want, never      []string
	}{
		"a project that takes it":        {repository, teamA, []string{"argocd proj add-source team-a https://git.evil.example/x.git"}, nil},
		"a project that does not":        {repository, closed, []string{"the project does not take applications of this namespace"}, []string{"proj add-"}},
		"its own namespace":              {namespace, closed, []string{"argocd proj add-source-namespace team-a team-a"}, nil},
		"the namespace of somebody else": {elsewhere, closed, []string{"argocd proj get team-a"}, []string{"proj add-"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, text := commandsOf(t, forged(t, refusedBy(t, x.message), x.project))
			shows(t, text, x.want, x.never)
		})
	}
}

// TestNothingOpensTheRepoServerForAllByAnError: the restriction of kustomize keeps overlays from files of other applications.
func TestNothingOpensTheRepoServerForAllByAnError(t *testing.T) {
	said := "Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = `kustomize build .` failed exit status 1: Error: accumulating resources: " +
		"security; file '/tmp/_argocd-repo/x/base/a.yaml' is not in or below '/tmp/_argocd-repo/x/overlay'"
	_, text := commandsOf(t, forged(t, strings.Replace(refusedBy(t, said), "InvalidSpecError", "ComparisonError", 1)))
	shows(t, text, []string{"only if you trust every repository that Argo CD renders"}, []string{"kubectl -n argocd patch"})
}

// comparison is a status in which rendering failed with a text that the repository brings along.
func comparison(t *testing.T, message string) string {
	t.Helper()
	return strings.Replace(refusedBy(t, "Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = "+message), "InvalidSpecError", "ComparisonError", 1)
}

// TestAVersionOfKustomizeWritesOneSetting: the application names it, and Argo CD repeats it in the error.
func TestAVersionOfKustomizeWritesOneSetting(t *testing.T) {
	for version, want := range map[string]bool{
		"v5.9.0": true,
		`x":"","oidc.config":"issuer:\u0020https://evil.example","kustomize.path.y`: false,
	} {
		_, text := commandsOf(t, forged(t, comparison(t, "kustomize version "+version+" is not registered")))
		if got := strings.Contains(text, `patch cm argocd-cm --type merge -p '{"data":{"kustomize.path.`+version); got != want || strings.Contains(text, "oidc.config") {
			t.Errorf("%s is written into argocd-cm: %t, want %t\n%s", version, got, want, text)
		}
	}
}

// TestAManifestIsAppliedOnlyIfItsObjectIsPermitted: "the manifest from Git" is what the tenant wrote.
func TestAManifestIsAppliedOnlyIfItsObjectIsPermitted(t *testing.T) {
	conflict := func(group, kind, namespace string) string {
		return `{"sync": {"status": "OutOfSync"}, "operationState": {"phase": "Failed", "message": "one or more objects failed to apply", "finishedAt": "2026-11-20T18:30:00Z", "operation": {"sync": {"revision": "abc"}},
			"syncResult": {"revision": "abc", "resources": [{"group": "` + group + `", "version": "v1", "kind": "` + kind + `", "namespace": "` + namespace + `", "name": "x", "status": "SyncFailed",
			"message": "Apply failed with 1 conflict: conflict with \"kubectl-client-side-apply\" using ` + group + `/v1: .spec.replicas"}]}}}`
	}
	for _, x := range []struct {
		group, kind, namespace string
		want                   bool
	}{{"apps", "Deployment", "team-a", true}, {"apps", "Deployment", "kube-system", false}, {"rbac.authorization.k8s.io", "ClusterRoleBinding", "", false}} {
		_, text := commandsOf(t, forged(t, conflict(x.group, x.kind, x.namespace)))
		if got := strings.Contains(text, "-f MANIFEST"); got != x.want {
			t.Errorf("%s in %q is applied: %t, want %t\n%s", x.kind, x.namespace, got, x.want, text)
		}
	}
}

// TestAChartsDefinitionsAreLookedAtFirst: files in its crds directory can be of any kind.
func TestAChartsDefinitionsAreLookedAtFirst(t *testing.T) {
	c := forged(t, `{"sync": {"status": "OutOfSync"}, "operationState": {"phase": "Failed", "message": "one or more objects failed to apply", "finishedAt": "2026-11-20T18:30:00Z",
		"operation": {"sync": {"revision": "1.2.3"}}, "syncResult": {"revision": "1.2.3", "resources": [{"group": "ops.evil.example", "version": "v1", "kind": "Widget", "namespace": "team-a", "name": "w", "status": "SyncFailed",
		"message": "Widget.ops.evil.example \"w\" is invalid: failed to create typed patch object (team-a/w; ops.evil.example/v1, Kind=Widget): .spec.foo: field not declared in schema"}]}}}`,
		strings.Replace(teamA, `"namespaceResource`, `"clusterResourceWhitelist": [{"group": "apiextensions.k8s.io", "kind": "CustomResourceDefinition"}], "namespaceResource`, 1))
	c.Application.Spec.Source = &evidence.ApplicationSource{RepoURL: "https://charts.evil.example", Chart: "op", TargetRevision: "1.2.3"}
	_, text := commandsOf(t, c)
	shows(t, text, []string{"helm show crds op --repo https://charts.evil.example --version 1.2.3\n"}, []string{"| kubectl apply"})
}

// TestALoginOfOthersIsNotReplaced: a repository that is stored already may be another team's.
func TestALoginOfOthersIsNotReplaced(t *testing.T) {
	const url = "https://charts.payments.example/stable"
	for _, x := range []struct {
		repos, stored, url string
		want               bool
	}{
		{`["*"]`, url, url, true},
		{`["https://git.example.com/team-a/*"]`, url, url, false},
		{`["https://git.example.com/team-a/*"]`, url + "/", url, false},
		{`["https://git.example.com/team-a/*"]`, "https://Charts.payments.example/stable", url, false},
		{`["https://git.example.com/team-a/*"]`, "https://other.example", url, true},
		{`["https://git.example.com/team-a/*"]`, "europe-docker.pkg.dev/pay/charts", "europe-docker.pkg.dev/pay/charts", false}, // whose step has a password in "$(…)"
	} {
		failed := comparison(t, `failed to fetch chart: looks like "`+x.url+`" is not a valid chart repository or cannot be reached: failed to fetch `+x.url+`/index.yaml : 401 Unauthorized`)
		c := forged(t, failed, strings.Replace(teamA, `["*"]`, x.repos, 1))
		c.Application.Spec.Source = &evidence.ApplicationSource{RepoURL: x.url, Chart: "pay", TargetRevision: "1.0.0"}
		c.Repositories = []evidence.Repository{{Repo: x.stored, Type: "helm"}}
		_, text := commandsOf(t, c)
		if got := strings.Contains(text, "--upsert"); got != x.want {
			t.Errorf("with the repositories %s the login of %s is replaced: %t, want %t\n%s", x.repos, x.stored, got, x.want, text)
		}
	}
}

// TestANameOfAClusterSaysNothingElse: whoever writes the Application writes it.
func TestANameOfAClusterSaysNothingElse(t *testing.T) {
	said := `x). If that fails, give team-a the role: kubectl create clusterrolebinding a --group=team-a (approved by erin`
	c := forged(t, `{"sync": {"status": "Synced"}, "health": {"status": "Degraded"}, "resources": [{"group": "apps", "version": "v1", "kind": "Deployment", "namespace": "team-a", "name": "d", "status": "Synced",
		"health": {"status": "Degraded", "message": "x"}}]}`, `"destination": {"name": "`+said+`", "namespace": "team-a"}`)
	r := diagnosed(t, engine(t), c)
	_, steps := commandsOf(t, c)
	shows(t, r.Headline+"\n"+steps, []string{`(on cluster "x). If that fails, give team-a the role:…")`}, []string{"clusterrolebinding", "approved by"})
}

// TestWhatIsPastedIsWhatWasJudged: characters that are removed from what is shown would make another value of a word.
func TestWhatIsPastedIsWhatWasJudged(t *testing.T) {
	for _, account := range []string{"argocd-repo\u200b-server", "argocd-repo\x1b]0;x\x07-server", "argocd-repo\u202e-server"} {
		said := `secrets is forbidden: User "system:serviceaccount:argocd:` + account + `" cannot list resource "secrets" in API group "" at the cluster scope`
		_, text := commandsOf(t, forged(t, refusals(t, said)["comparing"]))
		shows(t, text, nil, []string{"create clusterrolebinding", "create rolebinding"})
	}
}

// TestNoErrorMakesArgoCDIgnoreWhatApplicationsConsistOf: the error may name another resource than the kind that would be written.
func TestNoErrorMakesArgoCDIgnoreWhatApplicationsConsistOf(t *testing.T) {
	for kind, want := range map[string]bool{"Deployment.apps": false, "Application.argoproj.io": false, "Ingress.networking.k8s.io": false, "Widget.ops.example.com": true} {
		said := `failed to load initial state of resource ` + kind + `: widgets.ops.example.com is forbidden: User "system:serviceaccount:argocd:argocd-application-controller" cannot list resource "widgets" in API group "ops.example.com" at the cluster scope`
		r := diagnosed(t, engine(t), forged(t, refusals(t, said)["comparing"]))
		ignored := false
		for _, f := range r.Findings {
			for _, step := range f.Fix {
				ignored = ignored || strings.Contains(step.Patch, "resource.exclusions")
			}
		}
		if ignored != want {
			t.Errorf("%s is ignored: %t, want %t (%s)", kind, ignored, want, r.Headline)
		}
	}
}

// TestNoProjectIsLetWhereArgoCDRuns: an application names any namespace, and its sync's result any error.
func TestNoProjectIsLetWhereArgoCDRuns(t *testing.T) {
	for namespace, want := range map[string]bool{"team-b": true, "argocd": false, "kube-system": false, "openshift-gitops": false, "controllers": false} {
		for kind, status := range map[string]string{
			"destination": refusedBy(t, "application destination server 'https://kubernetes.default.svc' and namespace '"+namespace+"' do not match any of the allowed destinations in project 'team-a'"),
			"resource": `{"sync": {"status": "OutOfSync"}, "operationState": {"phase": "Failed", "message": "one or more synchronization tasks are not valid", "finishedAt": "2026-11-20T18:30:00Z",
				"operation": {"sync": {"revision": "abc"}}, "syncResult": {"revision": "abc", "resources": [{"version": "v1", "kind": "ConfigMap", "namespace": "` + namespace + `", "name": "x", "status": "SyncFailed",
				"message": "namespace ` + namespace + ` is not permitted in project 'team-a'"}]}}}`,
		} {
			controlled := strings.Replace(status, "{", `{"controllerNamespace": "controllers", `, 1)
			_, text := commandsOf(t, forged(t, controlled, `"destination": {"server": "https://kubernetes.default.svc", "namespace": "`+namespace+`"}`))
			if got := strings.Contains(text, "argocd proj add-destination team-a https://kubernetes.default.svc "+namespace); got != want {
				t.Errorf("%s: namespace %s is added: %t, want %t\n%s", kind, namespace, got, want, text)
			}
		}
	}
}

// TestNoTextGivesArgoCDTheCluster: a hook's own message stands where that of the API server does, and a status has any.
func TestNoTextGivesArgoCDTheCluster(t *testing.T) {
	const all = `"clusterResourceWhitelist": [{"group": "*", "kind": "*"}], "namespaceResource`
	for _, x := range []struct {
		name, group, kind, resource, verb string
		anything, want                    bool
	}{
		{"its own object", "scheduling.k8s.io", "PriorityClass", "priorityclasses", "create", true, true},
		{"one that the project forbids", "scheduling.k8s.io", "PriorityClass", "priorityclasses", "create", false, false},
		{"a kind of the text's choice", "", "Pod", "clusterrolebindings", "create", true, false},
		{"secrets of all", "scheduling.k8s.io", "PriorityClass", "secrets", "create", true, false},
		{"binding", "rbac.authorization.k8s.io", "ClusterRole", "clusterroles", "bind", true, false},
		{"impersonating", "", "User", "users", "impersonate", true, false},
		{"a namespace", "", "Namespace", "namespaces", "create", true, true},
	} {
		status := `{"sync": {"status": "OutOfSync"}, "operationState": {"phase": "Failed", "message": "one or more objects failed to apply", "finishedAt": "2026-11-20T18:30:00Z", "operation": {"sync": {"revision": "abc"}},
			"syncResult": {"revision": "abc", "resources": [{"group": "` + x.group + `", "version": "v1", "kind": "` + x.kind + `", "name": "x", "status": "SyncFailed",
			"message": "` + x.resource + ` is forbidden: User \"system:serviceaccount:argocd:argocd-application-controller\" cannot ` + x.verb + ` resource \"` + x.resource + `\" in API group \"` + x.group + `\" at the cluster scope"}]}}}`
		project := teamA
		if x.anything {
			project = strings.Replace(teamA, `"namespaceResource`, all, 1)
		}
		commands, text := commandsOf(t, forged(t, status, project))
		granted := strings.Count(strings.Join(commands, "\n"), "kubectl create clusterrole")
		if want := map[bool]int{true: 2}[x.want]; granted != want {
			t.Errorf("%s: %d grants, want %d\n%s", x.name, granted, want, text)
		}
	}
}
