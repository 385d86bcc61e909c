package render

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
)

// pluginFaults are how a plugin fails: Argo CD does not find or reach it, its image lacks a command, or what it asks refuses it.
var pluginFaults = []fault{
	{pattern.MustCompile(`no files to send`), nothingToSend},
	{pattern.MustCompile(`(?i)find cmp-server|plugin not supported|no plugin found|could not find plugin|unable to find plugin|plugin not found`), noPlugin},
	{pattern.MustCompile(`dialing to cmp-server for plugin, (\S+?)(?:\.sock)?,|dial unix \S*/(\S+?)\.sock`), silentPlugin},
	{pattern.MustCompile(`context canceled|code = Canceled`), pluginCanceled},
	{pattern.MustCompile(`(?:^|\s)/?(\S+): (?:line )?\d+: Not: not found`), failedDownload},
	{pattern.MustCompile(`config management plugin not supported`), noPlugin},
	{pattern.MustCompile(`error sending (?:generate manifest metadata|tgz file) to cmp-server: (.*)|error sending file to cmp-server: (EOF.*)`), brokenStream},
	{pattern.MustCompile(`missing Vault value for placeholder (\S+) in string`), noVaultKey},
	{pattern.MustCompile(`ToYAML: could not convert replaced template into ?: .*Object 'Kind' is missing in '(.*?)'(?: |$)`), vaultNoManifest},
	{pattern.MustCompile(`<path> argument required to generate manifests`), vaultNoPath},
	{noKubeconfig, pluginWithoutCluster},
	{pattern.MustCompile(`User "system:serviceaccount:([^:"]+):([^"]+)" cannot (\w+) resource "(\w+)" in API group "([^"]*)" in the namespace "([^"]+)"`), pluginForbidden},
	{pattern.MustCompile(`mkdir '?(/[^\s':]*)'?: permission denied|permission denied, mkdir '(/[^']+)'`), homeless},
	{pattern.MustCompile(`((?:\./|/)[\w./-]+): Permission denied`), notExecutable},
	{jsonnetFaults[0].says, noImportOfPlugin},
	{pattern.MustCompile(`Error: (.+?) Error: No manifests`), nothingPiped},
	{pattern.MustCompile(`exec: "([^"]+)": executable file not found`), commandMissing},
	{pattern.MustCompile(`fork/exec (\S+?): (?:no such file|exec format error|permission denied)`), commandMissing},
	{pattern.MustCompile(`failed exit status 127: .*?([^\s:]+): (?:command )?not found`), commandMissing},
	{pattern.MustCompile(`failed to unmarshal manifest: (.*)|failed to convert CMP manifests to unstructured objects: (.*)`), notManifests},
	{pattern.MustCompile(`Must provide a supported Vault Type`), noVaultType},
	{pattern.MustCompile(`Could not find secrets? at path (\S+)`), noVaultSecret},
	{pattern.MustCompile(`Error making API request\. URL: [A-Z]+ (https?://[^/\s]+)(\S*) Code: (\d+)\. Errors: (?:\* )?(.*?)(?: Usage:|$)`), vaultRefuses},
	{pattern.MustCompile(`no repository definition for `), noDefinition},
}

func nothingToSend(r rendered, _ []string) diagnose.Finding {
	return diagnose.Finding{
		Title: "The plugin gets no files" + inPath("of", sourcePath(r.src)),
		Why:   "Argo CD sends regular files only. The directory is empty, or everything in it is a symbolic link or excluded from what plugins get.",
		Fix:   []diagnose.Fix{{Text: "In a clone, look at what the directory contains", Command: diagnose.Shell("ls -la %s", sourcePath(r.src))}},
	}
}

func noPlugin(r rendered, _ []string) diagnose.Finding {
	containers := ofRepoServer(r.in, "List the containers of the repo-server; the name of a plugin is in the configuration of its sidecar", "get deploy PART -o jsonpath='{.spec.template.spec.containers[*].name}'")
	out := diagnose.Finding{
		OutsideGit: true,
		Title:      "No plugin handles this application",
		Why:        "The Application names no plugin, and the discovery rules of no plugin sidecar match its directory.",
		Fix: []diagnose.Fix{
			{Text: "Name the plugin in " + r.place() + " (NAME-VERSION if the plugin has a version), or correct discover in the plugin's configuration", Patch: "plugin:\n  name: NAME\n"},
			containers,
		},
	}
	name := pluginNamed(&r.s.Failure)
	if name == "" && r.src.Plugin != nil {
		name = r.src.Plugin.Name
	}
	if name == "" {
		return out
	}
	out.Title, out.Short = "Plugin "+name+" cannot render this application", "The plugin cannot render this application"
	out.Why = "The repo-server has no plugin sidecar with this name, or its discovery rules do not match the directory."
	out.Fix[0] = diagnose.Fix{Text: "Install a sidecar for the plugin, or correct " + r.edited("plugin.name") + " (NAME-VERSION if the plugin has a version)"}
	if m, quote := missingSocket(r.in, name); m != "" {
		out.Evidence = []diagnose.Quote{quote}
		out.Title, out.Short = "The repo-server has no sidecar of plugin "+name, "The repo-server has no sidecar of the plugin"
		out.Why = fmt.Sprintf("The repo-server's log says that %s does not exist: no sidecar of this name runs in its pod, it does not share the volume of plugins with the repo-server, or its plugin.yaml has another name.", m)
		out.Fix[0].Text = "Add the sidecar, or correct it: it needs the repo-server's volumes var-files and plugins (at " + m[:strings.LastIndexByte(m, '/')] + ") and a plugin.yaml in /home/argocd/cmp-server/config with metadata.name " + name + " (without the version, if spec.version is set); or correct " + r.edited("plugin.name")
		return out
	}
	if r.s.Failure.Has("config management plugin not supported") {
		out.Why = "This release of Argo CD looks for a named plugin in configManagementPlugins of argocd-cm, and finds none of this name."
		out.Fix[0].Text = "If the plugin is a sidecar, remove " + r.edited("plugin.name") + " (its discovery rules select it), or upgrade Argo CD, where names also select sidecars; otherwise correct the name"
	}
	return out
}

// socketMissing is how the repo-server logs that nothing serves a plugin.
var socketMissing = pattern.MustCompile(`dial unix (/\S+/([\w.-]+)\.sock): connect: no such file`)

// missingSocket is the socket of a plugin that the repo-server's log says does not exist, and what it says; empty where no log does.
func missingSocket(in *diagnose.In, name string) (socket string, quote diagnose.Quote) {
	for _, l := range advice.ArgoLogs(in, "repo-server") {
		for _, m := range socketMissing.FindAllStringSubmatch(l.Text, -1) {
			if m[2] == name {
				return m[1], diagnose.Quote{From: "Pod/" + l.Pod + " log", Text: m[0]}
			}
		}
	}
	return "", diagnose.Quote{}
}

func silentPlugin(r rendered, m []string) diagnose.Finding {
	return diagnose.Finding{
		OutsideGit: true,
		Title:      fmt.Sprintf("Sidecar of plugin %s does not respond", strings.TrimSuffix(cmp.Or(m[1], m[2]), ".sock")),
		Why:        "Its container in the repo-server's pod is not running, or has just restarted.",
		Fix:        []diagnose.Fix{ofRepoServer(r.in, "Check the containers of the repo-server's pods", "describe pods -l PODS")},
	}
}

func pluginCanceled(r rendered, _ []string) diagnose.Finding {
	return diagnose.Finding{
		OutsideGit: true,
		Title:      "Request to the plugin was canceled",
		Why:        "Argo CD gave up before the plugin answered: a time-out, a restart of the repo-server, or a sidecar that ended the connection.",
		Says:       said(r.s),
		Fix:        []diagnose.Fix{waitLonger(r.in)},
	}
}

func commandMissing(_ rendered, m []string) diagnose.Finding {
	return diagnose.Finding{
		OutsideGit: true,
		Title:      fmt.Sprintf("The plugin cannot run %s", m[1]),
		Why:        "The image of its sidecar does not contain a program of this name that can run there, or PATH does not lead to it.",
		Fix:        advice.Steps("Add the program to the image of the sidecar (or copy it there by an init container), for the architecture of the node, or correct the command in the plugin's configuration"),
	}
}

func notManifests(_ rendered, m []string) diagnose.Finding {
	return diagnose.Finding{
		Title: "The plugin's output is not valid YAML",
		Why:   "Argo CD takes everything that the command prints to stdout for manifests, messages too.",
		Says:  diagnose.Said{Who: "Argo CD says", Text: parsing.ReplaceAllString(cmp.Or(m[1], m[2]), "")},
		Fix:   advice.Steps("Have the plugin print messages to stderr only, and correct what it renders"),
	}
}

func nothingPiped(r rendered, m []string) diagnose.Finding {
	if out, ok := atTemplate(r); ok {
		out.Why += " The plugin pipes what Helm renders into another command."
		return out
	}
	return diagnose.Finding{
		Title: "The plugin's first command fails",
		Why:   "It pipes what this command renders into another one, which got nothing.",
		Says:  diagnose.Said{Who: "The command says", Text: message.LastClause(cutAdvice(m[1]))},
		Fix:   advice.Steps("Correct the path of the application, the arguments in the plugin's configuration, or the chart"),
	}
}

func failedDownload(_ rendered, m []string) diagnose.Finding {
	return diagnose.Finding{
		OutsideGit: true,
		Title:      fmt.Sprintf("%s is not a program", m[1][strings.LastIndexByte(m[1], '/')+1:]),
		Why:        fmt.Sprintf("/%s contains the text \"Not Found\": it was downloaded from a URL that does not exist.", m[1]),
		Fix:        advice.Steps("Correct version and URL of the download in the init container or image of the plugin's sidecar, then restart the repo-server"),
	}
}

// brokenStream is about a sidecar that closed the connection while Argo CD sent the files.
func brokenStream(r rendered, m []string) diagnose.Finding {
	named := ""
	if r.src.Plugin != nil && r.src.Plugin.Name != "" {
		named = " " + r.src.Plugin.Name
	}
	return diagnose.Finding{
		OutsideGit: true,
		Title:      "Sidecar of plugin" + named + " closed the connection",
		Short:      "The plugin's sidecar closed the connection",
		Why:        "It was to get the files of the application. Most often its container ended or restarted meanwhile (memory), or it refused the files as too large.",
		Says:       diagnose.Said{Who: "Argo CD says", Text: cmp.Or(m[1], m[2])},
		Fix:        []diagnose.Fix{ofRepoServer(r.in, "Look at restarts and last state of the containers", "describe pods -l PODS")},
	}
}

func pluginForbidden(r rendered, m []string) diagnose.Finding {
	kind, resource := advice.Dotted(m[4], m[5]), m[4]
	return diagnose.Finding{
		OutsideGit: true,
		Title:      fmt.Sprintf("Service account %s may not %s %s in %s", m[2], m[3], resource, m[6]),
		Short:      "The plugin's service account lacks a permission",
		Whole:      true,
		Why:        "The plugin runs in the repo-server's pod and uses its service account.",
		Fix: []diagnose.Fix{{
			Text:    fmt.Sprintf("If every application that the plugin renders may read %s there, bind a role with that permission to the account (in Git if Argo CD is installed from there); this shows whether it has it", resource),
			Command: diagnose.Shell("kubectl -n %s auth can-i %s %s --as=%s", m[6], m[3], kind, "system:serviceaccount:"+m[1]+":"+m[2]),
		}},
	}
}

// homeless is about a program that keeps its cache in the home directory, which the user of a sidecar has not.
func homeless(r rendered, m []string) diagnose.Finding {
	dir := cmp.Or(m[1], m[2])
	out := diagnose.Finding{
		OutsideGit: true,
		Title:      "The plugin may not create " + dir,
		Whole:      true,
		Why:        "A sidecar runs as user 999, which may write only to its own volumes, such as /tmp.",
		Fix:        advice.Steps("Mount a volume (emptyDir) there in the sidecar, or have the command write somewhere else"),
	}
	if strings.HasPrefix(dir, "/.") {
		out.Why = "It is in the home directory of the program that the plugin runs. HOME is / for the user of the sidecar (999), and that user may not write there."
		out.Fix = []diagnose.Fix{setInSidecar(r.in, "Give the sidecar a home that it may write to (CONTAINER is its name in the repo-server's pod)", "HOME=/tmp")}
	}
	return out
}

func notExecutable(r rendered, m []string) diagnose.Finding {
	file := m[1]
	out := diagnose.Finding{
		OutsideGit: true,
		Title:      "The plugin may not run or read " + file,
		Whole:      true,
		Why:        "The user of the sidecar (999) has no permission, or the file is not executable.",
		Fix:        advice.Steps("Correct its mode in the image of the sidecar, or in the ConfigMap that it comes from (defaultMode: 0755)"),
	}
	if rest, ok := strings.CutPrefix(file, "./"); ok {
		at := strings.TrimPrefix(sourcePath(r.src)+"/"+rest, "./")
		out.OutsideGit = false
		out.Title, out.Why = file+" is not executable", "The plugin's command runs it from the repository."
		out.Fix = []diagnose.Fix{{Text: "Make it executable in Git, and push", Command: diagnose.Shell("git update-index --chmod=+x %s", at)}}
	}
	return out
}

func noImportOfPlugin(_ rendered, m []string) diagnose.Finding {
	return diagnose.Finding{
		Title: "Jsonnet cannot import " + m[1],
		Whole: true,
		Why:   "The plugin evaluates Jsonnet, and the file is neither next to the one that imports it nor in the library path.",
		Fix:   advice.Steps("Commit the libraries (vendor/ of jsonnet-bundler), or have the plugin's init command run jb install"),
	}
}
