package argotest

import (
	"context"

	accountpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/account"
	sessionpkg "github.com/argoproj/argo-cd/v2/pkg/apiclient/session"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Account is who the good token belongs to.
const Account = "argo-why"

// Deny takes a right away; the account has all of them at first.
func (s *Server) Deny(resource, action, objects string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.denied[resource+" "+action+" "+objects] = true
}

type accounts struct {
	accountpkg.UnimplementedAccountServiceServer
	s *Server
}

func (a *accounts) CanI(_ context.Context, q *accountpkg.CanIRequest) (*accountpkg.CanIResponse, error) {
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

type sessions struct {
	sessionpkg.UnimplementedSessionServiceServer
}

func (*sessions) GetUserInfo(context.Context, *sessionpkg.GetUserInfoRequest) (*sessionpkg.GetUserInfoResponse, error) {
	return &sessionpkg.GetUserInfoResponse{LoggedIn: true, Username: Account, Iss: "argocd"}, nil
}
