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
	err, unread error
}

func (a argoCD) Object(context.Context, evidence.ObjectQuery) (evidence.Object, error) {
	return evidence.Object{"from": "Argo CD"}, a.err
}

func (a argoCD) Events(context.Context, evidence.ObjectQuery) ([]evidence.Event, error) {
	return []evidence.Event{{Reason: "Argo CD"}}, a.err
}

func (a argoCD) All(context.Context, evidence.Outside) ([]evidence.Object, error) {
	return []evidence.Object{{"from": "Argo CD"}}, a.err
}

func (a argoCD) Autoscalers(context.Context, string) ([]evidence.Object, error) {
	return []evidence.Object{{"from": "Argo CD"}}, a.err
}

// Tree implements evidence.Source: the application has one object, in namespace made.
func (a argoCD) Tree(context.Context) (*evidence.Tree, error) {
	return &evidence.Tree{Nodes: []evidence.Node{{Kind: "Pod", Namespace: "made", Name: "web", UID: "1"}, {Kind: "Pod", Namespace: "wanted", Name: "web"}}}, nil
}

// ManagedResources implements evidence.Source: one is in namespace compared.
func (a argoCD) ManagedResources(context.Context) ([]evidence.ResourceDiff, error) {
	return []evidence.ResourceDiff{{Kind: "ConfigMap", Namespace: "compared", Name: "settings", LiveState: "{}"}, {Kind: "ConfigMap", Namespace: "wanted", Name: "settings", LiveState: "null"}}, nil
}

// Project implements evidence.Source: it allows namespace shop.
func (a argoCD) Project(context.Context) (*evidence.Project, error) {
	p := &evidence.Project{}
	p.Spec.Destinations = []evidence.Destination{{Server: "*", Namespace: "shop"}}
	return p, a.unread
}

// shop is deployed to a namespace that its project does not allow: Argo CD refuses it, and whoever wrote it can still write its status.
func shop() *evidence.Application {
	app := &evidence.Application{}
	app.Spec.Destination = evidence.Destination{Server: "https://kubernetes.default.svc", Namespace: "kube-system"}
	return app
}

type cluster struct{}

func (cluster) Object(context.Context, evidence.ObjectQuery) (evidence.Object, error) {
	return evidence.Object{"from": "the cluster"}, nil
}

func (cluster) All(context.Context, evidence.Outside) ([]evidence.Object, error) {
	return []evidence.Object{{"from": "the cluster"}}, nil
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
		s := evidence.WithCluster(argoCD{err: x.err}, cluster{}, shop)
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
	s := evidence.WithCluster(argoCD{err: fmt.Errorf("read it: %w", evidence.ErrAbsent)}, cluster{}, shop)
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

// TestTheClusterIsAskedOnlyAboutTheApplicationsNamespaces: a status can name any.
func TestTheClusterIsAskedOnlyAboutTheApplicationsNamespaces(t *testing.T) {
	absent := fmt.Errorf("read it: %w", evidence.ErrAbsent)
	for _, x := range []struct {
		namespace string
		known     bool // the tree and what is compared were read
		unread    error
		asked     bool
	}{
		{"shop", false, nil, true},
		{"kube-system", false, nil, false}, // the destination alone says nothing
		{"made", false, nil, false},
		{"made", true, nil, false}, // on the cluster that the application named before
		{"compared", true, nil, false},
		{"made", false, errors.New("permission denied"), false},
		{"made", true, errors.New("permission denied"), true},
		{"compared", true, errors.New("permission denied"), true},
		{"wanted", true, errors.New("permission denied"), false}, // only Git has it
		{"shop", true, errors.New("permission denied"), false},
	} {
		s := evidence.WithCluster(argoCD{err: absent, unread: x.unread}, cluster{}, shop)
		if x.known {
			_, err := s.Tree(t.Context())
			_, err2 := s.ManagedResources(t.Context())
			if err := errors.Join(err, err2); err != nil {
				t.Fatal(err)
			}
		}
		ref := evidence.Ref{Group: "batch", Kind: "Job", Namespace: x.namespace, Name: "migrate"}
		_, object := s.Object(t.Context(), evidence.ObjectQuery{Ref: ref})
		_, events := s.Events(t.Context(), evidence.ObjectQuery{Ref: ref})
		_, scalers := s.Autoscalers(t.Context(), x.namespace)
		for what, err := range map[string]error{"object": object, "events": events, "autoscalers": scalers} {
			if (err == nil) != x.asked || err != nil && !errors.Is(err, evidence.ErrAbsent) {
				t.Errorf("%s in %s (%+v): %v", what, x.namespace, x, err)
			}
		}
	}
}
