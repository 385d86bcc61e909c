package kube_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/kube"
)

const (
	hpas = "/apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers"
	keda = "/apis/keda.sh/v1alpha1/namespaces/shop/scaledobjects"
	vpas = "/apis/autoscaling.k8s.io/v1/namespaces/shop/verticalpodautoscalers"
)

// replayed is what was recorded, read back as a case file.
func replayed(t *testing.T, a *kube.App) evidence.Source {
	t.Helper()
	text, err := a.Record.Encode(time.Unix(0, 0), "a test")
	if err != nil {
		t.Fatal(err)
	}
	cases, err := evidence.DecodeCases(text, time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	return cases[0].Source()
}

// refuseKEDA has the account lack the right to its kind, which is installed.
func (s *apiServer) refuseKEDA() {
	s.install("keda.sh", "v1alpha1", "scaledobjects", "ScaledObject")
	s.refused[keda] = true
}

func TestAutoscalers(t *testing.T) {
	one := named("autoscaling/v2", "HorizontalPodAutoscaler", "shop", "web", "u1")
	two := named("keda.sh/v1alpha1", "ScaledObject", "shop", "queue", "u2")
	for name, x := range map[string]struct {
		prepare func(*apiServer)
		want    []string // kinds and names
		err     string
	}{
		"of several kinds, one not installed": {
			prepare: func(s *apiServer) {
				s.paths[hpas] = listOf("autoscaling/v2", "HorizontalPodAutoscalerList", one)
				s.paths[keda] = listOf("keda.sh/v1alpha1", "ScaledObjectList", two)
			},
			want: []string{"HorizontalPodAutoscaler/web", "ScaledObject/queue"},
		},
		"none": {prepare: func(*apiServer) {}},
		"a kind that is not installed is refused before anybody looks": {
			prepare: func(s *apiServer) { s.refused[keda], s.refused[vpas] = true, true },
		},
		"a kind that is not installed, of a group that is": {
			prepare: func(s *apiServer) {
				s.install("keda.sh", "v1alpha1", "triggerauthentications", "TriggerAuthentication")
				s.install("autoscaling.k8s.io", "v1", "verticalpodautoscalercheckpoints", "VerticalPodAutoscalerCheckpoint")
				s.refused[keda], s.refused[vpas] = true, true
			},
		},
		"some refused, some found": {
			prepare: func(s *apiServer) {
				s.paths[hpas] = listOf("autoscaling/v2", "HorizontalPodAutoscalerList", one)
				s.refuseKEDA()
			},
			want: []string{"HorizontalPodAutoscaler/web"},
		},
		"some refused, none found": {
			prepare: (*apiServer).refuseKEDA,
			err: "read autoscalers in namespace shop: dana cannot list scaledobjects.g in namespace shop; so reports do not say which ScaledObject of " +
				"KEDA outside the application sets replicas that differ from Git; grant it with argo-why generate kubernetes-rbac",
		},
		"all refused": {
			prepare: func(s *apiServer) {
				s.refuseKEDA()
				s.install("autoscaling.k8s.io", "v1", "verticalpodautoscalers", "VerticalPodAutoscaler")
				s.refused[hpas], s.refused[vpas] = true, true
			},
			err: "read autoscalers in namespace shop: dana cannot list horizontalpodautoscalers.g in namespace shop, " +
				"and dana cannot list scaledobjects.g in namespace shop, and dana cannot list verticalpodautoscalers.g in namespace shop; " +
				"so reports do not say which autoscaler outside the application sets replicas or requests that differ from Git; grant it with argo-why generate kubernetes-rbac",
		},
		"a cluster without the autoscaling API": {
			prepare: func(s *apiServer) { delete(s.paths, hpas) },
			err:     "read autoscalers in namespace shop: the server could not find the requested resource",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newAPIServer(t)
			x.prepare(s)
			cluster := s.in(t)
			found, err := cluster.Autoscalers(t.Context(), "shop")
			if x.err != "" {
				if err == nil || err.Error() != x.err || !errors.Is(err, evidence.ErrAbsent) {
					t.Errorf("got %v, %v\nwant %s", found, err, x.err)
				}
				if again, err := replayed(t, cluster).Autoscalers(t.Context(), "shop"); !errors.Is(err, evidence.ErrAbsent) {
					t.Errorf("replayed: %v, %v", again, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, o := range found {
				got = append(got, o.Ref().String())
			}
			if !slices.Equal(got, x.want) {
				t.Errorf("got %v, want %v", got, x.want)
			}
			again, err := replayed(t, cluster).Autoscalers(t.Context(), "shop")
			if err != nil || len(again) != len(found) || len(found) > 0 && !reflect.DeepEqual(again, found) {
				t.Errorf("replayed: %v, %v", again, err)
			}
		})
	}
}

func TestASecretComesWithoutItsValues(t *testing.T) {
	s := newAPIServer(t)
	applied := object{"kubectl.kubernetes.io/last-applied-configuration": `{"data":{"password":"aHVudGVyMg=="}}`, "team": "shop"}
	s.paths["/api/v1/namespaces/shop/secrets/db"] = object{
		"apiVersion": "v1", "kind": "Secret", "metadata": object{"namespace": "shop", "name": "db", "annotations": applied},
		"data": object{"password": "aHVudGVyMg==", "user": "c2hvcA=="}, "stringData": object{"url": "postgres://hunter2@db"},
	}
	cluster := s.in(t)
	got, err := cluster.Object(t.Context(), evidence.ObjectQuery{Ref: evidence.Ref{Kind: "Secret", Namespace: "shop", Name: "db"}})
	if err != nil {
		t.Fatal(err)
	}
	recorded, err := cluster.Record.Encode(time.Unix(0, 0), "a test")
	if err != nil {
		t.Fatal(err)
	}
	hidden := map[string]any{"password": "++++++++", "user": "++++++++"}
	if !reflect.DeepEqual(got["data"], hidden) || got.Text("stringData", "url") != "++++++++" || got.Annotation("team") != "shop" ||
		got.Annotation("kubectl.kubernetes.io/last-applied-configuration") != "" {
		t.Errorf("got %v", got)
	}
	for _, value := range []string{"aHVudGVyMg==", "c2hvcA==", "hunter2"} {
		if strings.Contains(string(recorded), value) {
			t.Errorf("the recording holds %s", value)
		}
	}
}

func TestObjects(t *testing.T) {
	s := newAPIServer(t)
	s.paths["/api/v1/namespaces/shop/configmaps/settings"] = object{
		"apiVersion": "v1", "kind": "ConfigMap", "metadata": object{"namespace": "shop", "name": "settings", "generation": 3},
	}
	s.paths["/api/v1/namespaces/shop"] = named("v1", "Namespace", "", "shop", "n")
	cluster := s.in(t)
	read := func(group, kind, namespace, name string) (evidence.Object, error) {
		return cluster.Object(t.Context(), evidence.ObjectQuery{Ref: evidence.Ref{Group: group, Kind: kind, Namespace: namespace, Name: name}})
	}
	found, err := read("", "ConfigMap", "shop", "settings")
	if n, ok := found.Number("metadata", "generation"); err != nil || !ok || n != 3 {
		t.Errorf("numbers are those of JSON: %v, %v", found, err)
	}
	if found, err = read("", "Namespace", "shop", "shop"); err != nil || found.Ref().Kind != "Namespace" {
		t.Errorf("a cluster-scoped object, whatever namespace is given: %v, %v", found, err)
	}
	if found, err = read("", "ConfigMap", "shop", "gone"); err != nil || found != nil {
		t.Errorf("an object that does not exist: %v, %v", found, err)
	}
	if found, err = read("example.com", "Widget", "shop", "w"); err != nil || found != nil {
		t.Errorf("an object of a kind that does not exist: %v, %v", found, err)
	}
	if _, err = read("", "Widget", "shop", "w"); err == nil || err.Error() != "read Widget/w: the API group of the kind is not known" {
		t.Errorf("a kind without its group: %v", err)
	}
	if _, err = read("", "ConfigMap", "", "settings"); err == nil || err.Error() != "read ConfigMap/settings: the namespace is not known" {
		t.Errorf("a namespaced object without its namespace: %v", err)
	}
	if _, err = cluster.Events(t.Context(), evidence.ObjectQuery{Ref: evidence.Ref{Kind: "ConfigMap", Name: "settings"}}); err == nil || err.Error() != "read events of ConfigMap/settings: the namespace is not known" {
		t.Errorf("events of a namespaced object without its namespace: %v", err)
	}
	if _, err = cluster.Autoscalers(t.Context(), ""); err == nil || err.Error() != "read autoscalers: the namespace is not known" {
		t.Errorf("autoscalers of no namespace: %v", err)
	}
	again := replayed(t, cluster)
	gone := evidence.ObjectQuery{Ref: evidence.Ref{Kind: "ConfigMap", Namespace: "shop", Name: "gone"}}
	if found, err := again.Object(t.Context(), gone); err != nil || found != nil {
		t.Errorf("replayed, an object that does not exist: %v, %v", found, err)
	}
	gone.Name = "settings"
	if found, err := again.Object(t.Context(), gone); err != nil || found == nil {
		t.Errorf("replayed, an object that exists: %v, %v", found, err)
	}
	if s.agent != "argo-why/test" {
		t.Errorf("the cluster sees %q", s.agent)
	}
	var proofs, discoveries int
	for _, path := range s.calls() {
		switch path {
		case "/apis/argoproj.io/v1alpha1/namespaces/argocd/applications/web":
			proofs++
		case "/api/v1":
			discoveries++
		}
	}
	if proofs != 1 || discoveries != 1 {
		t.Errorf("asked %v: the proof and each API group once", s.calls())
	}
}

func TestEventsAreThoseOfTheObject(t *testing.T) {
	s := newAPIServer(t)
	event := func(apiVersion, kind, name, uid, reason string) object {
		return object{"reason": reason, "involvedObject": object{"apiVersion": apiVersion, "kind": kind, "namespace": "shop", "name": name, "uid": uid}}
	}
	s.paths["/api/v1/namespaces/shop/events"] = listOf("v1", "EventList",
		event("serving.knative.dev/v1", "Service", "web", "k", "RevisionFailed"), event("v1", "Service", "web", "s", "NoEndpoints"),
		event("v1", "Service", "other", "o", "Other"), event("v1", "Pod", "web", "p", "BackOff"))
	s.paths["/api/v1/namespaces/default/events"] = listOf("v1", "EventList", event("v1", "Namespace", "shop", "n", "Created"))
	cluster := s.in(t)
	for name, x := range map[string]struct {
		query evidence.ObjectQuery
		want  []string
	}{
		"by name":                    {evidence.ObjectQuery{Ref: evidence.Ref{Kind: "Service", Namespace: "shop", Name: "web"}}, []string{"RevisionFailed", "NoEndpoints"}},
		"by group too":               {evidence.ObjectQuery{Ref: evidence.Ref{Group: "serving.knative.dev", Kind: "Service", Namespace: "shop", Name: "web"}}, []string{"RevisionFailed"}},
		"by UID":                     {evidence.ObjectQuery{Ref: evidence.Ref{Kind: "Service", Namespace: "shop", Name: "web"}, UID: "s"}, []string{"NoEndpoints"}},
		"of a cluster-scoped object": {evidence.ObjectQuery{Ref: evidence.Ref{Kind: "Namespace", Name: "shop"}}, []string{"Created"}},
		"none":                       {evidence.ObjectQuery{Ref: evidence.Ref{Kind: "Pod", Namespace: "shop", Name: "none"}}, nil},
	} {
		events, err := cluster.Events(t.Context(), x.query)
		var got []string
		for _, e := range events {
			got = append(got, e.Reason)
		}
		if err != nil || !slices.Equal(got, x.want) {
			t.Errorf("%s: %v, %v, want %v", name, got, err, x.want)
		}
	}
	if events, err := replayed(t, cluster).Events(t.Context(), evidence.ObjectQuery{Ref: evidence.Ref{Kind: "Pod", Namespace: "shop", Name: "none"}}); err != nil || len(events) != 0 {
		t.Errorf("replayed: %v, %v", events, err)
	}
}

// TestAReportSaysWhatItLacksWithoutARight, and what gives it: somebody who leaves out an optional right must not look for a fault.
func TestAReportSaysWhatItLacksWithoutARight(t *testing.T) {
	s := newAPIServer(t)
	s.refused["/api/v1/namespaces/shop/secrets/db"], s.refused["/api/v1/namespaces/shop/configmaps/db"], s.refused["/api/v1/namespaces/shop/events"] = true, true, true
	cluster := s.in(t)
	for kind, want := range map[string]string{
		"Secret": "; so reports do not say which keys a Secret outside the application has, when a pod asks for one that it lacks; " +
			"grant it with argo-why generate kubernetes-rbac --secret-keys, or do without",
		"ConfigMap": "; so reports do not say which keys a ConfigMap outside the application has, when a pod asks for one that it lacks; grant it with argo-why generate kubernetes-rbac --configmaps NAMESPACES, or do without",
	} {
		q := evidence.ObjectQuery{Ref: evidence.Ref{Kind: kind, Namespace: "shop", Name: "db"}}
		if o, err := cluster.Object(t.Context(), q); o != nil || err == nil || !strings.HasSuffix(err.Error(), want) || !errors.Is(err, evidence.ErrAbsent) {
			t.Errorf("%s: %v, %v", kind, o, err)
		}
		if _, err := cluster.Events(t.Context(), q); err == nil || !strings.Contains(err.Error(), "; so reports do not say what happened to objects that Argo CD does not show") {
			t.Errorf("events of %s: %v", kind, err)
		}
	}
}
