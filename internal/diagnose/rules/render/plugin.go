package render

import (
	"regexp"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
)

var Plugin = &diagnose.Rule{
	ID: "render/plugin",
	Doc: diagnose.Doc{
		Title:    "Config management plugin fails",
		What:     "A plugin renders the application. The plugin is not installed (no sidecar has that name, or none supports this repository), or its command ended with an error.",
		Decisive: "The message comes from a plugin sidecar, or quotes a command other than git, Helm, Kustomize and Jsonnet.",
		Example:  "plugin sidecar failed. couldn't find cmp-server plugin with name tanka supporting the given repository",
		Fix:      "Install or fix the plugin's sidecar; the name is NAME-VERSION if the plugin has a version.",
		Links:    []string{"https://argo-cd.readthedocs.io/en/stable/operator-manual/config-management-plugins/"},
	},
	Sync: nothingRenders,
	Check: during(message.CallPlugin).rendering(func(in *diagnose.In, s *diagnose.Statement) (diagnose.Finding, bool) {
		f := &s.Failure
		if !f.Plugin && !f.Has("config management plugin", "cmp-server", "plugin sidecar", "plugin not supported", "cmp processing", "plugin name", "plugin socket", "configmanagementplugin", "fork/exec ", "executable file not found") && !isForeignTool(f.Command) {
			return diagnose.Finding{}, false
		}
		if isForeignTool(f.Command) && f.Has("accumulating resources", "accumulation err") {
			return diagnose.Finding{}, false // a plugin that runs Kustomize: Kustomize's own error says more
		}
		name := pluginNamed(f)
		logs := diagnose.Fix{Text: "Read the log of the plugin's sidecar", Command: diagnose.Shell("kubectl -n %s logs deploy/argocd-repo-server --all-containers --tail=100", advice.ArgoNamespace(in))}
		out := diagnose.Finding{
			Confidence: diagnose.Certain,
			Title:      "Config management plugin fails",
			Why:        inSource(s) + "A plugin sidecar of the repo-server renders this application.",
			Says:       said(s),
			Fix:        []diagnose.Fix{logs},
		}
		out.Says.Who = "The plugin says"
		if f.Has("find cmp-server", "not supported", "no plugin found", "could not find plugin", "unable to find plugin", "plugin not found") {
			sidecars := diagnose.Fix{Text: "Install a sidecar for the plugin, or correct spec.source.plugin.name (NAME-VERSION if the plugin has a version); this lists the repo-server's containers", Command: diagnose.Shell("kubectl -n %s get deploy argocd-repo-server -o jsonpath='{.spec.template.spec.containers[*].name}'", advice.ArgoNamespace(in))}
			out.Fix = []diagnose.Fix{sidecars, logs}
			out.Title = "No plugin handles this application"
			out.Why = inSource(s) + "No plugin sidecar of the repo-server supports this repository."
			out.Says.Who = "Argo CD says"
			if name != "" {
				out.Title = "Plugin " + name + " cannot render this application"
				out.Why = inSource(s) + "The repo-server has no plugin sidecar with this name, or the plugin does not support this repository."
				out.Says = diagnose.Said{}
			}
		}
		return out, true
	}),
}

var pluginName = regexp.MustCompile(`(?:with name|plugin name):? ["']?([A-Za-z0-9][A-Za-z0-9._-]*)`)

// pluginNamed is the plugin that was looked for; empty where the message names none.
func pluginNamed(f *message.Failure) string {
	if m := pluginName.FindStringSubmatch(f.Text); m != nil {
		return strings.TrimRight(m[1], ".")
	}
	return ""
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
