package argo

import (
	"context"
	"errors"
	"slices"
	"time"

	accountpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/account"
	"github.com/argoproj/argo-cd/v2/util/localconfig"

	"github.com/argo-why/argo-why/internal/evidence"
)

// Tokens reads the tokens of the accounts that this one may see (itself, and any with the right accounts, get), and those of the roles of the
// projects that it may see. Argo CD leaves out the others. If only one of the two can be read, it returns those with the error.
func (c *Client) Tokens(ctx context.Context) ([]evidence.Token, error) {
	ofAccounts, accountsErr := c.accountTokens(ctx)
	ofRoles, rolesErr := c.roleTokens(ctx)
	all := slices.Concat(ofAccounts, ofRoles)
	holder, own := c.ownToken()
	for n := range all {
		t := &all[n]
		t.Own = own != "" && t.ID == own && subjectOf(t) == holder
		t.Replaced = slices.ContainsFunc(all, func(by evidence.Token) bool {
			return by.Account == t.Account && by.Project == t.Project && by.Role == t.Role && by.Issued.After(t.Issued) &&
				(by.Expires.IsZero() || by.Expires.After(t.Expires))
		})
	}
	return all, errors.Join(accountsErr, rolesErr)
}

func (c *Client) accountTokens(ctx context.Context) (all []evidence.Token, err error) {
	answer, err := c.accounts.ListAccounts(ctx, &accountpkg.ListAccountRequest{})
	if err != nil {
		return nil, c.fail(ctx, "list accounts", err)
	}
	for _, a := range answer.Items {
		for _, t := range a.Tokens {
			all = append(all, evidence.Token{Account: a.Name, ID: t.Id, Issued: fromSeconds(t.IssuedAt), Expires: fromSeconds(t.ExpiresAt)})
		}
	}
	return all, nil
}

func (c *Client) roleTokens(ctx context.Context) (all []evidence.Token, err error) {
	projects, err := c.listProjects(ctx)
	if err != nil {
		return nil, err
	}
	for n := range projects {
		p := &projects[n]
		p.NormalizeJWTTokens() // newer versions have them in its status
		for _, role := range p.Spec.Roles {
			for _, t := range role.JWTTokens {
				all = append(all, evidence.Token{Project: p.Name, Role: role.Name, ID: t.ID, Issued: fromSeconds(t.IssuedAt), Expires: fromSeconds(t.ExpiresAt)})
			}
		}
	}
	return all, nil
}

// fromSeconds is a moment as tokens have it; 0 is none.
func fromSeconds(s int64) time.Time {
	if s <= 0 {
		return time.Time{}
	}
	return time.Unix(s, 0).UTC()
}

// ownToken is whose token the client logs in with, and its ID, which others may have as well; both "" where it has none, as that of a single
// sign-on.
func (c *Client) ownToken() (subject, id string) {
	claims, err := (&localconfig.User{AuthToken: c.login.token}).Claims()
	if err != nil { // not a JWT, so none of those that Argo CD issued
		return "", ""
	}
	return claims.Subject, claims.ID
}

// subjectOf is the subject of a token: that of an account (server/account/account.go in Argo CD) or of a role of a project (JWTTokenSubFormat in
// server/project/project.go).
func subjectOf(t *evidence.Token) string {
	if t.Account != "" {
		return t.Account + ":apiKey"
	}
	return "proj:" + t.Project + ":" + t.Role
}
