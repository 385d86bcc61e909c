package advice

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
)

// Setting is a key of one of the ConfigMaps that Argo CD reads its settings from. It is the one place that knows how a setting is changed: where
// an operator owns Argo CD, it writes these ConfigMaps from its ArgoCD resource and undoes what people change in them.
type Setting struct{ config, key string }

// Config is a key of argocd-cm.
func Config(key string) Setting { return Setting{"argocd-cm", key} }

// Param is a key of argocd-cmd-params-cm, which components read when they start.
func Param(key string) Setting { return Setting{"argocd-cmd-params-cm", key} }

// Policy is the policy for everybody who uses Argo CD.
var Policy = Setting{"argocd-rbac-cm", "policy.csv"}

// fields are those of the ArgoCD resource for keys that have one of their own. All others of argocd-cm belong in extraConfig.
// https://argocd-operator.readthedocs.io/en/latest/reference/argocd/
var fields = map[Setting]string{
	Config("application.resourceTrackingMethod"): "resourceTrackingMethod",
	Config("kustomize.buildOptions"):             "kustomizeBuildOptions",
	Config("resource.exclusions"):                "resourceExclusions",
	Config("resource.inclusions"):                "resourceInclusions",
	Config("timeout.reconciliation"):             "controller.appSync",
	Param("application.namespaces"):              "sourceNamespaces",
	Policy:                                       "rbac.policy",
}

const (
	healthCheck      = "resource.customizations.health."
	kustomizeVersion = "kustomize.path."
)

// field is the path of the field of the ArgoCD resource, below spec.
func (s Setting) field() []string {
	switch known := fields[s]; {
	case known != "":
		return strings.Split(known, ".")
	case strings.HasPrefix(s.key, healthCheck):
		return []string{"resourceHealthChecks"}
	case strings.HasPrefix(s.key, kustomizeVersion):
		return []string{"kustomizeVersions"}
	case s.config == "argocd-cmd-params-cm":
		return []string{"cmdParams", s.key}
	}
	return []string{"extraConfig", s.key}
}

// Place is where people change it, as it stands behind "in".
func (s Setting) Place(in *diagnose.In) string {
	argocd := Operator(in)
	if argocd == "" {
		return s.config
	}
	return "spec." + strings.TrimSuffix(strings.Join(s.field(), "."), "."+s.key) + " of the ArgoCD resource " + argocd + " (its operator undoes changes elsewhere)"
}

// Set is a step that gives it a value, for a person to merge into what is there.
func (s Setting) Set(in *diagnose.In, text, value string) diagnose.Fix {
	return diagnose.Fix{Text: text + " in " + s.Place(in), Patch: s.patch(Operator(in) != "", value)}
}

// Value is what a setting is to be.
type Value struct {
	Of Setting
	Is string
}

// SetAll is a step that gives values to several keys that lie side by side.
func SetAll(in *diagnose.In, text string, values []Value) diagnose.Fix {
	var step diagnose.Fix
	for i, v := range values {
		one := v.Of.Set(in, text, v.Is)
		if i == 0 {
			step = one
			continue
		}
		_, entry, _ := strings.Cut(one.Patch, v.Of.key)
		line := one.Patch[:len(one.Patch)-len(entry)-len(v.Of.key)]
		step.Patch += line[strings.LastIndexByte(line, '\n')+1:] + v.Of.key + entry
	}
	return step
}

// Apply is a step that gives it a value with a command. The ArgoCD resource is kept in Git more often than not, so there it is to be merged.
func (s Setting) Apply(in *diagnose.In, text, value string) diagnose.Fix {
	if Operator(in) != "" {
		return s.Set(in, text+":", value)
	}
	return diagnose.Fix{Text: text, Command: diagnose.Shell("kubectl -n %s patch cm %s --type merge -p %s", ArgoNamespace(in), s.config, DataPatch("data", s.key, value))}
}

// Edit is a step that changes it where the value that it has now is not known.
func (s Setting) Edit(in *diagnose.In, text string) diagnose.Fix {
	if Operator(in) != "" {
		return diagnose.Fix{Text: text + ": in " + s.Place(in)}
	}
	return diagnose.Fix{Text: text, Command: diagnose.Shell("kubectl -n %s edit cm %s", ArgoNamespace(in), s.config)}
}

// patch is the setting as YAML.
func (s Setting) patch(byOperator bool, value string) string {
	if !byOperator {
		return nested([]string{"data", s.key}, value)
	}
	kind, health := strings.CutPrefix(s.key, healthCheck)
	version, kustomize := strings.CutPrefix(s.key, kustomizeVersion)
	switch path := append([]string{"spec"}, s.field()...); {
	case health:
		group, name, grouped := strings.Cut(kind, "_")
		if !grouped {
			group, name = "", kind
		}
		return nested(path, "") + fmt.Sprintf("  - group: %q\n    kind: %s\n    check: |\n%s", group, name, indented(value, 6))
	case kustomize:
		return nested(path, "") + fmt.Sprintf("  - version: %s\n    path: %s\n", version, value)
	default:
		return nested(path, value)
	}
}

// nested is a value under its keys; "" leaves it to be written behind them.
func nested(path []string, value string) string {
	var b strings.Builder
	for i, key := range path {
		fmt.Fprintf(&b, "%s%s:", strings.Repeat("  ", i), key)
		if i < len(path)-1 {
			b.WriteString("\n")
		}
	}
	switch {
	case value == "":
		b.WriteString("\n")
	case strings.Contains(value, "\n"):
		b.WriteString(" |\n" + indented(value, 2*len(path)))
	default:
		b.WriteString(" " + value + "\n")
	}
	return b.String()
}

func indented(value string, by int) string {
	var b strings.Builder
	for line := range strings.Lines(value) {
		b.WriteString(strings.Repeat(" ", by) + strings.TrimSuffix(line, "\n") + "\n")
	}
	return b.String()
}

// openShift is the namespace of the Argo CD that OpenShift GitOps installs, and the name of its ArgoCD resource.
const openShift = "openshift-gitops"

// operatorAccount is the application controller's account as an operator names it, behind its ArgoCD resource. The manifests and the chart that
// Argo CD publishes call it argocd-application-controller, whatever the release is called.
var operatorAccount = pattern.MustCompile(`system:serviceaccount:([a-z0-9-]+):([a-z0-9-]+)-argocd-application-controller\b`)

// Operator is the ArgoCD resource that an operator makes this Argo CD from; empty where none is known to. Its namespace says so, or the account
// that a message names.
func Operator(in *diagnose.In) string {
	if ArgoNamespace(in) == openShift {
		return openShift
	}
	name, _ := diagnose.Once(in, "ArgoCD resource", func() (string, bool) {
		for _, s := range in.Statements() {
			if !s.Failure.Mentions("-argocd-application-controller") {
				continue
			}
			if m := operatorAccount.FindStringSubmatch(s.Failure.Flat()); m != nil && m[1] == ArgoNamespace(in) {
				return m[2], true
			}
		}
		return "", true
	})
	return name
}

// ByOperator reports whether an operator owns Argo CD, which undoes changes to its workloads and settings.
func ByOperator(in *diagnose.In) bool { return Operator(in) != "" }
