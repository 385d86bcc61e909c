package posted_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/incident/posted"
)

const (
	said    = "Application/vault-core is invalid"
	instead = "Application/(private) is invalid"
)

func planOf(changes ...evidence.Ref) *action.Plan {
	p := &action.Plan{
		Request: action.Request{Kind: action.Sync, App: shop}, RefusedBecause: said, Why: said, Reason: said, Confirm: said,
		Steps: []string{said}, Ignored: []string{said}, Notes: []string{said}, Fingerprint: "f",
	}
	for _, ref := range changes {
		p.Changes = append(p.Changes, action.Change{Ref: ref, Effect: action.Changes, Fields: []string{said}})
	}
	return p
}

func argo(kind, name string) evidence.Ref {
	return evidence.Ref{Group: "argoproj.io", Kind: kind, Namespace: "argocd", Name: name}
}

func TestAPlanIsShownWithoutPrivateNames(t *testing.T) {
	p := planOf(argo("Application", "shop"), evidence.Ref{Kind: "ConfigMap", Name: "vault-core"})
	before := shown(t, p)
	seen, no := posted.PlanTo(places.InChannel(t.Context(), "ops"), p)
	if no != nil {
		t.Fatal(no)
	}
	got := shown(t, seen.View())
	if strings.Contains(got, said) || strings.Count(got, instead) != strings.Count(before, said) || seen.View().Fingerprint != "f" {
		t.Errorf("outsiders read %s", got)
	}
	if shown(t, p) != before {
		t.Error("the plan was changed")
	}
	if whole, no := posted.PlanTo(audience.All(), p); no != nil || shown(t, whole.View()) != before {
		t.Errorf("somebody who sees all does not read it: %v", no)
	}
}

func TestAPlanThatChangesWhatItsReadersMayNotSeeIsRefused(t *testing.T) {
	who := places.InChannel(t.Context(), "ops")
	for name, ref := range map[string]evidence.Ref{
		"an application": argo("Application", "vault-core"), "one in the same namespace": {Group: "argoproj.io", Kind: "Application", Name: "vault-core"}, "a project": argo("AppProject", "vault"),
	} {
		hooks := planOf()
		hooks.Hooks = []action.Hook{{Ref: ref, Phase: "PreSync"}}
		if _, no := posted.PlanTo(who, hooks); no == nil || no.View().Code != action.Unseen {
			t.Errorf("%s that is a hook: %v", name, no)
		}
		p := planOf(ref)
		_, no := posted.PlanTo(who, p)
		if no == nil || no.View().Code != action.Unseen || strings.Contains(no.Error(), "vault") {
			t.Errorf("%s: %v", name, no)
		}
		// With the plan goes the refusal that has it.
		no = posted.RefusalTo(who, shop, &action.Refusal{Code: action.PlanChanged, What: "it has changed", Plan: p})
		if _, ok := no.Plan(); ok || no.View().Code != action.Unseen {
			t.Errorf("%s: a refusal shows it", name)
		}
	}
}

func TestARefusalIsToldWithoutPrivateNames(t *testing.T) {
	raw := &action.Refusal{Code: action.Busy, What: said, Record: &action.Record{Request: action.Request{App: shop}, Result: said}, Plan: planOf()}
	err := posted.ErrorTo(places.InChannel(t.Context(), "ops"), shop, raw)
	no, ok := errors.AsType[*posted.Refusal](err)
	if !ok {
		t.Fatal(err)
	}
	record, _ := no.Record()
	plan, _ := no.Plan()
	for where, got := range map[string]string{"what": no.Error(), "record": record.View().Result, "plan": plan.View().Why} {
		if !strings.Contains(got, instead) || strings.Contains(got, "vault") {
			t.Errorf("%s: %s", where, got)
		}
	}
	if trouble := errors.New("trouble"); !errors.Is(posted.ErrorTo(audience.All(), shop, trouble), trouble) {
		t.Error("an error that is no refusal was changed")
	}
}
