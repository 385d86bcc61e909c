package render_test

import (
	"reflect"
	"testing"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/slack/render"
)

// TestTheDigestDependsOnWhatIsPassedAlone: whether a message is drawn again is decided by its digest, so the same incident with
// the same offers has the same one, and other offers have another one.
func TestTheDigestDependsOnWhatIsPassedAlone(t *testing.T) {
	i := deleting(t)
	offers := acting(i.Report).Offers
	digest := func(offers []diagnose.Action) string {
		return render.Root(posted.To(audience.All(), i), links, render.Controls{Key: key, Offers: offers}).Digest()
	}
	want := digest(offers)
	for range 20 {
		if got := digest(offers); got != want {
			t.Fatalf("digest %s, and before that %s", got, want)
		}
	}
	if digest(offers[:1]) == want || digest(nil) == want {
		t.Error("a right that was taken away leaves its button in the message")
	}
}

// TestRenderingCannotAskAnybody: what it is given holds values all the way down, and no function or interface through which it
// could reach a clock, a network or a goroutine.
func TestRenderingCannotAskAnybody(t *testing.T) {
	seen := map[reflect.Type]bool{}
	var walk func(at string, typ reflect.Type)
	walk = func(at string, typ reflect.Type) {
		if seen[typ] || typ.PkgPath() == "time" { // a time.Time has no clock: its location is data
			return
		}
		seen[typ] = true
		switch typ.Kind() {
		case reflect.Func, reflect.Chan, reflect.UnsafePointer:
			t.Errorf("%s is a %s", at, typ)
		case reflect.Interface:
			if typ.NumMethod() > 0 {
				t.Errorf("%s is a %s", at, typ)
			}
		case reflect.Map:
			walk(at+" key", typ.Key())
			walk(at+" value", typ.Elem())
		case reflect.Slice, reflect.Array, reflect.Pointer:
			walk(at, typ.Elem())
		case reflect.Struct:
			for f := range typ.NumField() {
				walk(at+"."+typ.Field(f).Name, typ.Field(f).Type)
			}
		default: // numbers and texts
		}
	}
	for _, f := range []any{render.Root, render.Details, render.Report, render.Reply, render.ActionNote} {
		typ := reflect.TypeOf(f)
		for n := range typ.NumIn() {
			walk(typ.In(n).String(), typ.In(n))
		}
	}
}

// TestOnlyWhatFailsHereAloneOffersActions: for others nobody has to be asked.
func TestOnlyWhatFailsHereAloneOffersActions(t *testing.T) {
	i := deleting(t)
	if render.Offering(i) != i.Report {
		t.Error("one application that fails offers what its report does")
	}
	for _, phase := range []incident.Phase{incident.Recovered, incident.Joined} {
		i.Phase = phase
		if render.Offering(i) != nil {
			t.Errorf("%s: it offers something", phase)
		}
	}
	if render.Offering(outage(t, 3, 0)) != nil {
		t.Error("an outage offers the actions of one of its applications")
	}
}
