package argo

import (
	"context"
	"errors"
	"slices"
	"strings"

	applicationpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/application"
	"github.com/argoproj/argo-cd/v2/util/localconfig"
	"google.golang.org/grpc/codes"

	"github.com/argo-why/argo-why/internal/policy"
)

// Right is what Argo CD's RBAC must allow for an action.
// https://argo-cd.readthedocs.io/en/stable/operator-manual/rbac/#application-specific-policy
type Right struct {
	// Action is its ID in a report: "sync".
	Action string
	// Resource and Verb are the second and third column of policy.csv, and the fourth is PROJECT/*.
	Resource, Verb string
}

// The rights of the actions.
var (
	// RightHardRefresh comes with reading: Argo CD lets an account refresh what it can get.
	RightHardRefresh = Right{"hard-refresh", "applications", "get"}
	RightSync        = Right{"sync", "applications", "sync"}
	// RightOverride is that to sync another commit than the one that the target revision means, where Argo CD wants it for that
	// (application.sync.requireOverridePrivilegeForRevisionSync).
	RightOverride = Right{"sync", "applications", "override"}
	// RightTerminate is that to sync: Argo CD has none of its own for it.
	RightTerminate = Right{"terminate", "applications", "sync"}
	// RightDeleteHookJob is for Jobs only, in all namespaces. It does not let the account delete an application.
	RightDeleteHookJob = Right{"delete-hook-job", "applications", "delete/batch/Job/*/*"}
)

// Rights are those of all actions.
var Rights = []Right{RightHardRefresh, RightDeleteHookJob, RightTerminate, RightSync}

// RightTo is the right of an action; false for one that Argo CD has no part in.
func RightTo(action string) (Right, bool) {
	i := slices.IndexFunc(Rights, func(r Right) bool { return r.Action == action })
	if i < 0 {
		return Right{}, false
	}
	return Rights[i], true
}

// String is the right without who has it on what: "applications, sync".
func (r Right) String() string { return r.Resource + ", " + r.Verb }

// Line is what gives the right, in argocd-rbac-cm. The project may be "*".
func (r Right) Line(account, project string) string {
	return policy.Line(account, r.Resource, r.Verb, project+"/*")
}

// probe is the name of an object that cannot exist: Kubernetes allows neither capitals nor underscores in it.
const probe = "Argo_Why_Asks_Whether_It_May"

// Has reports whether the account has a right to all applications of a project. For deleting an object it asks Argo CD to delete
// one that cannot exist, of the application that is given: Argo CD answers no question about such a right (it knows only actions
// without a path), but looks at it before it looks for the object. A refusal leaves a line in the log of argocd-server.
func (c *Client) Has(ctx context.Context, r Right, project string, app *App) (bool, error) {
	verb, path, ofObject := strings.Cut(r.Verb, "/")
	if !ofObject {
		return c.CanI(ctx, r.Resource, r.Verb, project+"/*")
	}
	operation := "check the right to " + r.Verb + " in project " + project
	if verb != "delete" || app == nil {
		return false, errors.New(operation + ": it needs an application of the project, and a right to delete")
	}
	group, kind, _ := strings.Cut(path, "/")
	kind, _, _ = strings.Cut(kind, "/")
	namespace, name, version := app.destination(), probe, "v1"
	_, err := c.applications.DeleteResource(ctx, &applicationpkg.ApplicationResourceDeleteRequest{
		Name: &app.name, AppNamespace: given(app.namespace), Project: given(app.project),
		Namespace: &namespace, ResourceName: &name, Version: &version, Group: &group, Kind: &kind,
	})
	switch {
	case code(err) == codes.PermissionDenied:
		return false, nil
	case isOutsideTree(err), strings.HasPrefix(message(err), "error getting app resources: "): // both come after the right
		return true, nil
	case err == nil:
		return false, errors.New(operation + ": Argo CD claims to have deleted what cannot exist")
	}
	return false, c.fail(ctx, operation, err)
}

// destination is the namespace of the application's objects, as far as it is known.
func (a *App) destination() string {
	if app := a.Application(); app != nil && app.Spec.Destination.Namespace != "" {
		return app.Spec.Destination.Namespace
	}
	return "default"
}

// accountName is whom the token belongs to, as the second column of policy.csv has it; ACCOUNT where it does not tell: people
// who log in through single sign-on get their rights by group.
func (c *Client) accountName() string {
	claims, err := (&localconfig.User{AuthToken: c.login.token}).Claims()
	if err != nil {
		return "ACCOUNT"
	}
	if name, kind, ok := strings.Cut(claims.Subject, ":"); ok && (kind == "apiKey" || kind == "login") {
		return name
	}
	if strings.HasPrefix(claims.Subject, "proj:") { // a role of a project is one as a whole
		return claims.Subject
	}
	return "ACCOUNT"
}
