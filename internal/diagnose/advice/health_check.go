package advice

import (
	"fmt"
	"slices"

	"github.com/argo-why/argo-why/internal/evidence"
)

// HealthCheck is the entry for argocd-cm that replaces the health check of a kind. The comment ends up in its script.
func HealthCheck(ref evidence.Ref, comment string) string {
	key := ref.Kind
	if ref.Group != "" {
		key = ref.Group + "_" + ref.Kind
	}
	return fmt.Sprintf("data:\n  resource.customizations.health.%s: |\n    hs = {}\n    hs.status = \"Healthy\"   -- %s\n    return hs\n", key, comment)
}

// BuiltIn are the groups whose health Argo CD knows without a customization.
func BuiltIn(ref evidence.Ref) bool {
	return slices.Contains([]string{"", "apps", "batch", "networking.k8s.io", "autoscaling", "extensions", "apiregistration.k8s.io", "argoproj.io"}, ref.Group)
}
