package render

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
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
		if f.Call != message.CallPlugin && !f.Has("config management plugin", "cmp-server", "plugin sidecar", "plugin not supported", "cmp processing", "plugin name", "plugin socket", "configmanagementplugin", "fork/exec ", "executable file not found") {
			return diagnose.Finding{}, false
		}
		if f.Call == message.CallPlugin && f.Has("accumulating resources", "accumulation err") {
			return diagnose.Finding{}, false // a plugin that runs Kustomize: Kustomize's own error says more
		}
		r := renderedOf(in, s)
		out, ok := undecrypted(r)
		if !ok {
			out, ok = firstOf(pluginFaults, r, f.Flat())
		}
		if !ok {
			out, ok = atTemplate(r)
		}
		inGit := ok && !out.OutsideGit
		if !ok {
			out = diagnose.Finding{
				Confidence: diagnose.Certain,
				Title:      "Config management plugin fails",
				Why:        inSource(s) + "A plugin sidecar of the repo-server renders this application.",
				Says:       said(s),
			}
			if f.Command != nil && f.Command.Tool != "" {
				out.Title = "Plugin command " + f.Command.Tool + " fails"
			}
			out.Says.Text = helmfileError(relative(out.Says.Text), f.Flat())
			out.Says.Who = "The plugin says"
		}
		if out.Says.Text != "" && out.Says.Who == "" {
			out.Says.Who = "The plugin says"
		}
		if !inGit {
			out.Fix = append(out.Fix, ofRepoServer(in, "Read the log of the plugin's sidecar", "logs deploy/PART --all-containers --tail=100"))
		}
		return out, true
	}),
}

// stderr is the error of the command that helmfile ran; it prints arguments and status in front of it.
var stderr = pattern.MustCompile(`STDERR: (?:Error: )?(.*?)(?: COMBINED OUTPUT:|\]|$)`)

func helmfileError(said, flat string) string {
	if m := stderr.FindStringSubmatch(flat); m != nil {
		return message.LastClause(strings.TrimSpace(m[1]))
	}
	return said
}

var pluginName = pattern.MustCompile(`(?:with name|plugin name):? ["']?([A-Za-z0-9][A-Za-z0-9._-]*)`)

// pluginNamed is the plugin that was looked for; empty where the message names none.
func pluginNamed(f *message.Failure) string {
	if m := pluginName.FindStringSubmatch(f.Text); m != nil {
		return strings.TrimRight(m[1], ".")
	}
	return ""
}
