package chart_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/releaseutil"
	"sigs.k8s.io/yaml"
)

var update = flag.Bool("update", false, "rewrite what is rendered")

const (
	deploy = "../../deploy"
	path   = deploy + "/charts/argo-why"
)

func load(t *testing.T) *chart.Chart {
	t.Helper()
	c, err := loader.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// valuesOf are all sets of values, by their name. Those that `argo-why init` writes are init-….
func valuesOf(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	files := matching(t, "testdata/values/*.yaml")
	for _, file := range files {
		out[strings.TrimSuffix(filepath.Base(file), ".yaml")] = read(t, file)
	}
	for _, file := range matching(t, "../../internal/setup/testdata/*/values.yaml") {
		out["init-"+filepath.Base(filepath.Dir(file))] = read(t, file)
	}
	return out
}

// matching are the files that match a pattern.
func matching(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatal("no files match", pattern, err)
	}
	return files
}

// render is what `helm template argo-why deploy/charts/argo-why --namespace argo-why -f VALUES` prints, in the order of installation, and the
// notes.
func render(t *testing.T, values string) (objects []string, notes string, err error) {
	t.Helper()
	c := load(t)
	var given chartutil.Values
	if err := yaml.UnmarshalStrict([]byte(values), &given); err != nil {
		t.Fatal(err)
	}
	if err := chartutil.ProcessDependenciesWithMerge(c, given); err != nil {
		t.Fatal(err)
	}
	release := chartutil.ReleaseOptions{Name: "argo-why", Namespace: "argo-why", IsInstall: true, Revision: 1}
	all, err := chartutil.ToRenderValues(c, given, release, chartutil.DefaultCapabilities)
	if err != nil {
		return nil, "", err
	}
	files, err := engine.Render(c, all)
	if err != nil {
		return nil, "", err
	}
	const notesFile = "argo-why/templates/NOTES.txt"
	notes = files[notesFile]
	delete(files, notesFile)
	hooks, manifests, err := releaseutil.SortManifests(files, nil, releaseutil.InstallOrder)
	if err != nil {
		return nil, "", err
	}
	for _, h := range hooks {
		objects = append(objects, strings.TrimSpace(h.Manifest)+"\n")
	}
	for _, m := range manifests {
		objects = append(objects, strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(m.Content), "---"))+"\n")
	}
	return objects, notes, nil
}

// mustRender is render of values that are right.
func mustRender(t *testing.T, values string) []string {
	t.Helper()
	objects, _, err := render(t, values)
	if err != nil {
		t.Fatal(err)
	}
	return objects
}

// kind is that of an object.
func kind(t *testing.T, object string) string {
	t.Helper()
	var o struct{ Kind string }
	if err := yaml.Unmarshal([]byte(object), &o); err != nil || o.Kind == "" {
		t.Fatalf("no kind (%v):\n%s", err, object)
	}
	return o.Kind
}

func isDefinition(t *testing.T) func(string) bool {
	return func(object string) bool { return kind(t, object) == "CustomResourceDefinition" }
}

// TestRendered: what becomes of each set of values, to be read when it changes.
func TestRendered(t *testing.T) {
	for name, values := range valuesOf(t) {
		t.Run(name, func(t *testing.T) {
			objects, notes, err := render(t, values)
			if err != nil {
				t.Fatal(err)
			}
			// The definitions are in deploy/crd.
			objects = slices.DeleteFunc(objects, isDefinition(t))
			isFresh(t, "testdata/rendered/"+name+".yaml", strings.Join(objects, "---\n"))
			isFresh(t, "testdata/rendered/"+name+".notes.txt", notes)
		})
	}
}

// TestTheSameIsRenderedEveryTime: else an Argo CD that installs the chart would never find it in sync.
func TestTheSameIsRenderedEveryTime(t *testing.T) {
	everything := valuesOf(t)["everything"]
	first := mustRender(t, everything)
	for range 5 {
		if !slices.Equal(mustRender(t, everything), first) {
			t.Fatal("it differs")
		}
	}
	if hooks := regexp.MustCompile(`"?helm\.sh/hook|lookup `).FindString(strings.Join(first, "")); hooks != "" {
		t.Errorf("it has a hook: %s", hooks)
	}
}

// byHelm are the labels by which Helm knows what it installed: what others install does not have them.
var byHelm = regexp.MustCompile(`(?m)^ +(helm\.sh/chart: .*|app\.kubernetes\.io/managed-by: Helm)\n`)

const installHead = `# Everything that the bot needs in a cluster, in namespace argo-why: for those who do not use Helm. Rendered from deploy/charts/argo-why.
#
#      kubectl create namespace argo-why
#      kubectl -n argocd get secret argocd-secret -o jsonpath='{.data.tls\.crt}' | base64 -d > argocd.crt
#      kubectl -n argo-why create secret generic argo-why --from-file=slack-bot-token --from-file=slack-app-token --from-file=argocd-token --from-file=argocd.crt
#      kubectl apply --server-side -f install.yaml
#
# Change the ConfigMap first: the workspace, the channel and the Argo CD in it are examples. argocd.crt is the certificate
# that Argo CD made for itself; docs/install.md says what to do where it has another one, and more, also how to do that with
# Kustomize.
`

func TestInstallYAMLIsFresh(t *testing.T) {
	objects := mustRender(t, valuesOf(t)["minimal"])
	isFresh(t, deploy+"/install.yaml", installHead+byHelm.ReplaceAllString(strings.Join(objects, "---\n"), ""))
}

// TestFilesOfDeployAreFresh: for those who apply one part, and for tests that need only that.
func TestFilesOfDeployAreFresh(t *testing.T) {
	definitions, err := filepath.Glob(path + "/files/crds/*.yaml")
	if err != nil || len(definitions) == 0 {
		t.Fatal("no definitions", err)
	}
	for _, file := range definitions {
		isFresh(t, deploy+"/crd/"+filepath.Base(file), read(t, file))
	}
	journal := mustRender(t, valuesOf(t)["minimal"])
	at := slices.IndexFunc(journal, func(o string) bool {
		return strings.Contains(o, "\nkind: Role\n") && strings.Contains(o, "name: argo-why-journal\n")
	})
	_, rules, _ := strings.Cut(journal[max(at, 0)], "\nrules:\n")
	hasRules(t, deploy+"/rbac/journal.yaml", map[string]string{"journal": rules})
	indented := regexp.MustCompile("(?m)^")
	parts := map[string]string{}
	for _, name := range []string{"jobs", "events"} {
		parts[name] = strings.TrimRight(indented.ReplaceAllString(read(t, path+"/files/rules/"+name+".yaml"), "  "), " ")
	}
	hasRules(t, deploy+"/rbac/actions.yaml", parts)
}

// hasRules: the roles of a file have the rules of the chart.
func hasRules(t *testing.T, file string, rules map[string]string) {
	t.Helper()
	text := read(t, file)
	for name, want := range rules {
		role := regexp.MustCompile(`(?s)(name: argo-why-` + name + `\n.*?\nrules:\n)(.*?)(---|\z)`)
		if want == "" || !role.MatchString(text) {
			t.Fatalf("%s: no role argo-why-%s, or no rules for it", file, name)
		}
		text = role.ReplaceAllStringFunc(text, func(old string) string { m := role.FindStringSubmatch(old); return m[1] + want + m[3] })
	}
	isFresh(t, file, text)
}

// isFresh compares a file with what would be rendered now.
func isFresh(t *testing.T, file, want string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(got, []byte(want)) {
		t.Errorf("%s is old (%v): go -C test/chart test . -update, and read the difference", file, err)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
