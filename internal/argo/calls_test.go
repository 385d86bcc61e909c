package argo_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// neededFor is the right that Argo CD wants for each call: the third and fourth column of policy.csv. "" for those that every account
// may make. https://argo-cd.readthedocs.io/en/stable/operator-manual/rbac/; test/live takes each line away on a real Argo CD.
var neededFor = map[string]string{
	"applications.Get":                       "applications, get",
	"applications.List":                      "applications, get",
	"applications.Watch":                     "applications, get",
	"applications.ResourceTree":              "applications, get",
	"applications.ManagedResources":          "applications, get",
	"applications.GetResource":               "applications, get",
	"applications.ListResourceEvents":        "applications, get",
	"applications.GetManifests":              "applications, get",
	"applications.GetApplicationSyncWindows": "applications, get",
	"applications.PodLogs":                   "logs, get",
	"projects.Get":                           "projects, get",
	"repositories.ListRepositories":          "repositories, get",
	"clusters.List":                          "clusters, get", // without it the answer is empty
	"projects.List":                          "projects, get", // without it the answer is empty
	"accounts.CanI":                          "",
	"accounts.ListAccounts":                  "", // the answer has only itself without accounts, get
	"sessions.GetUserInfo":                   "",
	"applications.Sync":                      "applications, sync",
	"applications.TerminateOperation":        "applications, sync",
	"applications.DeleteResource":            "applications, delete/batch/Job/*/*", // only Jobs are deleted
}

// calls are those that the package makes to Argo CD: methods of the fields of its Client.
func calls(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	services := []string{"applications", "projects", "repositories", "clusters", "accounts", "sessions"}
	var out []string
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			method, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if service, ok := method.X.(*ast.SelectorExpr); ok && slices.Contains(services, service.Sel.Name) {
				out = append(out, service.Sel.Name+"."+method.Sel.Name)
			}
			return true
		})
	}
	return out
}

// lines are the rights of a policy in deploy/argocd.
func lines(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../deploy/argocd", file))
	if err != nil {
		t.Fatal(err)
	}
	var patch struct{ Data map[string]string }
	if err := yaml.UnmarshalStrict(text, &patch); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, policy := range patch.Data {
		for line := range strings.Lines(policy) {
			if columns := strings.Split(strings.TrimSpace(line), ", "); columns[0] == "p" {
				out = append(out, columns[2]+", "+columns[3])
			}
		}
	}
	return out
}

// TestThePolicyOfTheAccountIsWhatItsCallsNeed: no call without its right, no right without a call, and none that changes anything among
// those for reading.
func TestThePolicyOfTheAccountIsWhatItsCallsNeed(t *testing.T) {
	reading, acting := lines(t, "rbac.yaml"), lines(t, "rbac-actions.yaml")
	needed := map[string]bool{}
	made := calls(t)
	for _, call := range made {
		right, known := neededFor[call]
		switch {
		case !known:
			t.Errorf("%s: say here which right Argo CD wants for it, and give that in deploy/argocd", call)
		case right != "" && !slices.Contains(reading, right) && !slices.Contains(acting, right):
			t.Errorf("%s needs %q, which deploy/argocd does not give", call, right)
		}
		needed[right] = true
	}
	for _, right := range slices.Concat(reading, acting) {
		if !needed[right] {
			t.Errorf("no call needs %q", right)
		}
	}
	for _, right := range reading {
		if !strings.HasSuffix(right, ", get") {
			t.Errorf("%q is not for reading", right)
		}
	}
	for call := range neededFor {
		if !slices.Contains(made, call) {
			t.Errorf("%s is no longer made", call)
		}
	}
}
