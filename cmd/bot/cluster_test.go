package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/argo/argotest"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/gateway"
	"github.com/argo-why/argo-why/internal/kube"
)

// scaled is a rule that tells what autoscales the application's namespace, or that it could not tell.
var scaled = &diagnose.Rule{
	ID: "drift/scaled", Needs: []evidence.Kind{evidence.KindAutoscalers},
	Doc:  diagnose.Doc{Title: "t", What: "w", Decisive: "d", Example: "e", Fix: "f"},
	Sync: diagnose.Advice{Verdict: diagnose.SyncSafe, Why: "w"},
	Check: func(in *diagnose.In) diagnose.Outcome {
		found, ok := diagnose.Get(in, evidence.FactAutoscalers(in.App().Spec.Destination.Namespace))
		if !ok {
			return diagnose.Unknown
		}
		return diagnose.Outcome{Findings: []diagnose.Finding{{Confidence: diagnose.Certain, Title: fmt.Sprintf("%d autoscalers", len(found)), Why: "w"}}}
	},
}

// TestTheClusterIsAskedAndItsAnswerSaved: an autoscaler that Argo CD does not know is in the report, and in that of the
// saved case. The cluster is proved to be the right one on the way.
func TestTheClusterIsAskedAndItsAnswerSaved(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("KUBECONFIG", "")
	raw := recordedCase(t, "healthy")
	cases, err := evidence.DecodeCases(raw, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	app := cases[0].Application
	for name, x := range map[string]struct {
		uid  string
		none bool
		want string
	}{
		"its cluster, with an autoscaler":    {uid: app.Metadata.UID, want: "1 autoscalers"},
		"its cluster, without an autoscaler": {uid: app.Metadata.UID, none: true, want: "0 autoscalers"},
		"another cluster":                    {uid: "another", want: "context lab is another"},
	} {
		t.Run(name, func(t *testing.T) {
			cluster := httptest.NewServer(clusterWith(app, x.uid, x.none))
			t.Cleanup(cluster.Close)
			server := argotest.NewServer(t, raw)
			dir := t.TempDir()
			saved := filepath.Join(dir, "case.json")
			live := whyWith(t, &whyOptions{
				apps: []string{appOf(t, raw)}, save: saved, timeout: time.Minute, output: formatText,
				reach: gateway.Options{
					Argo:     argo.Options{Server: server.Address, AuthToken: argotest.Token, PlainText: true},
					Clusters: kube.Options{Kubeconfig: writeKubeconfig(t, dir, cluster.URL)},
				},
			}, (*why).live)
			if !strings.Contains(live, x.want) {
				t.Errorf("no %q in\n%s", x.want, live)
			}
			replay := whyWith(t, &whyOptions{files: []string{saved}, timeout: time.Minute, output: formatText}, (*why).offline)
			if x.uid == app.Metadata.UID && !strings.Contains(replay, x.want) {
				t.Errorf("replayed: no %q in\n%s", x.want, replay)
			}
		})
	}
}

// clusterWith is an API server that knows the application, under a UID, and the autoscalers of its namespace.
func clusterWith(app *evidence.Application, uid string, none bool) http.Handler {
	type object = map[string]any
	scalers := []object{{"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": object{"namespace": app.Spec.Destination.Namespace, "name": "web"}}}
	if none {
		scalers = []object{}
	}
	answers := map[string]object{
		"/apis/argoproj.io/v1alpha1/namespaces/" + app.Metadata.Namespace + "/applications/" + app.Metadata.Name: {
			"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": object{"uid": uid},
		},
		"/apis/autoscaling/v2/namespaces/" + app.Spec.Destination.Namespace + "/horizontalpodautoscalers": {
			"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscalerList", "items": scalers,
		},
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		answer, ok := answers[r.URL.Path]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			answer = object{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "NotFound", "code": http.StatusNotFound}
		}
		_ = json.NewEncoder(w).Encode(answer)
	})
}

func writeKubeconfig(t *testing.T, dir, server string) string {
	t.Helper()
	file := filepath.Join(dir, "kubeconfig")
	text := `{"apiVersion": "v1", "kind": "Config", "current-context": "lab",
		"clusters": [{"name": "lab", "cluster": {"server": "` + server + `"}}],
		"users": [{"name": "lab", "user": {}}],
		"contexts": [{"name": "lab", "context": {"cluster": "lab", "user": "lab"}}]}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// whyWith runs the command with that one rule.
func whyWith(t *testing.T, o *whyOptions, run func(*why, context.Context) error) string {
	t.Helper()
	engine, err := diagnose.New([]*diagnose.Rule{scaled})
	if err != nil {
		t.Fatal(err)
	}
	var out, complaints bytes.Buffer
	w := &why{whyOptions: o, engine: engine, in: strings.NewReader(""), errOut: &complaints, printer: newPrinter(&out, formatText, colorNever)}
	if err := run(w, t.Context()); err != nil || complaints.Len() > 0 {
		t.Fatalf("%v: %s", err, complaints.String())
	}
	return out.String()
}
