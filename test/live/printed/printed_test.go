package printed_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/test/live/printed"
)

func TestWhatOnlyLooks(t *testing.T) {
	looks := []string{
		"kubectl -n shop get pods",
		"kubectl get namespace shop -o jsonpath='{range .status.conditions[*]}{.type}: {.message}; rm{end}'",
		"kubectl api-resources --verbs=list --namespaced -o name | xargs -n1 kubectl -n shop get --ignore-not-found --show-kind",
		"kubectl -n shop get endpoints web; kubectl -n shop get pods",
		"kubectl -n argocd exec deploy/argocd-repo-server -- git ls-remote https://git.example.com/web.git",
		"kubectl apply --dry-run=client -R -f web",
		"argocd app sync web --prune --dry-run",
		"argocd proj windows list team",
		"argocd app get web -o json | wc -c",
		"openssl s_client -connect git.example.com:443 </dev/null | openssl x509 -noout -dates",
		"git ls-tree --name-only -r main | grep -F web",
		"bot why web",
	}
	for _, command := range looks {
		if !printed.Looks(command) {
			t.Errorf("%s: it only looks", command)
		}
	}
	acts := []string{
		"", "kubectl -n shop delete pod/web", "kubectl -n get delete pod/web", "argocd app sync web", "argocd app get web && argocd app terminate-op web",
		"ssh-keyscan git.example.com | argocd cert add-ssh --batch", "kubectl get secret db -o yaml > db.yaml",
		"kubectl get pods -o name | xargs kubectl delete", "argocd proj windows enable-manual-sync team 0",
		"kubectl -n shop create secret generic db --from-literal=password=VALUE", "helm dependency update web",
	}
	for _, command := range acts {
		if printed.Looks(command) {
			t.Errorf("%q: it does not only look", command)
		}
	}
}

func TestPlaceholdersAreWholeWords(t *testing.T) {
	s := printed.Step{Command: "argocd repo add URL --type helm --name NAME --username USERNAME", Patch: "image: web:TAG # TAGS"}
	s = s.Fill(map[string]string{"URL": "https://charts.example.com", "NAME": "charts", "TAG": "1.0"})
	if want := "argocd repo add https://charts.example.com --type helm --name charts --username USERNAME"; s.Command != want {
		t.Errorf("got %s", s.Command)
	}
	if s.Patch != "image: web:1.0 # TAGS" {
		t.Errorf("got %s", s.Patch)
	}
}

func TestWhereYAMLBelongs(t *testing.T) {
	web := printed.Finding{Resource: printed.Resource{Group: "apps", Kind: "Deployment", Namespace: "shop", Name: "web"}, Others: []printed.Resource{{Kind: "Secret", Name: "db"}}}
	tests := map[string]struct {
		step printed.Step
		want []printed.Place
		on   string
	}{
		"the resource of the finding": {printed.Step{Text: "Set it in Git", Patch: "spec: {replicas: 3}"}, []printed.Place{printed.InGit}, "web"},
		"it and its like":             {printed.Step{Text: "Add this to Deployment/web and 1 more", Patch: "metadata: {}"}, []printed.Place{printed.InGit, printed.InGit}, "web"},
		"the Application":             {printed.Step{Text: "Add this annotation to the Application", Patch: "metadata: {}"}, []printed.Place{printed.InApplication}, "web"},
		"what only an Application has": {
			printed.Step{Text: "Allow it in Git", Patch: "spec: {syncPolicy: {automated: {allowEmpty: true}}}"}, []printed.Place{printed.InApplication}, "web",
		},
		"a field of it": {printed.Step{Text: "Set it in spec.source.directory of the Application", Patch: "jsonnet: {}"}, []printed.Place{printed.InApplication}, "web"},
		"argocd-cm":     {printed.Step{Text: "Or ignore it", Patch: "# argocd-cm, data:\nresource.exclusions: x\n"}, []printed.Place{printed.InSettings}, "web"},
		"two resources": {
			printed.Step{Text: "Move the hook", Patch: "# on Job/migrate\nmetadata: {}\n---\n# on ConfigMap/settings\nmetadata: {}\n"},
			[]printed.Place{printed.InGit, printed.InGit}, "migrate",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			pieces, err := test.step.Pieces(web)
			if err != nil {
				t.Fatal(err)
			}
			if len(pieces) != len(test.want) {
				t.Fatalf("got %d pieces, want %d", len(pieces), len(test.want))
			}
			for i, p := range pieces {
				if p.Place != test.want[i] {
					t.Errorf("piece %d: got place %d, want %d", i, p.Place, test.want[i])
				}
			}
			if pieces[0].On.Name != test.on {
				t.Errorf("got %s, want %s", pieces[0].On.Name, test.on)
			}
		})
	}
}

func TestMergeIntoAFile(t *testing.T) {
	file := `kind: Service
metadata: {name: web}
---
kind: Deployment
metadata: {name: web}
spec:
  template:
    spec:
      containers:
      - {name: proxy, image: "proxy:1"}
      - {name: web, image: "web:1"}
`
	lines := map[string]any{"spec": map[string]any{"template": map[string]any{"spec": map[string]any{
		"containers": []any{map[string]any{"name": "web", "image": "web:2"}},
	}}}}
	merged, found, err := printed.MergeFile([]byte(file), printed.Resource{Kind: "Deployment", Name: "web"}, lines)
	if err != nil || !found {
		t.Fatalf("%v, %v", found, err)
	}
	for _, want := range []string{"kind: Service", "proxy:1", "web:2"} {
		if !strings.Contains(string(merged), want) {
			t.Errorf("%s is missing:\n%s", want, merged)
		}
	}
	if strings.Contains(string(merged), "web:1") {
		t.Errorf("the old image is still there:\n%s", merged)
	}
	if _, found, err := printed.MergeFile([]byte("{{ .Values.a }}: ["), printed.Resource{Kind: "Deployment", Name: "web"}, lines); found || err != nil {
		t.Errorf("a template: %v, %v", found, err)
	}
}

func TestListsKeepWhatTheyHave(t *testing.T) {
	rule := func(pointer string) map[string]any {
		return map[string]any{"kind": "Deployment", "jsonPointers": []any{pointer}}
	}
	app := map[string]any{
		"command":     []any{"/bin/serve"},
		"syncOptions": []any{"ServerSideApply=true"}, "rules": []any{rule("/a")}, "claims": []any{map[string]any{"metadata": map[string]any{"name": "data"}}},
		"annotations": map[string]any{"argocd.argoproj.io/sync-options": "Prune=false"},
	}
	printed.Merge(app, map[string]any{
		"command":     []any{"/bin/web"},
		"syncOptions": []any{"RespectIgnoreDifferences=true", "ServerSideApply=true"}, "rules": []any{rule("/b")}, "claims": []any{map[string]any{"kind": "PersistentVolumeClaim"}},
		"annotations": map[string]any{"argocd.argoproj.io/sync-options": "Replace=true"},
	})
	got, err := json.Marshal(app)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"annotations":{"argocd.argoproj.io/sync-options":"Prune=false,Replace=true"},` +
		`"claims":[{"kind":"PersistentVolumeClaim","metadata":{"name":"data"}}],` +
		`"command":["/bin/web"],` +
		`"rules":[{"jsonPointers":["/a"],"kind":"Deployment"},{"jsonPointers":["/b"],"kind":"Deployment"}],` +
		`"syncOptions":["ServerSideApply=true","RespectIgnoreDifferences=true"]}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
