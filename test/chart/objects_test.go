package chart_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// kinds are what the API server reads each kind into.
var kinds = map[string]func() metav1.Object{
	"ClusterRole":              func() metav1.Object { return &rbacv1.ClusterRole{} },
	"ClusterRoleBinding":       func() metav1.Object { return &rbacv1.ClusterRoleBinding{} },
	"ConfigMap":                func() metav1.Object { return &corev1.ConfigMap{} },
	"CustomResourceDefinition": func() metav1.Object { return &apiextensionsv1.CustomResourceDefinition{} },
	"Deployment":               func() metav1.Object { return &appsv1.Deployment{} },
	"Ingress":                  func() metav1.Object { return &networkingv1.Ingress{} },
	"NetworkPolicy":            func() metav1.Object { return &networkingv1.NetworkPolicy{} },
	"PodDisruptionBudget":      func() metav1.Object { return &policyv1.PodDisruptionBudget{} },
	"PrometheusRule":           func() metav1.Object { return &monitoringv1.PrometheusRule{} },
	"Role":                     func() metav1.Object { return &rbacv1.Role{} },
	"RoleBinding":              func() metav1.Object { return &rbacv1.RoleBinding{} },
	"Secret":                   func() metav1.Object { return &corev1.Secret{} },
	"Service":                  func() metav1.Object { return &corev1.Service{} },
	"ServiceAccount":           func() metav1.Object { return &corev1.ServiceAccount{} },
	"ServiceMonitor":           func() metav1.Object { return &monitoringv1.ServiceMonitor{} },
}

// release is what is rendered, by kind, namespace and name.
type release map[string]metav1.Object

// decode reads what is rendered strictly: an unknown or repeated field is an error.
func decode(t *testing.T, objects []string) release {
	t.Helper()
	out := release{}
	for _, text := range objects {
		empty, ok := kinds[kind(t, text)]
		if !ok {
			t.Fatalf("say here which type this has:\n%s", text)
		}
		o := empty()
		if err := yaml.UnmarshalStrict([]byte(text), o); err != nil {
			t.Errorf("%v:\n%s", err, text)
			continue
		}
		id := fmt.Sprintf("%s %s/%s", kind(t, text), o.GetNamespace(), o.GetName())
		if out[id] != nil {
			t.Errorf("%s twice", id)
		}
		out[id] = o
	}
	return out
}

// one is the object of its type that is named so.
func one[T metav1.Object](t *testing.T, r release, name string) T {
	t.Helper()
	var found []T
	for _, o := range r {
		if typed, ok := o.(T); ok && o.GetName() == name {
			found = append(found, typed)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d objects %T named %s", len(found), *new(T), name)
	}
	return found[0]
}

// TestEveryObjectIsOneOfItsKind, with every set of values, and so is what is rendered for those without Helm.
func TestEveryObjectIsOneOfItsKind(t *testing.T) {
	rendered := map[string]bool{}
	for name, values := range valuesOf(t) {
		t.Run(name, func(t *testing.T) {
			for id, o := range decode(t, mustRender(t, values)) {
				k, _, _ := strings.Cut(id, " ")
				rendered[k] = true
				if o.GetLabels()["app.kubernetes.io/part-of"] != "argo-why" {
					t.Errorf("%s lacks the label of the project", id)
				}
				if clusterWide := k == "ClusterRole" || k == "ClusterRoleBinding" || k == "CustomResourceDefinition"; clusterWide != (o.GetNamespace() == "") {
					t.Errorf("%s: namespace %q", id, o.GetNamespace())
				}
			}
		})
	}
	for k := range kinds {
		if !rendered[k] {
			t.Errorf("no set of values renders a %s", k)
		}
	}
	decode(t, strings.Split(read(t, deploy+"/install.yaml"), "\n---\n"))
}

// TestThePodIsHardened, and finds what it mounts and is asked for.
func TestThePodIsHardened(t *testing.T) {
	for name, values := range valuesOf(t) {
		t.Run(name, func(t *testing.T) {
			all := decode(t, mustRender(t, values))
			pod := one[*appsv1.Deployment](t, all, "argo-why").Spec.Template
			whole, own := pod.Spec.SecurityContext, pod.Spec.Containers[0].SecurityContext
			if whole.RunAsNonRoot == nil || !*whole.RunAsNonRoot || whole.SeccompProfile.Type != corev1.SeccompProfileTypeRuntimeDefault {
				t.Errorf("pod: %+v", whole)
			}
			if *own.AllowPrivilegeEscalation || !*own.ReadOnlyRootFilesystem || !slices.Equal(own.Capabilities.Drop, []corev1.Capability{"ALL"}) {
				t.Errorf("container: %+v", own)
			}
			ports := map[string]int32{}
			for _, p := range pod.Spec.Containers[0].Ports {
				ports[p.Name] = p.ContainerPort
			}
			for _, o := range all {
				s, ok := o.(*corev1.Service)
				if !ok {
					continue
				}
				if ports[s.Spec.Ports[0].TargetPort.StrVal] == 0 {
					t.Errorf("Service %s leads to port %q, which the pod lacks", s.Name, s.Spec.Ports[0].TargetPort.StrVal)
				}
				for key, value := range s.Spec.Selector {
					if pod.Labels[key] != value {
						t.Errorf("Service %s selects %s=%s", s.Name, key, value)
					}
				}
			}
			for _, p := range []*corev1.Probe{pod.Spec.Containers[0].StartupProbe, pod.Spec.Containers[0].LivenessProbe, pod.Spec.Containers[0].ReadinessProbe} {
				if ports[p.HTTPGet.Port.StrVal] == 0 {
					t.Errorf("a probe asks port %q, which the pod lacks", p.HTTPGet.Port.StrVal)
				}
			}
		})
	}
}

// TestDefinitionsAreUpgradedAndKept: Helm never upgrades what is in a chart's crds/.
func TestDefinitionsAreUpgradedAndKept(t *testing.T) {
	if crds := load(t).CRDObjects(); len(crds) > 0 {
		t.Errorf("%d definitions are in crds/, where Helm does not upgrade them", len(crds))
	}
	kept := 0
	for _, o := range decode(t, mustRender(t, valuesOf(t)["minimal"])) {
		if d, ok := o.(*apiextensionsv1.CustomResourceDefinition); ok && d.Annotations["helm.sh/resource-policy"] == "keep" {
			kept++
		}
	}
	if kept != 3 {
		t.Errorf("%d definitions are kept, want those of Incident, IncidentMembers and ActionLog", kept)
	}
}

// TestEveryLeaderHasItsLease: the account can renew the Lease of each Argo CD that has a leader of its own, and no other.
func TestEveryLeaderHasItsLease(t *testing.T) {
	for name, want := range map[string][]string{
		"minimal":    {"argo-why"},
		"everything": {"argo-why", "argo-why-prod", "argo-why-staging"},
	} {
		role := one[*rbacv1.Role](t, decode(t, mustRender(t, valuesOf(t)[name])), "argo-why-journal")
		var leases []string
		for _, rule := range role.Rules {
			if rule.Resources[0] == "leases" {
				leases = append(leases, rule.ResourceNames...)
			}
		}
		if !slices.Equal(leases, want) {
			t.Errorf("%s: %v, want %v", name, leases, want)
		}
	}
}
