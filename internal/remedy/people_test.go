package remedy_test

import (
	"context"
	"errors"

	"github.com/argo-why/argo-why/internal/action"
)

// groups are user groups and who is in them. One that is not in it cannot be read.
type groups map[string][]string

func (g groups) Members(_ context.Context, group string) ([]string, error) {
	members, ok := g[group]
	if !ok {
		return nil, errors.New("Slack does not answer")
	}
	return members, nil
}

var (
	dana = action.Person{ID: "U1", Name: "dana"}
	erin = action.Person{ID: "U2", Name: "erin"}
	prod = action.App{Instance: "prod", Namespace: "argocd", Name: "payments-api"}
)
