package argo

import (
	"context"
	"errors"

	accountpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/account"
	sessionpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/session"
)

// Account is who Argo CD takes us for.
type Account struct {
	Name   string   // "argo-why", or an e-mail address
	Issuer string   // "argocd" for its own accounts, else the address of the single sign-on
	Groups []string // of the single sign-on
}

// localIssuer is what Argo CD calls itself where it is the issuer.
const localIssuer = "argocd"

// Subject is the second column of a line about the account in policy.csv: its name, or ACCOUNT where that gives no rights, as people
// who log in through single sign-on have theirs by group.
func (a Account) Subject() string {
	if a.Issuer != localIssuer || a.Name == "" {
		return "ACCOUNT"
	}
	return a.Name
}

// Whoami reads the account. A token that Argo CD does not accept is a *Error with [NotLoggedIn].
func (c *Client) Whoami(ctx context.Context) (Account, error) {
	const operation = "read the account"
	info, err := c.sessions.GetUserInfo(ctx, &sessionpkg.GetUserInfoRequest{})
	if err != nil {
		return Account{}, c.fail(ctx, operation, err)
	}
	if !info.LoggedIn {
		// Argo CD answers this question also to strangers.
		e := &Error{Operation: operation, Err: errors.New("not logged in")}
		e.Problem, e.what, e.todo = c.classifyLogin("not logged in")
		return Account{}, e
	}
	return Account{Name: info.Username, Issuer: info.Iss, Groups: info.Groups}, nil
}

// CanI asks Argo CD's RBAC whether the account may do something to the objects that a pattern names: ("applications",
// "get", "shop/*"), ("projects", "get", "*"). The pattern is taken literally: a right to "shop/*" is not one to
// "*/*". Argo CD answers yes to everything about "logs" unless it is configured to enforce that right.
func (c *Client) CanI(ctx context.Context, resource, action, objects string) (bool, error) {
	answer, err := c.accounts.CanI(ctx, &accountpkg.CanIRequest{Resource: resource, Action: action, Subresource: objects})
	if err != nil {
		return false, c.fail(ctx, "check the right to "+action+" "+resource+" "+objects, err)
	}
	return answer.Value == "yes", nil
}
