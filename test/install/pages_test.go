//go:build live

package install_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/test/commands"
)

// The commands of these pages are about one installation, so they are run one page after the other, each from a clean state.
var beforePage = map[string]func(*page){
	"README.md":                        func(p *page) { p.answers(); p.apply(application) },
	"docs/install.md":                  (*page).answers,
	"docs/configuration.md":            func(*page) {},
	"docs/operations.md":               func(p *page) { p.apply(namespaces, lease) },
	"docs/rights.md":                   func(p *page) { p.apply(namespaces) },
	"docs/troubleshooting.md":          func(p *page) { p.apply(namespaces) },
	"deploy/charts/argo-why/README.md": (*page).chart,
}

// beforeCommand makes what a command is about, where the page does not.
var beforeCommand = map[string]func(*page){
	"kubectl -n argo-why get incidents":  func(p *page) { p.definitions(); p.apply(incidentOfPage) },
	"kubectl -n argo-why get actionlogs": func(p *page) { p.apply(actionLog) },
}

// page is a checkout in which the commands of a page are run, as the lab's administrator.
type page struct {
	*testing.T
	dir, in string
	env     []string
}

// TestTheCommandsOfThePages runs what the documentation shows in a real cluster with a real Argo CD and Helm, as it is on the page.
func TestTheCommandsOfThePages(t *testing.T) {
	all, err := commands.All("../..")
	if err != nil {
		t.Fatal(err)
	}
	byPage := map[string][]commands.Command{}
	var names []string
	for _, c := range all {
		if commands.Plan[c.Name].Where != commands.Lab {
			continue
		}
		if byPage[c.Page] == nil {
			names = append(names, c.Page)
		}
		byPage[c.Page] = append(byPage[c.Page], c)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			before, ok := beforePage[name]
			if !ok {
				t.Fatal("nothing says what the commands of this page need: see beforePage")
			}
			p := newPage(t)
			before(p)
			for _, c := range byPage[name] {
				p.follow(c)
			}
		})
	}
}

func newPage(t *testing.T) *page {
	p := &page{T: t, dir: t.TempDir()}
	p.in = p.dir
	commands.Checkout(t, "../..", p.dir)
	bot, err := os.ReadFile("../../bin/bot")
	if err != nil {
		t.Fatal(err)
	}
	p.write("argo-why", string(bot), 0o755)
	kubeconfig, err := os.ReadFile(os.Getenv("KUBECONFIG"))
	if err != nil {
		t.Fatal("source the lab's env: ", err)
	}
	p.write("kubeconfig", string(kubeconfig), 0o600)
	p.env = append(os.Environ(), "HOME="+p.dir, "PATH="+p.dir+":"+os.Getenv("PATH"), "KUBECONFIG="+filepath.Join(p.dir, "kubeconfig"),
		"SLACK_BOT_TOKEN=xoxb-1-page", "SLACK_APP_TOKEN=xapp-1-page")
	p.must(`kubectl config set-context eu --cluster "$(kubectl config view -o 'jsonpath={.contexts[0].context.cluster}')" --user "$(kubectl config view -o 'jsonpath={.contexts[0].context.user}')"`)
	p.clean()
	t.Cleanup(p.clean)
	return p
}

// clean removes what any of the pages makes, as docs/install.md does.
func (p *page) clean() {
	p.T.Helper()
	p.must(`cd "` + p.dir + `"
		helm uninstall argo-why --namespace argo-why --ignore-not-found --wait
		kubectl delete --ignore-not-found --wait -f deploy/install.yaml -f deploy/rbac/read.yaml -f deploy/rbac/secret-keys.yaml
		kubectl delete namespace argo-why shop payments --ignore-not-found --wait
		kubectl delete crd incidents.argo-why.dev incidentmembers.argo-why.dev actionlogs.argo-why.dev --ignore-not-found --wait
		kubectl -n argocd delete application my-app --ignore-not-found --wait
		kubectl -n argocd patch configmap argocd-cm --type merge -p '{"data": {"accounts.argo-why": null}}'
		kubectl -n argocd patch configmap argocd-rbac-cm --type merge -p '{"data": {"policy.argo-why.csv": null, "policy.argo-why-actions.csv": null}}'
		kubectl -n argocd patch secret argocd-secret --type merge -p '{"data": {"accounts.argo-why.tokens": null}}'`)
}

// follow runs a command as it is. Argo CD and the API server need a moment to know what was just applied.
func (p *page) follow(c commands.Command) {
	p.T.Helper()
	if before := beforeCommand[c.Name]; before != nil {
		before(p)
	}
	var out string
	var err error
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Second) {
		if out, err = p.try(c.Text); err == nil || time.Now().After(end) || !strings.HasPrefix(c.Name, "argocd ") {
			break
		}
	}
	if err != nil {
		p.T.Fatalf("%s: %v\n%s", c, err, out)
	}
	p.T.Logf("%s\n%s", c, out)
	if shown, _, _ := strings.Cut(c.Output, "\n"); shown != "" {
		if got, _, _ := strings.Cut(out, "\n"); strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(shown), " ") {
			p.T.Errorf("%s prints\n%s\nand the page shows\n%s", c, got, shown)
		}
	}
}

func (p *page) try(text string) (string, error) {
	command := exec.CommandContext(p.T.Context(), "bash", "-c", "set -eo pipefail\n"+text)
	command.Dir, command.Env = p.in, p.env
	if p.T.Context().Err() != nil { // in a cleanup
		command = exec.Command("bash", "-c", "set -eo pipefail\n"+text) //nolint:noctx // the test's has ended
		command.Dir, command.Env = p.dir, p.env
	}
	out, err := command.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

func (p *page) must(text string) {
	p.T.Helper()
	if out, err := p.try(text); err != nil {
		p.T.Fatalf("%s: %v\n%s", text, err, out)
	}
}

func (p *page) write(name, text string, mode os.FileMode) {
	p.T.Helper()
	if err := os.WriteFile(filepath.Join(p.dir, name), []byte(text), mode); err != nil {
		p.T.Fatal(err)
	}
}

// apply makes objects.
func (p *page) apply(objects ...string) {
	p.T.Helper()
	for i, text := range objects {
		name := fmt.Sprintf("object-%d.yaml", i)
		p.write(name, text, 0o600)
		p.must(`kubectl apply -f "` + filepath.Join(p.dir, name) + `"`)
	}
}

// answers are those that somebody gives to argo-why init. What it asks for in a terminal, cmd/bot tests.
func (p *page) answers() {
	p.T.Helper()
	p.must("argo-why init --offline --team T0123456789 --channel argo-alerts --argocd-url https://argocd.example.com < /dev/null")
}

// chart is the folder of the chart with the files that its page speaks of.
func (p *page) chart() {
	p.T.Helper()
	p.answers()
	p.apply(namespaces)
	p.in = filepath.Join(p.dir, "deploy/charts/argo-why")
	for _, token := range []string{"slack-bot-token", "slack-app-token", "argocd-token"} {
		p.write(filepath.Join("deploy/charts/argo-why", token), "a token", 0o600)
	}
	values, err := os.ReadFile(filepath.Join(p.dir, "argo-why-install/values.yaml"))
	if err != nil {
		p.T.Fatal(err)
	}
	p.write("deploy/charts/argo-why/my-values.yaml", string(values), 0o600)
}

// definitions waits until the API server serves what was just applied.
func (p *page) definitions() {
	p.T.Helper()
	p.must("kubectl wait --for=condition=Established --timeout=1m crd incidents.argo-why.dev incidentmembers.argo-why.dev actionlogs.argo-why.dev")
	for end := time.Now().Add(time.Minute); ; time.Sleep(200 * time.Millisecond) {
		_, err := p.try("kubectl -n argo-why get incidents")
		if err == nil {
			return
		}
		if time.Now().After(end) {
			p.T.Fatal(errors.Join(errors.New("incidents are not served"), err))
		}
	}
}

const namespaces = `
apiVersion: v1
kind: Namespace
metadata: {name: argo-why}
---
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: v1
kind: Namespace
metadata: {name: payments}
`

const lease = `
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: argo-why, namespace: argo-why}
spec: {holderIdentity: argo-why-6d5f7c9b8d-x2x8q-k3v9q2}
`

const application = `
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: my-app, namespace: argocd}
spec:
  project: default
  source: {repoURL: "https://git.example.com/my-app", path: .}
  destination: {server: "https://kubernetes.default.svc", namespace: my-app}
`

const incidentOfPage = `
apiVersion: argo-why.dev/v1alpha1
kind: Incident
metadata: {name: payments-api-k3v9q2mz, namespace: argo-why}
spec:
  app: {instance: prod, namespace: argocd, name: payments-api}
  rule: hook/job-failed
`

const actionLog = `
apiVersion: argo-why.dev/v1alpha1
kind: ActionLog
metadata: {name: payments-api-5be0cd19137e2179, namespace: argo-why}
app: {instance: prod, namespace: argocd, name: payments-api}
records: []
`
