package apply

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
)

// podsec is how Pod Security begins, with the level that it enforces.
var podsec = pattern.MustCompile(`violates PodSecurity "([^"]+)"`)

// violation is one of those that Pod Security lists: `hostPort (container "agent" uses hostPort 8125)`.
var violation = pattern.MustCompile(`([^,()][^()]*?) ?\(([^()]*)\)`)

// podSecurity reads what Pod Security requires. A violation has in brackets what must be set, or what is there and must not be.
func podSecurity(level, violations, namespace string) denial {
	d := denial{by: "Pod Security", kind: "Pod Security level", name: level, who: "Violations", reason: violations,
		exempt: "If it needs these rights, its namespace needs a lower level; this shows the level it has", show: diagnose.Shell("kubectl get namespace %s -L pod-security.kubernetes.io/enforce", namespace)}
	var names []string
	for _, m := range violation.FindAllStringSubmatch(violations, -1) {
		name, detail := strings.Trim(m[1], " ,"), m[2]
		names = append(names, name)
		if !strings.Contains(detail, " must ") {
			detail = fmt.Sprintf("remove %s (%s)", name, detail)
		}
		d.required = append(d.required, detail)
	}
	if len(names) > 0 {
		d.reason = strings.Join(names, ", ")
	}
	return d
}
