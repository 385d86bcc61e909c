package render

import (
	"cmp"
	"fmt"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/text"
)

var Plugin = &diagnose.Rule{
	ID: "render/plugin",
	Doc: diagnose.Doc{
		Title:    "A config management plugin fails",
		What:     "The application is rendered by a plugin. The plugin is not installed (no sidecar with that name, or none that discovers this repository), or its command ended with an error.",
		Decisive: "The message comes from a plugin sidecar, or quotes a command that is neither git, Helm, Kustomize nor Jsonnet.",
		Example:  "plugin sidecar failed. couldn't find cmp-server plugin with name tanka supporting the given repository",
		Fix:      "Install or repair the plugin's sidecar; the name is NAME-VERSION when the plugin has a version.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/operator-manual/config-management-plugins/"},
	},
	Sync: nothingRenders,
	Check: rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !f.Plugin && !f.Has("config management plugin", "cmp-server", "plugin sidecar", "plugin not supported", "cmp processing", "plugin name", "plugin socket", "configmanagementplugin", "fork/exec ", "executable file not found") && !isForeignTool(f.Command) {
			return diagnose.Finding{}, false
		}
		if isForeignTool(f.Command) && f.Has("accumulating resources", "accumulation err") {
			return diagnose.Finding{}, false // a plugin that runs Kustomize: Kustomize's own error says more
		}
		name := cmp.Or(f.Quoted("with name"), f.Quoted("plugin name"))
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      "the config management plugin fails",
			Why:        fmt.Sprintf("The plugin that renders %s%s failed: %s", cmp.Or(in.App().Source(f.Source).Path, "the application"), sourceOf(s), text.Sentence(f.Line(message.MaxClause))),
			Fix:        []diagnose.Fix{{Text: "Read what the plugin's sidecar says", Command: diagnose.Shell("kubectl -n %s logs deploy/argocd-repo-server --all-containers --tail=100", advice.ArgoNamespace(in))}},
		}
		if f.Has("find cmp-server", "not supported", "no plugin found", "could not find plugin", "unable to find plugin", "plugin not found") {
			out.Title = "no config management plugin handles this application"
			out.Why = "No running plugin sidecar has the name that the application asks for, or none discovers its repository: " + text.Sentence(f.Line(message.MaxClause))
			out.Fix = append([]diagnose.Fix{{Text: "See which plugins run as sidecars of the repo-server, and compare metadata.name (and -version) with spec.source.plugin.name " + name, Command: diagnose.Shell("kubectl -n %s get deploy argocd-repo-server -o jsonpath='{.spec.template.spec.containers[*].name}'", advice.ArgoNamespace(in))}}, out.Fix...)
		}
		return out, true
	}),
}

// isForeignTool reports whether a quoted command is none of Argo CD's own tools.
func isForeignTool(c *message.Command) bool {
	if c == nil {
		return false
	}
	switch c.Tool {
	case "git", "helm", "kustomize", "jsonnet", "kubectl", "gpg", "":
		return false
	}
	return true
}
