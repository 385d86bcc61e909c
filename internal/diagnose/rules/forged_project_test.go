package rules_test

import (
	"encoding/json"
	"strings"
	"testing"
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
