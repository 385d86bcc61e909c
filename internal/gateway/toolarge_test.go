package gateway

import (
	"fmt"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/argo/argotest"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
)

// TestApplicationThatIsTooLargeSaysSo: a list of empty resources is two bytes each in Argo CD's answer, and hundreds in memory.
func TestApplicationThatIsTooLargeSaysSo(t *testing.T) {
	for what, status := range map[string]string{
		"resources":  `"resources": [` + strings.Repeat("{},", 160_000) + `{}]`,
		"conditions": `"conditions": [` + strings.Repeat("{},", 160_000) + `{}]`,
		"results":    `"operationState": {"syncResult": {"resources": [` + strings.Repeat("{},", 160_000) + `{}]}}`,
		"history":    `"history": [` + strings.Repeat(`{"sources": [{},{},{},{},{},{},{},{},{},{}]},`, 16_000) + `{}]`,
	} {
		t.Run(what, func(t *testing.T) {
			s := argotest.NewServer(t, degraded("pay"), fmt.Appendf(nil, `{"application": {
				"metadata": {"name": "web", "namespace": "argocd", "resourceVersion": "1"}, "spec": {"project": "default"},
				"status": {"sync": {"status": "Synced"}, "health": {"status": "Healthy"}, %s}}}`, status))
			in := watching(t, s, "pay", "web")
			rep, err := in.Read(t.Context(), named("web"), audience.All())
			if err != nil {
				t.Fatal(err)
			}
			if rep.Verdict != diagnose.VerdictUnknown || rep.Headline != "prod/web: Could not be diagnosed: too large to read" || rep.Context.Project != "default" ||
				rep.Undiagnosed != "more than 150,000 entries in its lists" || !strings.Contains(rep.Findings[0].Why, "more than 150,000 entries in its lists") {
				t.Errorf("got %+v", rep)
			}
			if other, err := in.Read(t.Context(), named("pay"), audience.All()); err != nil || other.Undiagnosed != "" {
				t.Errorf("the other: %v %+v", err, other)
			}
		})
	}
}
