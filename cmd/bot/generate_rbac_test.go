package main

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/rights"
)

// printed is what the command prints.
func printed(t *testing.T, args ...string) string {
	t.Helper()
	var out, complaints bytes.Buffer
	if code := execute(t.Context(), append([]string{"generate", "kubernetes-rbac"}, args...), strings.NewReader(""), &out, &complaints); code != 0 || complaints.Len() > 0 {
		t.Fatalf("exit %d, complaints: %s", code, complaints.String())
	}
	return out.String()
}

// TestRolesOfDeployAreThoseOfTheRules: a rule that reads another kind changes the roles that people apply, and the page about them.
func TestRolesOfDeployAreThoseOfTheRules(t *testing.T) {
	byDefault := rights.Options{Account: rights.Account{Namespace: "argo-why", Name: "argo-why"}}
	files := map[string]string{
		"../../deploy/rbac/read.yaml":        printed(t),
		"../../deploy/rbac/secret-keys.yaml": secretKeysHead() + rights.SecretKeys(rights.Reading(rules.All()), byDefault),
		"../../docs/rights.md":               printed(t, "--markdown"),
	}
	for name, list := range rights.Rules(rights.Reading(rules.All())) {
		files["../../deploy/charts/argo-why/files/rules/"+name+".yaml"] = list
	}
	for path, got := range files {
		isNew(t, path, got, "RolesOfDeploy")
	}
}

// granted are the rules of the roles in a file, as an API server reads them, by the namespace they are for.
func granted(t *testing.T, text string) map[string][]rbacv1.PolicyRule {
	t.Helper()
	out, bound := map[string][]rbacv1.PolicyRule{}, map[string]bool{}
	for _, document := range strings.Split(text, "---\n") {
		var o struct {
			rbacv1.ClusterRole `json:",inline"`
			RoleRef            *rbacv1.RoleRef  `json:"roleRef"`
			Subjects           []rbacv1.Subject `json:"subjects"`
		}
		if err := yaml.UnmarshalStrict([]byte(document), &o); err != nil {
			t.Fatalf("%v\n%s", err, document)
		}
		if scope, binding := strings.CutSuffix(o.Kind, "RoleBinding"); binding {
			if o.RoleRef.Name != o.Name || o.RoleRef.Kind != scope+"Role" || len(o.Subjects) != 1 {
				t.Errorf("binds %+v to %+v", o.RoleRef, o.Subjects)
			}
			bound[o.Namespace+"/"+o.Name] = true
			continue
		}
		if len(o.Rules) == 0 {
			t.Errorf("role %s grants nothing", o.Name)
		}
		bound[o.Namespace+"/"+o.Name] = false
		out[o.Namespace] = append(out[o.Namespace], o.Rules...)
	}
	for name, ok := range bound {
		if !ok {
			t.Errorf("nobody has role %s", name)
		}
	}
	return out
}

// TestTheChartGrantsWhatTheCommandPrints: it puts the same roles together, as Helm's templates.
func TestTheChartGrantsWhatTheCommandPrints(t *testing.T) {
	own := []string{"read", "configmap-keys", "read-cluster", "read-cluster-events", "identify", "secret-keys"}
	for values, wanted := range map[string]map[string][]rbacv1.PolicyRule{
		"everything": granted(t, printed(t, "--secret-keys", "--configmaps", "shop")),
		"namespaces": granted(t, printed(t, "--namespaces", "shop,pay", "--secret-keys", "--applications", "argocd,team-a")),
	} {
		text, err := os.ReadFile("../../test/chart/testdata/rendered/" + values + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		var roles []string
		for _, document := range strings.Split(string(text), "---\n") {
			var o metav1.PartialObjectMetadata
			if err := yaml.Unmarshal([]byte(document), &o); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(o.Kind, "Role") && slices.Contains(own, strings.TrimPrefix(o.Name, "argo-why-")) {
				roles = append(roles, document)
			}
		}
		if values == "namespaces" {
			delete(wanted, "") // clusterScoped is off
		}
		if got := granted(t, strings.Join(roles, "---\n")); len(got) == 0 || !cmp.Equal(inOrder(got), inOrder(wanted)) {
			t.Errorf("%s: the command grants -, the chart +\n%s", values, cmp.Diff(inOrder(wanted), inOrder(got)))
		}
	}
}

// inOrder sorts rules, because Helm sorts objects.
func inOrder(all map[string][]rbacv1.PolicyRule) map[string][]rbacv1.PolicyRule {
	for _, list := range all {
		slices.SortFunc(list, func(x, y rbacv1.PolicyRule) int { return strings.Compare(x.String(), y.String()) })
	}
	return all
}

func grants(list []rbacv1.PolicyRule, kind evidence.Outside) bool {
	for _, r := range list {
		if r.APIGroups[0] == kind.Group && r.Resources[0] == kind.Resource && r.Verbs[0] == kind.Verb() && (len(r.ResourceNames) == 0 || r.ResourceNames[0] == kind.Only) {
			return true
		}
	}
	return false
}

// TestEveryDeclaredReadIsGranted, and nothing else, wherever it is read.
func TestEveryDeclaredReadIsGranted(t *testing.T) {
	everywhere := granted(t, printed(t, "--secret-keys"))
	some := granted(t, printed(t, "--namespaces", "shop,pay", "--secret-keys", "--applications", "argocd,team-a"))
	reads := 0
	for _, rule := range rules.All() {
		for _, kind := range rule.Outside {
			reads++
			if grants(everywhere[""], kind) == kind.Named {
				t.Errorf("%s reads %s: granted everywhere: %v", rule.ID, kind.Resource, kind.Named)
			}
			for _, namespace := range []string{"shop", "pay"} {
				if kind.ClusterScoped {
					namespace = ""
				}
				if !grants(some[namespace], kind) {
					t.Errorf("%s reads %s, and no role for namespace %q grants it", rule.ID, kind.Resource, namespace)
				}
			}
		}
	}
	if reads < 20 {
		t.Errorf("rules declare %d reads", reads)
	}
	for _, namespace := range []string{"argocd", "team-a"} {
		if r := some[namespace]; len(r) != 1 || r[0].Resources[0] != "applications" || r[0].Verbs[0] != "get" {
			t.Errorf("in %s: %+v", namespace, r)
		}
	}
	if r := some["default"]; len(r) != 1 || r[0].Resources[0] != "events" {
		t.Errorf("events about cluster-scoped objects are in namespace default: %+v", r)
	}
	for _, all := range []map[string][]rbacv1.PolicyRule{everywhere, some} {
		for namespace, list := range all {
			for _, r := range list {
				if len(r.Verbs) != 1 || r.Verbs[0] != "get" && r.Verbs[0] != "list" || strings.Contains(r.Resources[0], "*") {
					t.Errorf("in %q: %+v", namespace, r)
				}
			}
		}
	}
}

// TestSecretsAreNotReadUnlessSomebodyWantsIt: in the roles that people apply without a second look.
func TestSecretsAreNotReadUnlessSomebodyWantsIt(t *testing.T) {
	for _, text := range []string{printed(t), printed(t, "-n", "shop")} {
		for namespace, all := range granted(t, text) {
			if grants(all, evidence.OutsideSecret) {
				t.Errorf("Secrets can be read in %q", namespace)
			}
		}
	}
}

// TestConfigMapsAreReadOnlyInNamespacesThatAreNamed, and never listed.
func TestConfigMapsAreReadOnlyInNamespacesThatAreNamed(t *testing.T) {
	for args, want := range map[string][]string{"": nil, "-n shop,pay": {"pay", "shop"}, "--configmaps shop": {"shop"}, "-n shop,pay --configmaps pay": {"pay"}} {
		var in []string
		for namespace, all := range granted(t, printed(t, strings.Fields(args)...)) {
			for _, r := range all {
				if slices.Contains(r.Resources, "configmaps") {
					in = append(in, namespace)
					if !slices.Equal(r.Verbs, []string{"get"}) {
						t.Errorf("%s: %v", args, r.Verbs)
					}
				}
			}
		}
		if slices.Sort(in); !slices.Equal(in, want) {
			t.Errorf("%q: ConfigMaps can be read in %q, want %q", args, in, want)
		}
	}
}

func TestRolesForAUserOfAnotherCluster(t *testing.T) {
	text := printed(t, "--user", "bot@example.com", "--applications", "")
	if !strings.Contains(text, "    kind: User\n    name: \"bot@example.com\"\n") || strings.Contains(text, "ServiceAccount\n") || strings.Contains(text, "argoproj.io") {
		t.Error(text)
	}
}
