package argo

import (
	"bufio"
	"strings"
	"testing"

	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"
	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	"github.com/gogo/protobuf/proto"

	"github.com/argo-why/argo-why/internal/foreign"
)

// An application that is too large does not keep the others from being listed and watched.
func TestATooLargeApplicationIsListedWithoutItsLists(t *testing.T) {
	t.Parallel()
	app := func(name string, resources int) v1alpha1.Application {
		out := v1alpha1.Application{Spec: v1alpha1.ApplicationSpec{Project: "shop"}}
		out.Name, out.Status.Sync.Status, out.Status.Health.Status = name, "OutOfSync", "Degraded"
		out.Status.Resources = make([]v1alpha1.ResourceStatus, resources)
		return out
	}
	check := func(got *v1alpha1.Application, name string, resources int) {
		t.Helper()
		if got.Name != name || got.Spec.Project != "shop" || got.Status.Sync.Status != "OutOfSync" || got.Status.Health.Status != "Degraded" || len(got.Status.Resources) != resources {
			t.Errorf("read %s of project %s, %s and %s, with %d resources", got.Name, got.Spec.Project, got.Status.Sync.Status, got.Status.Health.Status, len(got.Status.Resources))
		}
	}
	decoded := func(from, to proto.Message) {
		t.Helper()
		raw, err := proto.Marshal(from)
		if err == nil {
			err = (&shorten{}).Unmarshal(raw, to)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	tooMany := foreign.Application.Members + 1
	var list v1alpha1.ApplicationList
	decoded(&v1alpha1.ApplicationList{Items: []v1alpha1.Application{app("large", tooMany), app("well", 3)}}, &list)
	if len(list.Items) != 2 {
		t.Fatalf("%d applications", len(list.Items))
	}
	check(&list.Items[0], "large", 0)
	check(&list.Items[1], "well", 3)

	var event v1alpha1.ApplicationWatchEvent
	decoded(&v1alpha1.ApplicationWatchEvent{Type: "MODIFIED", Application: app("large", tooMany)}, &event)
	check(&event.Application, "large", 0)
	if event.Type != "MODIFIED" {
		t.Errorf("the change is %q", event.Type)
	}
	alone := app("large", tooMany)
	raw, err := proto.Marshal(&alone)
	if err != nil {
		t.Fatal(err)
	}
	if err := (&measured{limits: foreign.Application}).Unmarshal(raw, &v1alpha1.Application{}); !foreign.IsTooLarge(err) {
		t.Errorf("read alone: %v", err)
	}
	var query applicationpkg.ApplicationQuery
	decoded(&applicationpkg.ApplicationQuery{Repo: proto.String("r"), Projects: []string{"a"}}, &query)
	if query.GetRepo() != "r" || len(query.GetProjects()) != 1 {
		t.Errorf("another message became %v", &query)
	}
}

// endless is a line without an end; it notes how much of it was read.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	e.read += len(p)
	return copy(p, strings.Repeat("x", len(p))), nil
}

func TestALineThatDoesNotEndIsRefused(t *testing.T) {
	t.Parallel()
	limits := foreign.Limits{Bytes: 1 << 20}
	r := &endless{}
	if _, err := readLine(bufio.NewReader(r), limits); !foreign.IsTooLarge(err) || r.read > 2*limits.Bytes {
		t.Errorf("after %d bytes: %v", r.read, err)
	}
}
