package chart_test

import (
	"fmt"
	"testing"

	networkingv1 "k8s.io/api/networking/v1"
)

// TestTheNetworkIsLimitedByDefault, in both directions; and every switch that opens it opens what it says.
func TestTheNetworkIsLimitedByDefault(t *testing.T) {
	minimal := valuesOf(t)["minimal"]
	policy := func(more string) networkingv1.NetworkPolicySpec {
		return one[*networkingv1.NetworkPolicy](t, decode(t, mustRender(t, minimal+more)), "argo-why").Spec
	}
	ports := func(list []networkingv1.NetworkPolicyPort) (out []string) {
		for _, p := range list {
			out = append(out, p.Port.String())
		}
		return out
	}
	byDefault := policy("")
	if got := fmt.Sprint(byDefault.PolicyTypes); got != "[Ingress Egress]" {
		t.Errorf("it limits %s", got)
	}
	for i, want := range []string{"webhooks", "metrics"} {
		if in := byDefault.Ingress[i]; fmt.Sprint(ports(in.Ports)) != "["+want+"]" || len(in.From) != 1 || in.From[0].NamespaceSelector == nil {
			t.Errorf("%s: from %v to %v", want, in.From, ports(in.Ports))
		}
	}
	if got := byDefault.Ingress[0].From[0].NamespaceSelector.MatchExpressions[0].Values; fmt.Sprint(got) != "[argocd]" {
		t.Errorf("webhooks from %v", got)
	}
	if len(byDefault.Egress) != 2 || fmt.Sprint(ports(byDefault.Egress[0].Ports), ports(byDefault.Egress[1].Ports)) != "[53 53 5353 5353] [443 6443 8080]" {
		t.Errorf("out: %v", byDefault.Egress)
	}
	if got := ports(policy("\nnetworkPolicy: {egressPorts: [3128]}\n").Egress[1].Ports); fmt.Sprint(got) != "[443 6443 8080 3128]" {
		t.Errorf("with a proxy: %v", got)
	}
	if got := policy("\ningress: {enabled: true, host: a.example.com}\n").Ingress[0].From; len(got) > 0 {
		t.Errorf("through an Ingress: %v", got)
	}
	for id := range decode(t, mustRender(t, minimal+"\nnetworkPolicy: {enabled: false}\n")) {
		if id == "NetworkPolicy argo-why/argo-why" {
			t.Error("it cannot be turned off")
		}
	}
}
