package argo_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/argo/argotest"
)

// recordedCase is a real failure, with some of its text replaced.
func recordedCase(t *testing.T, path string, replace ...string) []byte {
	t.Helper()
	raw, err := os.ReadFile("../diagnose/rules/testdata/cases/" + path + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return []byte(strings.NewReplacer(replace...).Replace(string(raw)))
}

// TestHooksAreReadAsTheyAreInTheCluster: of two applications whose hook failed, one has neither a deadline nor a delete policy.
func TestHooksAreReadAsTheyAreInTheCluster(t *testing.T) {
	const of = "hook/job-failed/lab-presync-hook-failed"
	s := argotest.NewServer(t,
		recordedCase(t, of),
		recordedCase(t, of, "courier-api", "invoice-api", `"argocd.argoproj.io/hook-delete-policy"`, `"example.com/none"`),
		recordedCase(t, of, "courier-api", "letter-api", `"backoffLimit": 1`, `"backoffLimit": 1, "activeDeadlineSeconds": 300`),
		shop("shop", "Healthy", "1"),
	)
	c := connect(t, s, argo.Options{})
	hooks, left, err := c.Hooks(t.Context(), 10)
	if err != nil || left != 0 {
		t.Fatalf("%d left, %v", left, err)
	}
	var got []string
	for _, h := range hooks {
		got = append(got, fmt.Sprintf("%s %s %s deadline:%t policy:%t", h.App, h.Kind, h.Name, !h.NoDeadline, !h.NoDeletePolicy))
	}
	want := []string{
		"courier-api Job migrate deadline:false policy:true", "invoice-api Job migrate deadline:false policy:false", "letter-api Job migrate deadline:true policy:true",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if hooks, left, err := c.Hooks(t.Context(), 1); len(hooks) != 1 || left != 2 || err != nil {
		t.Errorf("of one: %v, %d left, %v", hooks, left, err)
	}
}

func TestSyncWindowsAreThoseOfTheProjects(t *testing.T) {
	s := argotest.NewServer(t, recordedCase(t, "operation/sync-window/lab-v3-sync-window"))
	windows, err := connect(t, s, argo.Options{}).ProjectWindows(t.Context())
	if err != nil || len(windows) != 1 || windows[0].Kind != "deny" || windows[0].Project == "" || windows[0].Of != "" {
		t.Errorf("%+v, %v", windows, err)
	}
	s.Deny("projects", "get", "*")
	if _, err := connect(t, s, argo.Options{}).ProjectWindows(t.Context()); err == nil || !strings.Contains(err.Error(), "right to get projects") {
		t.Errorf("without the right: %v", err)
	}
}
