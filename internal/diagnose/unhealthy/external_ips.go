package unhealthy

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// maxExternalIPs is how many addresses a sentence names.
const maxExternalIPs = 3

// ExternalIPs says why a Service of type LoadBalancer that people reach by its externalIPs is not healthy to Argo CD, and the steps
// against that. ok is false where it has none, or an address of a load balancer.
func ExternalIPs(in *diagnose.In, ref evidence.Ref, service evidence.Object) (why string, steps []diagnose.Fix, ok bool) {
	list, _ := service.At("spec", "externalIPs").([]any)
	if len(list) == 0 || len(service.List("status", "loadBalancer", "ingress")) > 0 {
		return "", nil, false
	}
	var ips []string
	for _, ip := range list {
		ips = append(ips, fmt.Sprint(ip))
	}
	why = fmt.Sprintf("Its spec.externalIPs (%s) do not count, although kubectl shows them as EXTERNAL-IP: Argo CD looks only at status.loadBalancer.ingress, which a load balancer controller fills.", text.List(ips, maxExternalIPs))
	fix := diagnose.Fix{Text: "If the external IPs are enough, set its type to ClusterIP or NodePort, with which they work as well"}
	if name := typeParameter(in); name != "" {
		fix.Text += fmt.Sprintf(". The Application sets Helm parameter %s to LoadBalancer", name)
	} else {
		fix.Text = strings.Replace(fix.Text, "set its type", "set its type in Git", 1)
		fix.Patch = fmt.Sprintf("# on %s\nspec:\n  type: ClusterIP   # or NodePort\n", ref)
	}
	return why, []diagnose.Fix{fix, {Text: "Or, if a load balancer should give it an address, install a controller that does, such as MetalLB"}}, true
}

// typeParameter is the only Helm parameter of the application that makes a Service one of a load balancer.
func typeParameter(in *diagnose.In) string {
	found := ""
	for _, s := range append(in.App().Spec.Sources, in.App().Source(0)) {
		if s.Helm == nil {
			continue
		}
		for _, p := range s.Helm.Parameters {
			if p.Value == "LoadBalancer" && strings.HasSuffix(strings.ToLower(p.Name), "type") {
				if found != "" && found != p.Name {
					return ""
				}
				found = p.Name
			}
		}
	}
	return found
}
