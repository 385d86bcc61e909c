package app

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/gateway"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/slack/apps"
	"github.com/argo-why/argo-why/internal/slack/command"
	"github.com/argo-why/argo-why/internal/slack/request"
)

func TestTargetsAreLookedForWhereTheyMayBe(t *testing.T) {
	b := &slackBackend{instances: []*instance{
		{Instance: &gateway.Instance{Name: "prod", Directory: &gateway.Directory{}}, url: "https://argocd.example.com"},
		{Instance: &gateway.Instance{Name: "staging", Directory: &gateway.Directory{}}, url: "https://argocd.staging.example.com:8443"},
	}}
	for _, test := range []struct {
		target command.Target
		want   string
	}{
		{command.Target{Name: "pay"}, "[prod staging]"},
		{command.Target{Instance: "staging", Name: "pay"}, "[staging]"},
		{command.Target{Host: "argocd.staging.example.com:8443", Name: "pay"}, "[staging]"},
		{command.Target{Instance: "test", Name: "pay"}, `no Argo CD named "test": the configured ones are prod, staging`},
		{command.Target{Host: "example.com", Name: "pay"}, `no Argo CD named "example.com": the configured ones are prod, staging`},
	} {
		got, err := b.candidates(test.target, func(apps.Known) bool { return true })
		text := fmt.Sprint(err)
		if err == nil {
			var names []string
			for _, in := range got {
				names = append(names, in.Name)
			}
			text = fmt.Sprint(names)
		}
		if text != test.want {
			t.Errorf("%+v: %s, want %s", test.target, text, test.want)
		}
	}
}

func TestErrorsInWordsForThePersonWhoAsked(t *testing.T) {
	if err := inWords(fmt.Errorf("read pay: %w", action.ErrGone)); !errors.Is(err, incident.ErrGone) {
		t.Errorf("gone: %v", err)
	}
	for _, test := range []struct {
		err  error
		want string
	}{
		{&gateway.RefusedError{Name: "pay", Refusal: "its project does not exist"}, "Argo CD does not show pay: its project does not exist: ask why pay"},
		{fmt.Errorf("read pay: %w", context.DeadlineExceeded), "Argo CD did not answer in time: try again"},
	} {
		var trouble *request.Error
		if err := inWords(test.err); !errors.As(err, &trouble) || err.Error() != test.want {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
	other := errors.New("a fault of ours")
	if err := inWords(other); err != other { //nolint:errorlint // the very same
		t.Errorf("%v", err)
	}
}
