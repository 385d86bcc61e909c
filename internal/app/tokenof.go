package app

import (
	"context"
	"errors"
	"fmt"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/gateway"
)

// ErrUnanswered is in the error of a question that Argo CD did not answer: it says nothing about the token.
var ErrUnanswered = errors.New("not checked")

// AccountOf is the name of the account that a token belongs to.
func AccountOf(ctx context.Context, c *config.Instance, token, version string) (name string, err error) {
	connection, err := gateway.Connect(ctx, gatewayOptions(c, token, version))
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrUnanswered, err)
	}
	defer func() { err = errors.Join(err, connection.Close()) }()
	ctx, cancel := context.WithTimeout(ctx, questionTimeout)
	defer cancel()
	who, err := connection.Argo.Whoami(ctx)
	var problem *argo.Error
	switch {
	case err == nil:
		return who.Name, nil
	case errors.As(err, &problem) && problem.Problem == argo.NotLoggedIn:
		return "", errors.New("rejected by Argo CD: create one with argocd account generate-token --account argo-why")
	case errors.As(err, &problem):
		return "", fmt.Errorf("%w: %s", ErrUnanswered, problem.What())
	}
	return "", fmt.Errorf("%w: %w", ErrUnanswered, err)
}
