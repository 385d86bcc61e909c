package rules_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/change"
	"github.com/argo-why/argo-why/internal/evidence"
)

// teamA is the project of the tenant in these tests: its applications may deploy to namespaces team-a and team-a-*, no objects of the cluster, and
// Argo CD runs in namespace argocd.
const teamA = `{"metadata": {"name": "team-a", "namespace": "argocd"}, "spec": {"sourceNamespaces": ["team-a"], "sourceRepos": ["*"],
	"destinations": [{"server": "https://kubernetes.default.svc", "namespace": "team-a*"}, {"server": "*", "namespace": "!team-a-locked"}],
	"namespaceResourceBlacklist": [{"group": "", "kind": "ResourceQuota"}],
	"destinationServiceAccounts": [{"server": "https://kubernetes.default.svc", "namespace": "team-a", "defaultServiceAccount": "deployer"}]}}`

// forged is an application of the tenant, who wrote its status.
func forged(t *testing.T, status string, more ...string) *evidence.Case {
	t.Helper()
	spec, project := `"destination": {"server": "https://kubernetes.default.svc", "namespace": "team-a"}`, teamA
	for _, m := range more {
		if strings.HasPrefix(m, `"destination"`) {
			spec = m
		} else {
			project = m
		}
	}
	var c evidence.Case
	text := `{"case": "argo-why.dev/v1", "now": "2026-11-20T18:32:00Z", "project": ` + project + `, "application": {"metadata": {"name": "shop", "namespace": "team-a"},
		"spec": {"project": "team-a", "source": {"repoURL": "https://git.example.com/team-a/shop.git", "path": "."}, ` + spec + `}, "status": ` + status + `}}`
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		t.Fatal(err)
	}
	return &c
}

// refusals are a status with a refusal of the API server that Argo CD met when it read the cluster, and one that it met when it applied.
func refusals(t *testing.T, said string) map[string]string {
	t.Helper()
	quoted, err := json.Marshal(said)
	if err != nil {
		t.Fatal(err)
	}
	compared, err := json.Marshal("Failed to load live state: failed to get cluster info for \"https://kubernetes.default.svc\": error synchronizing cache state : " + said)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{
		"comparing": `{"sync": {"status": "Unknown"}, "controllerNamespace": "team-a", "conditions": [{"type": "ComparisonError", "message": ` + string(compared) + `}]}`,
		"applying": `{"sync": {"status": "OutOfSync"}, "controllerNamespace": "team-a", "operationState": {"phase": "Failed", "message": "one or more objects failed to apply",
			"finishedAt": "2026-11-20T18:30:00Z", "syncResult": {"revision": "abc", "resources": [{"kind": "Secret", "version": "v1", "namespace": "team-a", "name": "x", "status": "SyncFailed", "message": ` + string(quoted) + `}]}}}`,
	}
}

// commandsOf are the commands that a person would see, and all the text beside them.
func commandsOf(t *testing.T, c *evidence.Case) (commands []string, text string) {
	t.Helper()
	for _, f := range diagnosed(t, engine(t), c).Findings {
		for _, fix := range f.Fix {
			text += fix.Text + "\n" + fix.Command + "\n"
			if fix.Command != "" {
				commands = append(commands, fix.Command)
			}
		}
	}
	return commands, text
}

// grants are the parts of commands that give somebody rights.
var grants = []string{"binding ", "managed-by=", "/subjects/", "escalate", "associate-access-policy --cluster-name CLUSTER --principal-arn arn:aws:iam::6"}

// TestAForgedRefusalGivesNobodyRights: a refusal in a status names an account of the writer's choice, and no command gives it anything.
func TestAForgedRefusalGivesNobodyRights(t *testing.T) {
	for name, said := range map[string]string{
		"secrets of the cluster":          `secrets is forbidden: User "system:serviceaccount:evil:x" cannot list resource "secrets" in API group "" at the cluster scope`,
		"secrets of another namespace":    `secrets is forbidden: User "system:serviceaccount:evil:x" cannot list resource "secrets" in API group "" in the namespace "kube-system"`,
		"secrets of its own namespace":    `secrets is forbidden: User "system:serviceaccount:evil:x" cannot create resource "secrets" in API group "" in the namespace "team-a"`,
		"named like Argo CD's":            `secrets is forbidden: User "system:serviceaccount:team-a:argocd-application-controller" cannot list resource "secrets" in API group "" at the cluster scope`,
		"named like an operator's":        `secrets is forbidden: User "system:serviceaccount:team-a:x-argocd-application-controller" cannot list resource "secrets" in API group "" in the namespace "kube-system"`,
		"a user":                          `nodes is forbidden: User "mallory" cannot get resource "nodes/proxy" in API group "" at the cluster scope`,
		"a group's name":                  `pods is forbidden: User "system:serviceaccounts" cannot create resource "pods/exec" in API group "" at the cluster scope`,
		"a role of AWS":                   `secrets is forbidden: User "arn:aws:sts::666666666666:assumed-role/evil/1" cannot create resource "secrets" in API group "" at the cluster scope`,
		"the account of another project":  `secrets is forbidden: User "system:serviceaccount:team-b:deployer" cannot create resource "secrets" in API group "" in the namespace "team-a"`,
		"its own account, elsewhere":      `secrets is forbidden: User "system:serviceaccount:team-a:deployer" cannot get resource "secrets" in API group "" in the namespace "kube-system"`,
		"its own account, everywhere":     `secrets is forbidden: User "system:serviceaccount:team-a:deployer" cannot get resource "secrets" in API group "" at the cluster scope`,
		"impersonation":                   `users is forbidden: User "system:serviceaccount:evil:x" cannot impersonate resource "users" in API group "" at the cluster scope`,
		"more rights than it has":         `roles.rbac.authorization.k8s.io "x" is forbidden: user "system:serviceaccount:evil:x" (groups=["system:serviceaccounts"]) is attempting to grant RBAC permissions not currently held: {APIGroups:["*"], Resources:["*"], Verbs:["*"]}`,
		"an account that deploys nothing": `secrets is forbidden: User "system:serviceaccount:argocd:argocd-notifications-controller" cannot list resource "secrets" in API group "" at the cluster scope`,
		"the account of the plugins":      `rpc error: code = Unknown desc = plugin sidecar failed: secrets "x" is forbidden: User "system:serviceaccount:argocd:argocd-repo-server" cannot get resource "secrets" in API group "" in the namespace "kube-system"`,
	} {
		for where, status := range refusals(t, said) {
			t.Run(name+", "+where, func(t *testing.T) {
				commands, text := commandsOf(t, forged(t, status))
				for _, command := range commands {
					for _, grant := range grants {
						if len(change.Of(command)) > 0 && strings.Contains(command, grant) {
							t.Errorf("prints %s", command)
						}
					}
				}
				if text == "" {
					t.Error("the report does not mention it, so this test never reaches the step")
				}
			})
		}
	}
	// What a person sees instead.
	_, text := commandsOf(t, forged(t, refusals(t, `secrets is forbidden: User "system:serviceaccount:evil:x" cannot list resource "secrets" in API group "" at the cluster scope`)["applying"]))
	if want := "(the command only looks: only the error text names the account. Find out whose it is before you give it rights)\nkubectl -n evil get serviceaccount x -o yaml\n"; !strings.Contains(text, want) {
		t.Errorf("the steps do not say %q:\n%s", want, text)
	}
}

// TestArgoCDsOwnAccountIsGivenWhatItLacks: where the project shows whose the account is, the command is there.
func TestArgoCDsOwnAccountIsGivenWhatItLacks(t *testing.T) {
	for said, want := range map[string]string{
		`configmaps is forbidden: User "system:serviceaccount:argocd:argocd-application-controller" cannot create resource "configmaps" in API group "" in the namespace "team-a"`: "create rolebinding argocd-configmaps --role=argocd-configmaps --serviceaccount=argocd:argocd-application-controller",
		`configmaps is forbidden: User "system:serviceaccount:team-a:deployer" cannot create resource "configmaps" in API group "" in the namespace "team-a"`:                      "create rolebinding argocd-configmaps --role=argocd-configmaps --serviceaccount=team-a:deployer",
		`configmaps is forbidden: User "system:serviceaccount:kube-system:argocd-manager" cannot create resource "configmaps" in API group "" in the namespace "team-a"`:           "--serviceaccount=kube-system:argocd-manager",
	} {
		commands, text := commandsOf(t, forged(t, refusals(t, said)["applying"]))
		if !strings.Contains(strings.Join(commands, "\n"), want) {
			t.Errorf("%s: no %s in\n%s", said, want, text)
		}
	}
}

// immutable is a status in which an object cannot be changed, so that the step is to delete it.
func immutable(group, kind, namespace, name string) string {
	return `{"sync": {"status": "OutOfSync"}, "resources": [{"group": "` + group + `", "kind": "` + kind + `", "namespace": "` + namespace + `", "name": "` + name + `", "status": "OutOfSync", "requiresPruning": true}],
		"operationState": {"phase": "Failed", "message": "one or more objects failed to apply", "finishedAt": "2026-11-20T18:30:00Z", "syncResult": {"revision": "abc", "resources": [{"group": "` + group + `", "version": "v1", "kind": "` + kind +
		`", "namespace": "` + namespace + `", "name": "` + name + `", "status": "SyncFailed", "message": "` + kind + `.` + group + ` \"` + name + `\" is invalid: spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string{\"app\":\"x\"}}: field is immutable"}]}}}`
}

// controlledFrom is a status that says where Argo CD runs.
func controlledFrom(namespace, status string) string {
	return strings.Replace(status, `{`, `{"controllerNamespace": "`+namespace+`", `, 1)
}

// TestAForgedStatusChangesNothingOfOthers: whatever objects a status lists, a command changes only those that the project lets the application have.
func TestAForgedStatusChangesNothingOfOthers(t *testing.T) {
	const here = `"destination": {"server": "https://kubernetes.default.svc", "namespace": "kube-system"}`
	const elsewhere = `"destination": {"server": "https://other.example.com", "namespace": "team-a"}`
	const named = `"destination": {"name": "prod", "namespace": "team-a"}`
	const both = `"destination": {"name": "prod", "server": "https://kubernetes.default.svc", "namespace": "team-a"}`
	for name, c := range map[string]*evidence.Case{
		"another namespace":                          forged(t, immutable("apps", "Deployment", "kube-system", "coredns")),
		"a namespace that it is deployed to":         forged(t, immutable("apps", "Deployment", "kube-system", "coredns"), here),
		"another cluster":                            forged(t, immutable("apps", "Deployment", "team-a", "web"), elsewhere),
		"a namespace that is denied":                 forged(t, immutable("apps", "Deployment", "team-a-locked", "web")),
		"a kind that is denied":                      forged(t, immutable("", "ResourceQuota", "team-a", "limit")),
		"an object of the cluster":                   forged(t, immutable("rbac.authorization.k8s.io", "ClusterRoleBinding", "", "cluster-admin")),
		"an object of the cluster, with a namespace": forged(t, immutable("rbac.authorization.k8s.io", "ClusterRoleBinding", "team-a", "cluster-admin")),
		"a namespace, with a namespace":              forged(t, immutable("", "Namespace", "team-a", "payments")),
		"a kind that others define":                  forged(t, immutable("cert-manager.io", "ClusterIssuer", "team-a", "letsencrypt")),
		"a kind that is denied, in other words":      forged(t, immutable("", "resourcequotas", "team-a", "limit")),
		"a part of Argo CD":                          forged(t, immutable("apps", "Deployment", "argocd", "argocd-server")),
		"a setting of Argo CD":                       forged(t, immutable("", "ConfigMap", "argocd", "argocd-rbac-cm")),
		"what is called like a part of Argo CD":      forged(t, controlledFrom("payments", immutable("apps", "StatefulSet", "payments", "payments-redis"))),
		"a cluster that is only named":               forged(t, immutable("apps", "Deployment", "team-a", "web"), named),
		"a cluster that is named, and given as well": forged(t, immutable("apps", "Deployment", "team-a", "web"), both),
		"a project that does not admit it, and allows every object of the cluster": forged(t, immutable("rbac.authorization.k8s.io", "ClusterRoleBinding", "", "cluster-admin"),
			strings.Replace(teamA, `"sourceNamespaces": ["team-a"],`, `"clusterResourceWhitelist": [{"group": "*", "kind": "*"}],`, 1)),
		"another spelling of a cluster": forged(t, immutable("apps", "Deployment", "team-a", "web"), `"destination": {"server": "https://kubernetes.default.svc/", "namespace": "team-a"}`,
			strings.Replace(teamA, `"server": "https://kubernetes.default.svc", "namespace": "team-a*"}`, `"server": "*", "namespace": "*"}, {"server": "!https://kubernetes.default.svc", "namespace": "*"}`, 1)),
		"what only Git has": wanting(forged(t, immutable("apps", "Deployment", "kube-system", "coredns")), evidence.Ref{Group: "apps", Kind: "Deployment", Namespace: "kube-system", Name: "coredns"}),
		"a project that does not admit it": forged(t, immutable("apps", "Deployment", "team-a", "web"),
			strings.Replace(teamA, `["team-a"]`, `["team-b"]`, 1)),
	} {
		t.Run(name, func(t *testing.T) {
			commands, text := commandsOf(t, c)
			looked := false
			for _, command := range commands {
				for _, change := range change.Of(command) {
					if len(change.Targets) > 0 && !strings.HasPrefix(change.Verb, "app ") {
						t.Errorf("prints %s", command)
					}
				}
				looked = looked || strings.Contains(command, " get ")
			}
			if !looked {
				t.Errorf("shows nothing to look at:\n%s", text)
			}
		})
	}
	commands, text := commandsOf(t, forged(t, immutable("apps", "Deployment", "team-a", "web")))
	if !strings.Contains(strings.Join(commands, "\n"), "kubectl -n team-a delete deployment.apps/web") {
		t.Errorf("its own object is not deleted:\n%s", text)
	}
	for marks, value := range map[string]any{
		"annotations": map[string]any{"argocd.argoproj.io/tracking-id": "payments:apps/Deployment:team-a/web"},
		"labels":      map[string]any{"app.kubernetes.io/instance": "shop"}, // by which Argo CD 2 tracks; that of the same name in Argo CD's namespace
	} {
		tracked := forged(t, controlledFrom("team-a", immutable("apps", "Deployment", "team-a", "web")))
		tracked.Resources = []evidence.Object{{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": map[string]any{"namespace": "team-a", "name": "web", marks: value}}}
		commands, _ = commandsOf(t, tracked)
		for _, command := range commands {
			if strings.Contains(command, " delete ") {
				t.Errorf("%s: deletes what belongs to another application: %s", marks, command)
			}
		}
	}
}

// wanting is the application with an object in Git that is not permitted: Argo CD has it in its tree and in what it compares, as one that is missing.
func wanting(c *evidence.Case, ref evidence.Ref) *evidence.Case {
	c.Tree = &evidence.Tree{Nodes: []evidence.Node{{Group: ref.Group, Version: "v1", Kind: ref.Kind, Namespace: ref.Namespace, Name: ref.Name}}}
	c.Managed = &struct {
		Items []evidence.ResourceDiff `json:"items"`
	}{Items: []evidence.ResourceDiff{{Group: ref.Group, Kind: ref.Kind, Namespace: ref.Namespace, Name: ref.Name, LiveState: "null", TargetState: "{}"}}}
	return c
}

// TestArgoCDsSecretIsNotMadeWhereTheStatusSaysItRuns: a person would put the password of a Git host where the tenant reads it.
func TestArgoCDsSecretIsNotMadeWhereTheStatusSaysItRuns(t *testing.T) {
	const missing = `{"sync": {"status": "Unknown"}, "conditions": [{"type": "ComparisonError",
		"message": "Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = secret \"github-platform-token\" not found"}]}`
	for namespace, want := range map[string]bool{"argocd": true, "team-a": false} {
		commands, text := commandsOf(t, forged(t, controlledFrom(namespace, missing)))
		if made := strings.Contains(strings.Join(commands, "\n"), "kubectl -n "+namespace+" create secret"); made != want {
			t.Errorf("in %s a secret is made: %t, want %t\n%s", namespace, made, want, text)
		}
	}
}

// TestNoJobOfOthersIsOffered: the status calls a Job of another namespace a hook of this application that failed.
func TestNoJobOfOthersIsOffered(t *testing.T) {
	for namespace, want := range map[string]bool{"team-a": true, "payments": false} {
		c := forged(t, controlledFrom("argocd", `{"sync": {"status": "OutOfSync"}, "operationState": {"phase": "Failed", "message": "one or more synchronization tasks completed unsuccessfully",
			"startedAt": "2026-11-20T18:20:00Z", "finishedAt": "2026-11-20T18:30:00Z", "syncResult": {"revision": "abc", "resources": [{"group": "batch", "version": "v1", "kind": "Job",
			"namespace": "`+namespace+`", "name": "migrate", "hookType": "PreSync", "hookPhase": "Failed", "syncPhase": "PreSync", "message": "Job has reached the specified backoff limit"}]}}}`))
		offered := false
		for _, a := range diagnosed(t, engine(t), c).Actions {
			offered = offered || a.Target.Name == "migrate"
		}
		if offered != want {
			t.Errorf("Job migrate in %s is offered: %t, want %t", namespace, offered, want)
		}
	}
}

// projectless is a live Argo CD that has no project of the name that the application gives.
type projectless struct{ evidence.Source }

func (projectless) Project(context.Context) (*evidence.Project, error) { return nil, nil }

// TestAProjectThatIsNotThereAllowsNothing: an application may name any project, and what it names is not there to permit anything.
func TestAProjectThatIsNotThereAllowsNothing(t *testing.T) {
	c := forged(t, immutable("apps", "Deployment", "team-a", "web"))
	rep, err := engine(t).Diagnose(t.Context(), projectless{c.Source()}, c.Now.Time)
	if err != nil {
		t.Fatal(err)
	}
	looked := false
	for _, fix := range rep.Root().Fix {
		looked = looked || fix.Command == "kubectl -n team-a get deployment.apps/web -o yaml"
		if len(changed(fix.Command)) > 0 {
			t.Errorf("prints %s", fix.Command)
		}
	}
	if !looked {
		t.Errorf("shows nothing to look at: %v", rep.Root().Fix)
	}
}

// unshown is a live Argo CD that does not show the project.
type unshown struct{ evidence.Source }

func (unshown) Project(context.Context) (*evidence.Project, error) { return nil, evidence.ErrAbsent }

// TestAProjectThatIsNotShownAllowsNothing: then destination and status are only what the application says of itself. What Argo CD sees living is
// its own.
func TestAProjectThatIsNotShownAllowsNothing(t *testing.T) {
	const here = `"destination": {"server": "https://kubernetes.default.svc", "namespace": "kube-system"}`
	const repository = "application repo https://git.evil.example/x.git is not permitted in project 'team-a'"
	printed := func(c *evidence.Case) (commands []string, text string) {
		rep, err := engine(t).Diagnose(t.Context(), unshown{c.Source()}, c.Now.Time)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range rep.Findings {
			for _, fix := range f.Fix {
				commands, text = append(commands, fix.Command), text+fix.Text+"\n"
			}
		}
		return commands, text
	}
	for name, c := range map[string]*evidence.Case{
		"where it is deployed to":                 forged(t, immutable("apps", "Deployment", "kube-system", "coredns"), here),
		"an object of the cluster":                forged(t, immutable("rbac.authorization.k8s.io", "ClusterRoleBinding", "", "cluster-admin")),
		"what only Git has":                       wanting(forged(t, immutable("apps", "Deployment", "kube-system", "coredns"), here), evidence.Ref{Group: "apps", Kind: "Deployment", Namespace: "kube-system", Name: "coredns"}),
		"a project":                               forged(t, refusedBy(t, repository)),
		"where the status says that Argo CD runs": forged(t, controlledFrom("payments", immutable("apps", "StatefulSet", "payments", "payments-redis"))),
	} {
		commands, text := printed(c)
		for _, command := range commands {
			if len(changed(command)) > 0 || strings.Contains(command, "proj add-") {
				t.Errorf("%s: prints %s", name, command)
			}
		}
		if !strings.Contains(text, "the project could not be read, so check first that it lets this application change that") {
			t.Errorf("%s: does not say what to check:\n%s", name, text)
		}
	}
	c := wanting(forged(t, immutable("apps", "Deployment", "team-a", "web")), evidence.Ref{Group: "apps", Kind: "Deployment", Namespace: "team-a", Name: "web"})
	c.Tree.Nodes[0].UID = "1"
	if commands, text := printed(c); !strings.Contains(strings.Join(commands, "\n"), "kubectl -n team-a delete deployment.apps/web") {
		t.Errorf("its own object is not deleted: %q\n%s", commands, text)
	}
}

// TestAHookLetsAProjectHaveNoKind: its own message stands where that of Argo CD does. The kind of the resource itself is allowed, with a warning where
// it gives rights.
func TestAHookLetsAProjectHaveNoKind(t *testing.T) {
	for _, x := range []struct {
		name, resource, said string
		want, warned         bool
	}{
		{"of a hook's choice", `"group": "batch", "version": "v1", "kind": "Job", "hookType": "PreSync", "hookPhase": "Failed", "syncPhase": "PreSync"`, "rbac.authorization.k8s.io:ClusterRoleBinding", false, false},
		{"of a resource's choice", `"version": "v1", "kind": "ConfigMap"`, "rbac.authorization.k8s.io:ClusterRoleBinding", false, false},
		{"its own", `"group": "networking.k8s.io", "version": "v1", "kind": "IngressClass"`, "networking.k8s.io:IngressClass", true, false},
		{"its own, which gives rights", `"group": "rbac.authorization.k8s.io", "version": "v1", "kind": "ClusterRole"`, "rbac.authorization.k8s.io:ClusterRole", true, true},
	} {
		_, text := commandsOf(t, forged(t, `{"sync": {"status": "OutOfSync"}, "operationState": {"phase": "Failed", "message": "one or more synchronization tasks are not valid", "finishedAt": "2026-11-20T18:30:00Z",
			"operation": {"sync": {"revision": "abc"}}, "syncResult": {"revision": "abc", "resources": [{`+x.resource+`, "namespace": "team-a", "name": "x", "status": "SyncFailed",
			"message": "resource `+x.said+` is not permitted in project team-a"}]}}}`))
		if got := strings.Contains(text, "argocd proj allow-"); got != x.want {
			t.Errorf("%s: allowed: %t, want %t\n%s", x.name, got, x.want, text)
		}
		if got := strings.Contains(text, "Check first that the application needs the kind"); got != x.warned {
			t.Errorf("%s: warned: %t, want %t\n%s", x.name, got, x.warned, text)
		}
	}
}

// TestAParentChangesNothingForItsChild: the project of an app of apps allows everything, and what a child says of itself is not judged by it.
func TestAParentChangesNothingForItsChild(t *testing.T) {
	anything := `{"metadata": {"name": "platform", "namespace": "argocd"}, "spec": {"sourceNamespaces": ["*"], "destinations": [{"server": "*", "namespace": "*"}], "clusterResourceWhitelist": [{"group": "*", "kind": "*"}]}}`
	c := forged(t, `{"sync": {"status": "Synced"}, "health": {"status": "Degraded"}, "resources": [{"group": "argoproj.io", "kind": "Application", "namespace": "team-a", "name": "evil", "status": "Synced", "health": {"status": "Degraded"}}]}`, anything)
	var child evidence.Object
	text := `{"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": {"name": "evil", "namespace": "team-a"}, "spec": {"project": "team-a",
		"destination": {"server": "https://kubernetes.default.svc", "namespace": "payments"}}, "status": ` +
		refusals(t, `secrets is forbidden: User "system:serviceaccount:openshift-gitops:openshift-gitops-argocd-application-controller" cannot create resource "secrets" in API group "" in the namespace "payments"`)["applying"] + `}`
	if err := json.Unmarshal([]byte(text), &child); err != nil {
		t.Fatal(err)
	}
	status, _ := child["status"].(map[string]any)
	status["health"] = map[string]any{"status": "Degraded"}
	c.Resources = []evidence.Object{child}
	commands, said := commandsOf(t, c)
	for _, command := range commands {
		if len(changed(command)) > 0 {
			t.Errorf("prints %s", command)
		}
	}
	if !strings.Contains(said, "give it the namespace") {
		t.Errorf("does not have the child's step: the test does not reach it\n%s", said)
	}
}

// TestNoRuleChangesWhatTheProjectDenies: of all recorded failures, with a project that lets the application have nothing, no command changes an
// object but those of Argo CD and the Application itself.
func TestNoRuleChangesWhatTheProjectDenies(t *testing.T) {
	e := engine(t)
	refused := 0
	for _, r := range recordedCases(t) {
		if r.c.Application == nil {
			continue
		}
		c := *r.c
		c.Project = &evidence.Project{}
		c.Project.Metadata.Name, c.Project.Metadata.Namespace = c.Application.ProjectName(), "argocd"
		c.Tree, c.Managed = nil, nil
		for _, f := range diagnosed(t, e, &c).Findings {
			for _, fix := range f.Fix {
				if strings.Contains(fix.Text, "(the command only looks: ") {
					refused++
				}
				for _, target := range changed(fix.Command) {
					t.Errorf("%s: %s changes %s: %s", r.name, f.Rule, target, fix.Command)
				}
			}
		}
	}
	if refused < 80 {
		t.Errorf("only %d commands are refused: the test reaches too few rules", refused)
	}
	t.Logf("%d commands refused", refused)
}

// changed are the objects of a cluster that a command changes, without those of Argo CD, and without what it only adds or lets a person edit.
func changed(command string) []string {
	var out []string
	for _, c := range change.Of(diagnose.Printed(command)) {
		if c.Verb == change.Unread {
			return []string{c.Verb}
		}
		if strings.HasPrefix(c.Words[0], "argocd") || c.Verb == "oras push" || c.Verb == "create" || c.Verb == "edit" || strings.HasSuffix(c.Verb, "cordon") {
			continue
		}
		for _, t := range c.Targets {
			argo := t.Kind == "application" || strings.HasPrefix(t.Name, "argocd-") || strings.HasSuffix(t.Name, "-repo-server") || t.Name == "" || strings.Contains(t.Name, "application-controller")
			if !argo && t.Kind != "node" { // which is read in the cluster
				out = append(out, t.Kind+"/"+t.Name)
			}
		}
	}
	return out
}

// TestNoCommandIsForAnotherApplication: an application that says in its status that Argo CD runs in its namespace is not taken for the one of the
// same name there.
func TestNoCommandIsForAnotherApplication(t *testing.T) {
	commands, text := commandsOf(t, forged(t, refusals(t, "the server could not find the requested resource")["applying"]))
	for _, command := range commands {
		for _, c := range change.Of(command) {
			if strings.HasPrefix(c.Verb, "app ") && (len(c.Targets) == 0 || c.Targets[0].Name != "team-a/shop") {
				t.Errorf("prints %s", command)
			}
		}
	}
	if !strings.Contains(text, "team-a/shop") {
		t.Errorf("no command is for the application:\n%s", text)
	}
}

// TestATokenIsNotAskedForAStrangeHost: an application names any host as its repository, and a step that has a person enter a token for it says to
// look at the host first, unless somebody registered it or the project allows it by name.
func TestATokenIsNotAskedForAStrangeHost(t *testing.T) {
	refused := `{"sync": {"status": "Unknown"}, "conditions": [{"type": "ComparisonError", "message": "Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = failed to list refs: authentication required"}]}`
	const warning = "Check first that git.evil.example is a host of yours: it gets what you enter. "
	for name, x := range map[string]struct {
		url, allowed, registered string
		warns                    bool
	}{
		"any repository":        {"https://git.evil.example/x.git", "*", "", true},
		"a user in front of it": {"https://git.example.com@git.evil.example:8443/x.git", "*", "https://git.example.com/shop.git", true},
		"by SSH":                {"git@git.evil.example:x.git", "*", "https://git.example.com/shop.git", true},
		"allowed by name":       {"https://git.evil.example/x.git", "https://git.evil.example/*", "", false},
		"allowed by a pattern":  {"https://git.evil.example/x.git", "https://*.example/*", "", true},
		"registered":            {"https://git.evil.example/x.git", "*", "https://git.evil.example/other.git", false},
		"a public one":          {"https://github.com/x/x.git", "*", "", false},
		"denied by name":        {"https://git.evil.example/x.git", "!https://git.evil.example/y", "", true},
	} {
		t.Run(name, func(t *testing.T) {
			c := forged(t, refused)
			c.Application.Spec.Source.RepoURL = x.url
			c.Project.Spec.SourceRepos = []string{x.allowed}
			c.Repositories = []evidence.Repository{{Repo: "https://other.example.com/a.git"}, {Repo: x.registered}}
			commands, text := commandsOf(t, c)
			if !strings.Contains(strings.Join(commands, "\n"), "argocd repo add") {
				t.Errorf("no step stores credentials:\n%s", text)
			}
			if strings.Contains(text, warning) != x.warns {
				t.Errorf("warns: %t, want %t:\n%s", !x.warns, x.warns, text)
			}
		})
	}
}
