package rules_test

import (
	"fmt"
	"testing"
)

// TestWhichKindWasMetFirstMakesNoOtherCause: Argo CD names one of the kinds that it may not list, another one each time and for each application.
func TestWhichKindWasMetFirstMakesNoOtherCause(t *testing.T) {
	first := ""
	for _, resource := range []string{"widgets", "endpoints", "pods"} {
		said := fmt.Sprintf(`%s is forbidden: User "system:serviceaccount:argocd:argocd-application-controller" cannot list resource %q in API group "" at the cluster scope`, resource, resource)
		r := diagnosed(t, engine(t), forged(t, refusals(t, said)["comparing"]))
		if len(r.Findings) == 0 || r.Findings[0].Rule != "compare/cluster-forbidden" {
			t.Fatalf("%s: %s", resource, r.Headline)
		}
		shared := r.Findings[0].Shared
		if first == "" {
			first = shared
		}
		if shared == "" || shared != first {
			t.Errorf("%s: what is shared is %q, and %q of another kind", resource, shared, first)
		}
	}
}
