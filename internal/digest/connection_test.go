package digest_test

import (
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/digest"
	"github.com/argo-why/argo-why/internal/digest/digesttest"
	"github.com/argo-why/argo-why/internal/incident"
)

// TestAWarningIsInTheDigest, though no application fails of it yet.
func TestAWarningIsInTheDigest(t *testing.T) {
	began := digesttest.Monday.Add(-3 * time.Hour)
	warning := &incident.Incident{
		ID: "git-host-1", Phase: incident.Open, Channel: "argo-alerts", Since: began, Seen: began, OpenedAt: began,
		Cause:       incident.Cause{Rule: "render/git-unreachable", Key: "g", Group: "g", Subject: "git host git.example.com"},
		Connections: []incident.Connection{{Instance: "prod", Kind: "repository", Address: "https://git.example.com/a", Since: began}},
		Dependents:  7,
		Report:      &diagnose.Report{Verdict: diagnose.VerdictFailing, Headline: "prod: Git host git.example.com cannot be reached"},
	}
	of := func() incident.Digest {
		s := incident.NewStore(incident.Policy{}, []*incident.Incident{warning})
		return digest.Of(s.Failing(), s.All(), digesttest.Options())
	}
	d := of()
	if d.Failing != 0 || d.Threads != 1 || len(d.Failures) != 1 || !d.Failures[0].Since.Equal(began) {
		t.Fatalf("digest %+v", d)
	}
	same(t, "name", digest.Name(d.Failures[0], false), "Git host git.example.com")
	same(t, "name among those of several Argo CDs", digest.Name(d.Failures[0], true), "Git host git.example.com (prod)")
	same(t, "what is wrong with it", d.Failures[0].Title, "Git host git.example.com cannot be reached")
	name, behind, wrong := digest.Warning(d.Failures[0], true)
	same(t, "both in a line", name+behind+wrong, "Git host git.example.com (prod) cannot be reached")
	same(t, "title", digest.Title(&d), "🟠 No application is failing, but Argo CD has 1 connection problem")
	warning.Phase, warning.RecoveredAt, warning.Connections[0].Well = incident.Recovered, digesttest.Monday.Add(-time.Hour), digesttest.Monday.Add(-time.Hour)
	if d = of(); len(d.Failures) != 0 || len(d.Recovered) != 1 || d.Recovered[0].Lasted != 2*time.Hour {
		t.Errorf("digest after its recovery %+v", d)
	}
}
