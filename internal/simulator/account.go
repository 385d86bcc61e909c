package simulator

import (
	"context"
	"net/http"
	"strings"

	"github.com/argoproj/argo-cd/v2/pkg/apiclient"
	accountpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/account"
	sessionpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/session"
	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// Account is the account that the token belongs to, unless the server is told another one.
const Account = "argo-why"

// Rename has the token belong to another account, as each installation calls its own.
func (s *Server) Rename(account string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.account = account
}

// errDenied is what Argo CD says where it does not want to tell whether there is such an application.
var errDenied = status.Error(codes.PermissionDenied, "permission denied")

// Deny takes a right away; the account has all of them at first.
func (s *Server) Deny(resource, action, objects string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.denied[resource+" "+action+" "+objects] = true
}

// Allow gives a denied right back.
func (s *Server) Allow(resource, action, objects string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.denied, resource+" "+action+" "+objects)
}

// authorize answers as Argo CD's RBAC, for the account that has all rights but those denied.
func (s *Server) authorize(action string, app *v1alpha1.Application) error {
	project := app.Spec.GetProject()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, objects := range []string{"*/*", project + "/*", project + "/" + app.Name} {
		if s.denied["applications "+action+" "+objects] {
			return status.Errorf(codes.PermissionDenied, "permission denied: applications, %s, %s/%s, sub: %s, iat: 2026-01-01T00:00:00Z", action, project, app.Name, s.account)
		}
	}
	return nil
}

// authenticate answers as Argo CD's session manager. It is as strict about the content type as argocd-server, which routes
// by it and resets the connection on any other.
func (s *Server) authenticate(ctx context.Context) error {
	md, _ := metadata.FromIncomingContext(ctx)
	if kind := md.Get("content-type"); len(kind) != 1 || kind[0] != "application/grpc" {
		return status.Errorf(codes.Unavailable, "simulator: content type %q: Argo CD would reset the connection", kind)
	}
	switch given := tokenOf(md); given {
	case "":
		return status.Error(codes.Unauthenticated, "no session information")
	case "expired":
		return status.Error(codes.Unauthenticated, "invalid session: token has invalid claims: token is expired")
	case s.token:
	default:
		return status.Error(codes.Unauthenticated, "invalid session: token signature is invalid: signature is invalid")
	}
	return nil
}

// tokenOf is the token of a request, in the order in which Argo CD looks for it: of gRPC, of HTTP, of a browser.
func tokenOf(md metadata.MD) string {
	if given := md.Get(apiclient.MetaDataTokenKey); len(given) > 0 {
		return given[0]
	}
	for _, given := range md.Get("authorization") {
		if token, ok := strings.CutPrefix(given, "Bearer "); ok {
			return token
		}
	}
	for _, given := range md.Get("grpcgateway-cookie") {
		cookies, err := http.ParseCookie(given)
		for _, c := range cookies {
			if err == nil && c.Name == "argocd.token" {
				return c.Value
			}
		}
	}
	return ""
}

type accountService struct {
	accountpkg.UnimplementedAccountServiceServer
	s *Server
}

func (a *accountService) CanI(_ context.Context, q *accountpkg.CanIRequest) (*accountpkg.CanIResponse, error) {
	switch q.Resource {
	case "applications", "projects", "repositories", "clusters", "logs", "exec":
	default:
		return nil, status.Errorf(codes.InvalidArgument, "[applications projects repositories clusters logs exec] does not contain %s", q.Resource)
	}
	switch q.Action {
	case "get", "create", "update", "delete", "sync", "override", "action", "invoke":
	default:
		return nil, status.Errorf(codes.InvalidArgument, "[get create update delete sync override action invoke] does not contain %s", q.Action)
	}
	a.s.mu.Lock()
	defer a.s.mu.Unlock()
	if a.s.denied[q.Resource+" "+q.Action+" "+q.Subresource] {
		return &accountpkg.CanIResponse{Value: "no"}, nil
	}
	return &accountpkg.CanIResponse{Value: "yes"}, nil
}

type sessionService struct {
	sessionpkg.UnimplementedSessionServiceServer
	s *Server
}

func (v *sessionService) GetUserInfo(context.Context, *sessionpkg.GetUserInfoRequest) (*sessionpkg.GetUserInfoResponse, error) {
	v.s.mu.Lock()
	defer v.s.mu.Unlock()
	return &sessionpkg.GetUserInfoResponse{LoggedIn: true, Username: v.s.account, Iss: "argocd"}, nil
}
