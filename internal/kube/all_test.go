package kube_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/argo-why/argo-why/internal/evidence"
)

const nodes = "/api/v1/nodes"

func TestAllNodes(t *testing.T) {
	s := newAPIServer(t)
	node := named("v1", "Node", "", "w-0", "u1")
	node["status"] = object{"images": []any{object{"names": []any{"registry.example.com/huge:1"}}}, "phase": "Running"}
	s.paths[nodes] = listOf("v1", "NodeList", node)
	cluster := s.in(t)
	found, err := cluster.All(t.Context(), evidence.OutsideNode)
	if err != nil || len(found) != 1 || found[0].Text("status", "phase") != "Running" || found[0].At("status", "images") != nil {
		t.Fatalf("got %v, %v: want one node without its images", found, err)
	}
	again, err := replayed(t, cluster).All(t.Context(), evidence.OutsideNode)
	if err != nil || !reflect.DeepEqual(again, found) {
		t.Errorf("replayed: %v, %v", again, err)
	}
	if again, err := replayed(t, cluster).All(t.Context(), evidence.OutsideVolume); !errors.Is(err, evidence.ErrAbsent) {
		t.Errorf("volumes were never read, and the case has %v, %v", again, err)
	}
}

func TestNodesThatAreNotRead(t *testing.T) {
	for name, x := range map[string]struct {
		prepare func(*apiServer)
		err     string
	}{
		"the right is missing": {
			prepare: func(s *apiServer) { s.refused[nodes] = true },
			err:     "read nodes: dana cannot list nodes.g in namespace shop; so reports do not say which label, taint or cordon keeps a pod off each node; grant it with argo-why generate kubernetes-rbac",
		},
		"there are too many": {
			prepare: func(s *apiServer) {
				list := listOf("v1", "NodeList", named("v1", "Node", "", "w-0", "u1"))
				list["metadata"] = object{"continue": "more"}
				s.paths[nodes] = list
			},
			err: "read nodes: there are more than 500",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newAPIServer(t)
			x.prepare(s)
			if found, err := s.in(t).All(t.Context(), evidence.OutsideNode); err == nil || err.Error() != x.err || !errors.Is(err, evidence.ErrAbsent) {
				t.Errorf("got %v, %v\nwant %s", found, err, x.err)
			}
		})
	}
}
