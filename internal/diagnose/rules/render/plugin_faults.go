package render

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
)

// pluginFaults are how a plugin fails: Argo CD does not find or reach it, its image lacks a command, or what it asks refuses it.
var pluginFaults = []fault{
	{regexp.MustCompile(`no files to send`), nothingToSend},
	{regexp.MustCompile(`(?i)find cmp-server|plugin not supported|no plugin found|could not find plugin|unable to find plugin|plugin not found`), noPlugin},
	{regexp.MustCompile(`dialing to cmp-server for plugin, (\S+?)(?:\.sock)?,|dial unix \S*/(\S+?)\.sock`), silentPlugin},
	{regexp.MustCompile(`context canceled|code = Canceled`), pluginCanceled},
	{regexp.MustCompile(`(?:^|\s)/?(\S+): (?:line )?\d+: Not: not found`), failedDownload},
	{regexp.MustCompile(`Error: (.+?) Error: No manifests`), nothingPiped},
	{regexp.MustCompile(`exec: "([^"]+)": executable file not found`), commandMissing},
	{regexp.MustCompile(`fork/exec (\S+?): (?:no such file|exec format error|permission denied)`), commandMissing},
	{regexp.MustCompile(`failed exit status 127: .*?([^\s:]+): (?:command )?not found`), commandMissing},
	{regexp.MustCompile(`failed to unmarshal manifest: (.*)|failed to convert CMP manifests to unstructured objects: (.*)`), notManifests},
	{regexp.MustCompile(`Must provide a supported Vault Type`), noVaultType},
	{regexp.MustCompile(`Could not find secrets? at path (\S+)`), noVaultSecret},
	{regexp.MustCompile(`Error making API request\. URL: [A-Z]+ (https?://[^/\s]+)(\S*) Code: (\d+)\. Errors: (?:\* )?(.*?)(?: Usage:|$)`), vaultRefuses},
	{regexp.MustCompile(`no repository definition for `), noDefinition},
}

func nothingToSend(r rendered, _ []string) diagnose.Finding {
	return diagnose.Finding{
		Title: "The plugin gets no files" + inPath("of", sourcePath(r.src)),
		Why:   "Argo CD sends regular files only. The directory is empty, or everything in it is a symbolic link or excluded from what plugins get.",
		Fix:   []diagnose.Fix{{Text: "In a clone, look at what the directory contains", Command: diagnose.Shell("ls -la %s", sourcePath(r.src))}},
	}
}

func noPlugin(r rendered, _ []string) diagnose.Finding {
	out := diagnose.Finding{
		OutsideGit: true,
		Title:      "No plugin handles this application",
		Why:        "No plugin sidecar of the repo-server supports this repository.",
		Says:       diagnose.Said{Who: "Argo CD says", Text: said(r.s).Text},
		Fix:        []diagnose.Fix{{Text: "Install a sidecar for the plugin, or correct spec.source.plugin.name (NAME-VERSION if the plugin has a version); this lists the repo-server's containers", Command: diagnose.Shell("kubectl -n %s get deploy argocd-repo-server -o jsonpath='{.spec.template.spec.containers[*].name}'", advice.ArgoNamespace(r.in))}},
	}
	if name := pluginNamed(&r.s.Failure); name != "" {
		out.Title = "Plugin " + name + " cannot render this application"
		out.Why = "The repo-server has no plugin sidecar with this name, or the plugin does not support this repository."
		out.Says = diagnose.Said{}
	}
	return out
}

func silentPlugin(r rendered, m []string) diagnose.Finding {
	return diagnose.Finding{
		OutsideGit: true,
		Title:      fmt.Sprintf("Sidecar of plugin %s does not respond", strings.TrimSuffix(cmp.Or(m[1], m[2]), ".sock")),
		Why:        "Its container in the repo-server's pod is not running, or has just restarted.",
		Fix:        []diagnose.Fix{{Text: "Check the containers of the repo-server's pods", Command: diagnose.Shell("kubectl -n %s describe pods -l app.kubernetes.io/name=argocd-repo-server", advice.ArgoNamespace(r.in))}},
	}
}

func pluginCanceled(r rendered, _ []string) diagnose.Finding {
	return diagnose.Finding{
		OutsideGit: true,
		Title:      "Request to the plugin was canceled",
		Why:        "Argo CD gave up before the plugin answered: a time-out, a restart of the repo-server, or a sidecar that ended the connection.",
		Says:       said(r.s),
		Fix:        []diagnose.Fix{waitLonger(advice.ArgoNamespace(r.in))},
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

func nothingPiped(_ rendered, m []string) diagnose.Finding {
	return diagnose.Finding{
		Title: "The plugin's first command fails",
		Why:   "It pipes what this command renders into another one, which got nothing.",
		Says:  diagnose.Said{Who: "The command says", Text: message.LastClause(m[1])},
		Fix:   advice.Steps("Correct what the message names: the path of the application, the arguments in the plugin's configuration, or the chart"),
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

func noVaultType(r rendered, _ []string) diagnose.Finding {
	return diagnose.Finding{
		OutsideGit: true,
		Title:      "argocd-vault-plugin does not know which vault to use",
		Why:        "Its environment has no AVP_TYPE with a type that it supports, neither from the sidecar nor from the Secret that it is given with -s.",
		Fix:        []diagnose.Fix{{Text: "Set AVP_TYPE and the credentials in the sidecar's environment; this shows what is set", Command: diagnose.Shell("kubectl -n %s set env deploy/argocd-repo-server --list", advice.ArgoNamespace(r.in))}},
	}
}

func noVaultSecret(_ rendered, m []string) diagnose.Finding {
	return diagnose.Finding{
		Title: "The vault has no secret at " + m[1],
		Why:   "argocd-vault-plugin takes the path from the manifest (avp.kubernetes.io/path, or path:… in a placeholder). With version 2 of the KV engine it contains /data/.",
		Fix:   advice.Steps("Create the secret in the vault, or correct the path in Git"),
	}
}

func vaultRefuses(_ rendered, m []string) diagnose.Finding {
	out := diagnose.Finding{
		OutsideGit: true,
		Title:      fmt.Sprintf("Vault answers HTTP %s: %s", m[3], strings.TrimSpace(m[4])),
		Why:        fmt.Sprintf("argocd-vault-plugin called %s%s.", m[1], m[2]),
		Fix:        advice.Steps("Give the policy of the plugin's role read access to this path"),
	}
	if strings.Contains(m[2], "/auth/") {
		out.Why += " So it could not log in, and read no secret."
		out.Fix = advice.Steps("Check the role in Vault: its name in AVP_K8S_ROLE, and the service account and namespace of the repo-server that it is bound to")
	}
	if m[3][0] == '5' {
		out.Fix = advice.Steps("Check the state of Vault: sealed, starting, or without a leader")
	}
	return out
}
