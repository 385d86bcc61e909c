package advice

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/evidence"
)

// HealthCheck is the entry for argocd-cm that replaces the health check of a kind. The comment ends up in its script.
func HealthCheck(ref evidence.Ref, comment string) string {
	return checkOf(ref, "hs = {}", fmt.Sprintf("hs.status = \"Healthy\"   -- %s", comment), "return hs")
}

// ReadyCheck is the same for a kind whose condition Ready says how it is.
func ReadyCheck(ref evidence.Ref) string {
	return checkOf(ref,
		`hs = {status = "Progressing"}`,
		`for _, c in ipairs((obj.status or {}).conditions or {}) do`,
		`  if c.type == "Ready" then`,
		`    hs.message = c.message`,
		`    if c.status == "True" then hs.status = "Healthy" end`,
		`    if c.status == "False" then hs.status = "Degraded" end`,
		`  end`,
		`end`,
		`return hs`)
}

func checkOf(ref evidence.Ref, lua ...string) string {
	key := ref.Kind
	if ref.Group != "" {
		key = ref.Group + "_" + ref.Kind
	}
	return fmt.Sprintf("data:\n  resource.customizations.health.%s: |\n    %s\n", key, strings.Join(lua, "\n    "))
}

// BuiltIn are the groups whose health Argo CD knows without a customization.
func BuiltIn(ref evidence.Ref) bool {
	return slices.Contains([]string{"", "apps", "batch", "networking.k8s.io", "autoscaling", "extensions", "apiregistration.k8s.io", "argoproj.io"}, ref.Group)
}
