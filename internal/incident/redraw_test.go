package incident_test

import (
	"slices"
	"testing"

	"github.com/argo-why/argo-why/internal/incident"
)

func TestOnlyOpenIncidentsOfThatArgoCDAreDrawnAnew(t *testing.T) {
	held := func(id string, phase incident.Phase, instance string) *incident.Incident {
		return &incident.Incident{ID: id, Phase: phase, Members: []incident.Member{{App: incident.App{Instance: instance, Name: id}}}}
	}
	b := incident.NewStore(incident.Policy{}, []*incident.Incident{
		held("fails", incident.Open, "prod"), held("over", incident.Recovered, "prod"), held("elsewhere", incident.Open, "staging"),
	})
	if got := b.Redraw("prod"); !slices.Equal(got, []string{"fails"}) {
		t.Errorf("drawn anew: %v", got)
	}
}
