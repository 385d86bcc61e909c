package advice

import (
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// HealthCheck is the step that replaces the health check of a kind by one that is content. The comment ends up in its script.
func HealthCheck(in *diagnose.In, text string, ref evidence.Ref, comment string) diagnose.Fix {
	return checkOf(in, text, ref, "hs = {}", fmt.Sprintf("hs.status = \"Healthy\"   -- %s", comment), "return hs")
}

// ReadyCheck is the same for a kind whose condition Ready says how it is.
func ReadyCheck(in *diagnose.In, text string, ref evidence.Ref) diagnose.Fix {
	return checkOf(in, text, ref,
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

func checkOf(in *diagnose.In, text string, ref evidence.Ref, lua ...string) diagnose.Fix {
	return CheckSetting(ref).Set(in, text, strings.Join(lua, "\n")+"\n")
}

// CheckSetting is the setting that has the health check of a kind.
func CheckSetting(ref evidence.Ref) Setting {
	if ref.Group == "" {
		return Config(healthCheck + ref.Kind)
	}
	return Config(healthCheck + ref.Group + "_" + ref.Kind)
}

// BuiltIn are the groups whose health Argo CD knows without a customization.
func BuiltIn(ref evidence.Ref) bool {
	return slices.Contains([]string{"", "apps", "batch", "networking.k8s.io", "autoscaling", "extensions", "apiregistration.k8s.io", "argoproj.io"}, ref.Group)
}
