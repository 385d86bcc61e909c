//go:build system

package system_test

import (
	"encoding/json"
	"fmt"
	"net/rpc"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/simulator"
)

const (
	argoCDRole  = "argocd"
	argoCDToken = "system-token"
)

// latency is what every call of Argo CD takes beside its work: one on this machine answers in a millisecond, which no real one does.
const latency = 20 * time.Millisecond

// ArgoCD is the process that simulates one.
type ArgoCD struct{ server *simulator.Server }

func serveArgoCD() int {
	server, err := simulator.New(simulator.Options{Token: argoCDToken, Recent: true, Whole: true})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	server.Delay("", latency)
	return serve(&ArgoCD{server})
}

// Address is host:port.
func (a *ArgoCD) Address(_ none, address *string) error {
	*address = a.server.Address()
	return nil
}

// Fleet are applications of one case, named shop-00000 and on.
type Fleet struct {
	Case     []byte
	From, To int
	// Every is after how many there is a pause of that length: one that sends thousands of changes in one moment, drops them.
	Every int
	Pause time.Duration
}

// Put makes applications as a case has them.
func (a *ArgoCD) Put(f Fleet, _ *none) error {
	if f.Every == 0 {
		f.Every = f.To - f.From
	}
	for from := f.From; from < f.To; from += f.Every {
		var names []simulator.Name
		for n := from; n < min(from+f.Every, f.To); n++ {
			names = append(names, simulator.Name{Namespace: "argocd", Name: appName(n)})
		}
		if err := a.server.Put(f.Case, names...); err != nil {
			return err
		}
		time.Sleep(f.Pause)
	}
	return nil
}

// Compare has applications compared, with nothing new.
func (a *ArgoCD) Compare(f Fleet, _ *none) error {
	var names []simulator.Name
	for n := f.From; n < f.To; n++ {
		names = append(names, simulator.Name{Namespace: "argocd", Name: appName(n)})
	}
	return a.server.Compared(names...)
}

// Calls is how often each method was called.
func (a *ArgoCD) Calls(_ none, calls *map[string]int) error {
	*calls = a.server.Calls()
	return nil
}

func appName(n int) string { return fmt.Sprintf("shop-%05d", n) }

func startArgoCD(t *testing.T) (*process, *rpc.Client) {
	t.Helper()
	return played(t, argoCDRole)
}

// The recorded cases that applications are made of. These are all there need be: what a diagnosis of other causes costs, measures test/cost.
const (
	wellCase   = "control/healthy/foreign-control-1"
	sharedCase = "render/git-unreachable/own-01"
	ownCase    = "hook/job-failed/own-01"
)

// recorded is a case whose application has that many resources, all but its own ones well.
func recorded(t *testing.T, name string, resources int) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../internal/diagnose/rules/testdata/cases", filepath.FromSlash(name)+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var document map[string]any
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	application, _ := document["application"].(map[string]any)
	status, _ := application["status"].(map[string]any)
	list, _ := status["resources"].([]any)
	for n := len(list); n < resources; n++ {
		list = append(list, map[string]any{
			"version": "v1", "kind": "ConfigMap", "namespace": "shop", "name": fmt.Sprintf("settings-%03d", n), "status": "Synced",
		})
	}
	status["resources"] = list
	out, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(out), `"resources"`) {
		t.Fatalf("%s has no status", name)
	}
	return out
}
