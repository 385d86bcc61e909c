package render

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
)

// partFails is the finding about a component of Argo CD that fails every application, with what it says.
func partFails(s *diagnose.Statement, who, title, why string, fix ...diagnose.Fix) diagnose.Finding {
	return diagnose.Finding{
		Confidence: diagnose.Certain, OutsideGit: true,
		Shared: who, Title: title, Why: why, Says: said(s), Fix: fix,
	}
}

// ofRepoServer is a step that asks kubectl something about the repo-server; in the arguments, PART stands for its name and PODS
// for the label selector of its pods.
func ofRepoServer(in *diagnose.In, text, arguments string) diagnose.Fix {
	return diagnose.Fix{Text: text, Command: diagnose.Shell("kubectl -n %s ", advice.ArgoNamespace(in)) + strings.NewReplacer("PART", advice.ArgoPart(in, "repo-server"), "PODS", advice.ArgoPods(in, "repo-server")).Replace(arguments)}
}

// restartRepoServer is the step that gives the repo-server empty directories.
func restartRepoServer(in *diagnose.In, text string) diagnose.Fix {
	return ofRepoServer(in, text, "rollout restart deploy/PART")
}

// restartAll restarts all components of Argo CD, under whatever names it was installed: they read their settings only when they start.
func restartAll(argo string) string {
	return diagnose.Shell("kubectl -n %s rollout restart deploy,statefulset -l app.kubernetes.io/part-of=argocd", argo)
}

// setting is an option of a component: the variable that its container reads, and the key of argocd-cmd-params-cm that fills the variable,
// where there is one.
type setting struct{ component, key, env, value string }

// The fields of the ArgoCD resource that an operator takes the variables of a component from.
var operatorField = map[string]string{"repo-server": "repo", "server": "server", "application-controller": "controller"}

// set is the step that changes options of components and restarts these. What installed Argo CD overwrites it sooner or later.
func set(in *diagnose.In, text string, settings ...setting) diagnose.Fix {
	if advice.ByOperator(in) {
		return diagnose.Fix{Text: text + ", in the ArgoCD resource " + advice.Operator(in) + " (its operator undoes changes elsewhere)", Patch: operatorSpec(settings)}
	}
	argo := advice.ArgoNamespace(in)
	text += "; set it where Argo CD is installed from as well"
	data := map[string]string{}
	var components, variables []string
	for _, s := range settings {
		if !slices.Contains(components, s.component) {
			components = append(components, s.component)
		}
		variables = append(variables, diagnose.Shell("kubectl -n %s set env %s %s", argo, workload(in, s.component), s.env+"="+s.value))
		if s.key != "" {
			data[s.key] = s.value
		}
	}
	if len(data) < len(settings) { // a variable that no key fills
		return diagnose.Fix{Text: text, Command: strings.Join(variables, " && ")}
	}
	patch, _ := json.Marshal(map[string]any{"data": data}) // a map of texts cannot fail
	return diagnose.Fix{
		Text: text,
		Command: diagnose.Shell("kubectl -n %[1]s patch cm argocd-cmd-params-cm --type merge -p %[2]s && kubectl -n %[1]s rollout restart deploy,statefulset -l %[3]s",
			argo, string(patch), "app.kubernetes.io/part-of=argocd,app.kubernetes.io/component in ("+strings.Join(components, ",")+")"),
	}
}

// setInSidecar is the step that sets a variable of a plugin's sidecar. Only what installed Argo CD knows the name of its container.
func setInSidecar(in *diagnose.In, text, variable string) diagnose.Fix {
	if argocd := advice.Operator(in); argocd != "" {
		return diagnose.Fix{Text: text + ": " + variable + " in spec.repo.sidecarContainers of the ArgoCD resource " + argocd + " (its operator undoes changes elsewhere)"}
	}
	return diagnose.Fix{Text: text, Command: diagnose.Shell("kubectl -n %s set env %s -c CONTAINER %s", advice.ArgoNamespace(in), workload(in, "repo-server"), variable)}
}

// workload is a component as kubectl takes it.
func workload(in *diagnose.In, component string) string {
	if component == "application-controller" {
		return advice.Controller(in)
	}
	return "deploy/" + advice.ArgoPart(in, component)
}

// operatorSpec are settings as the ArgoCD resource has them.
func operatorSpec(settings []setting) string {
	var b strings.Builder
	b.WriteString("spec:\n")
	for i, s := range settings {
		if i == 0 || settings[i-1].component != s.component {
			fmt.Fprintf(&b, "  %s:\n    env:\n", operatorField[s.component])
		}
		fmt.Fprintf(&b, "    - name: %s\n      value: %q\n", s.env, s.value)
	}
	return b.String()
}
