package evidence_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/argo-why/argo-why/internal/evidence"
)

// argoCD answers with one error, or one object.
type argoCD struct {
	evidence.Source
	err error
}

func (a argoCD) Object(context.Context, evidence.ObjectQuery) (evidence.Object, error) {
	return evidence.Object{"from": "Argo CD"}, a.err
}

func (a argoCD) Events(context.Context, evidence.ObjectQuery) ([]evidence.Event, error) {
	return []evidence.Event{{Reason: "Argo CD"}}, a.err
}

func (a argoCD) Autoscalers(context.Context, string) ([]evidence.Object, error) {
	return []evidence.Object{{"from": "Argo CD"}}, a.err
}

type cluster struct{}

func (cluster) Object(context.Context, evidence.ObjectQuery) (evidence.Object, error) {
	return evidence.Object{"from": "the cluster"}, nil
}

func (cluster) Events(context.Context, evidence.ObjectQuery) ([]evidence.Event, error) {
	return []evidence.Event{{Reason: "the cluster"}}, nil
}

func (cluster) Autoscalers(context.Context, string) ([]evidence.Object, error) {
	return []evidence.Object{{"from": "the cluster"}}, nil
}

func TestTheClusterIsAskedForWhatArgoCDDoesNotHold(t *testing.T) {
	refused := errors.New("permission denied")
	for name, x := range map[string]struct {
		err     error
		from    string
		wantErr error
	}{
		"Argo CD has it":            {nil, "Argo CD", nil},
		"Argo CD does not hold it":  {fmt.Errorf("read it: %w", evidence.ErrAbsent), "the cluster", nil},
		"Argo CD refuses to answer": {refused, "Argo CD", refused}, // what its permissions hide is not fetched behind its back
	} {
		s := evidence.WithCluster(argoCD{err: x.err}, cluster{})
		object, err := s.Object(t.Context(), evidence.ObjectQuery{Ref: evidence.Ref{Kind: "ConfigMap", Namespace: "shop", Name: "db"}})
		if object.Text("from") != x.from || !errors.Is(err, x.wantErr) {
			t.Errorf("%s: object %v, %v", name, object, err)
		}
		events, err := s.Events(t.Context(), evidence.ObjectQuery{})
		if events[0].Reason != x.from || !errors.Is(err, x.wantErr) {
			t.Errorf("%s: events %v, %v", name, events, err)
		}
		found, err := s.Autoscalers(t.Context(), "shop")
		if found[0].Text("from") != x.from || !errors.Is(err, x.wantErr) {
			t.Errorf("%s: autoscalers %v, %v", name, found, err)
		}
		if _, free := s.(interface{ Free() }); free {
			t.Errorf("%s: a live source is not free", name)
		}
	}
}

// TestTheClusterIsNotAskedForWhatNoRuleDeclares: an account may be able to read more than the roles in deploy/ give it.
func TestTheClusterIsNotAskedForWhatNoRuleDeclares(t *testing.T) {
	s := evidence.WithCluster(argoCD{err: fmt.Errorf("read it: %w", evidence.ErrAbsent)}, cluster{})
	for _, x := range []struct {
		ref   evidence.Ref
		asked bool
	}{
		{evidence.Ref{Group: "batch", Kind: "Job", Namespace: "shop", Name: "migrate"}, true},
		{evidence.Ref{Group: "cert-manager.io", Kind: "ClusterIssuer", Name: "letsencrypt"}, true},
		{evidence.Ref{Group: "rbac.authorization.k8s.io", Kind: "ClusterRoleBinding", Name: "argocd-application-controller"}, true},
		{evidence.Ref{Group: "rbac.authorization.k8s.io", Kind: "ClusterRoleBinding", Name: "cluster-admin"}, false},
		{evidence.Ref{Group: "apps", Kind: "Deployment", Namespace: "shop", Name: "web"}, false},
		{evidence.Ref{Kind: "Pod", Namespace: "shop", Name: "web"}, false},
		{evidence.Ref{Group: "example.com", Kind: "ConfigMap", Namespace: "shop", Name: "db"}, false},
		{evidence.Ref{Group: "autoscaling", Kind: "HorizontalPodAutoscaler", Namespace: "shop", Name: "web"}, false}, // they are listed
	} {
		object, err := s.Object(t.Context(), evidence.ObjectQuery{Ref: x.ref})
		if asked := object.Text("from") == "the cluster" && err == nil; asked != x.asked || !asked && !errors.Is(err, evidence.ErrAbsent) {
			t.Errorf("%s of group %q: %v, %v", x.ref, x.ref.Group, object, err)
		}
	}
}
