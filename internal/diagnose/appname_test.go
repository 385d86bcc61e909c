package diagnose_test

import (
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose"
)

func TestTwoApplicationsOfOneNameHaveDifferentLabels(t *testing.T) {
	for _, s := range []struct {
		app         diagnose.AppName
		label, full string
	}{
		{diagnose.AppName{Namespace: "argocd", Name: "pay"}, "pay", "pay"},
		{diagnose.AppName{Namespace: "openshift-gitops", Name: "pay"}, "pay", "pay"},
		{diagnose.AppName{Namespace: "team-a", Name: "pay"}, "team-a/pay", "team-a/pay"},
		{diagnose.AppName{Instance: "prod", Namespace: "argocd", Name: "pay"}, "pay", "prod/pay"},
		{diagnose.AppName{Instance: "prod", Namespace: "team-a", Name: "pay"}, "team-a/pay", "prod/team-a/pay"},
		{diagnose.AppName{Name: "pay"}, "pay", "pay"}, // a file without a namespace
		{diagnose.AppName{}, "", ""},
	} {
		if got := s.app.Label(); got != s.label {
			t.Errorf("%+v: %q, want %q", s.app, got, s.label)
		}
		if got := s.app.Full(); got != s.full {
			t.Errorf("%+v: %q, want %q", s.app, got, s.full)
		}
	}
}

// TestNoTwoApplicationsHaveOneHeadline: whichever of namespace, instance and cluster is called like which of another one.
func TestNoTwoApplicationsHaveOneHeadline(t *testing.T) {
	names := []string{"argocd", "pay", "team"}
	for _, instances := range [][]string{{""}, names} { // where there are several, each has a name
		seen := map[string]diagnose.AppName{}
		for _, instance := range instances {
			for _, namespace := range names {
				for _, name := range names {
					app := diagnose.AppName{Instance: instance, Namespace: namespace, Name: name}
					for _, cluster := range append(names, "") {
						on := app.On(cluster)
						if other, known := seen[on]; known && other != app {
							t.Errorf("%q is %+v and %+v", on, app, other)
						}
						seen[on] = app
					}
				}
			}
		}
	}
}
