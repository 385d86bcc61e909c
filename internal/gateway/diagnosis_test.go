package gateway

import (
	"errors"
	"testing"

	"github.com/argo-why/argo-why/internal/argo/argotest"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/rules"
)

func TestAFaultOfADiagnosisIsAnError(t *testing.T) {
	faulty := *rules.All()[0]
	faulty.ExplainedBy, faulty.Check = nil, func(*diagnose.In) diagnose.Outcome { panic("a rule fell over") }
	engine, err := diagnose.New([]*diagnose.Rule{&faulty})
	if err != nil {
		t.Fatal(err)
	}
	in := watching(t, argotest.NewServer(t, degraded("pay")), "pay")
	in.engine = engine
	_, err = in.Read(t.Context(), named("pay"), audience.All())
	if _, ok := errors.AsType[*InternalError](err); !ok || err.Error() != "diagnose pay: internal error: a rule fell over" {
		t.Errorf("%v", err)
	}
}

func TestAnApplicationIsLookedForElsewhere(t *testing.T) {
	in := watching(t, argotest.NewServer(t, degraded("courier-api")))
	said := func(name, project string) error {
		_, err := in.conn.App(name, "argocd", project).Subject(t.Context())
		if err == nil {
			t.Fatalf("%s in %q was found", name, project)
		}
		return in.conn.LookElsewhere(t.Context(), name, "argocd", project, err)
	}
	for _, c := range []struct{ name, project, want string }{
		{"courier-api", "frozen", `application "courier-api" is in project default, not in frozen`},
		{"courier", "", `application "courier" not found; did you mean courier-api?`},
		{"courier", "frozen", `application "courier" not found in project frozen; did you mean courier-api?`},
	} {
		err := said(c.name, c.project)
		if found, ok := errors.AsType[*NotFoundError](err); !ok || found.Error() != c.want {
			t.Errorf("%s in %q: %v, want %s", c.name, c.project, err, c.want)
		}
	}
	if found, ok := errors.AsType[*NotFoundError](said("zzz", "")); ok {
		t.Errorf("nothing is like zzz: %v", found)
	}
	if other := errors.New("the connection broke"); !errors.Is(in.conn.LookElsewhere(t.Context(), "courier", "argocd", "", other), other) {
		t.Error("another error does not stay as it is")
	}
}
