package render

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
)

// noHelm is about the Helm that Kustomize starts for helmCharts.
func noHelm(r rendered, m []string) diagnose.Finding {
	out := diagnose.Finding{
		OutsideGit: true,
		Title:      "Kustomize cannot run " + m[1],
		Whole:      true,
		Why:        "The overlay has helmCharts, and this program does not exist where Argo CD runs Kustomize.",
		Fix:        advice.Steps("Install it there, or have Kustomize use the Helm that exists (--helm-command helm)"),
	}
	if c := r.s.Failure.Command; c != nil && strings.Contains(c.Line, "--helm-command") && !r.s.Failure.Plugin {
		out.Why = "kustomize.buildOptions in argocd-cm names it (--helm-command), and the repo-server does not have it."
		out.Fix = []diagnose.Fix{buildOptionsKey.Edit(r.in, "Remove --helm-command from kustomize.buildOptions; Argo CD's own Helm is called helm")}
	}
	return out
}

func noPluginRoot(r rendered, _ []string) diagnose.Finding {
	return diagnose.Finding{
		OutsideGit: true,
		Title:      "Kustomize finds no directory with its plugins",
		Whole:      true,
		Why:        "The overlay uses an external plugin (such as KSOPS), and where Argo CD runs Kustomize there is no kustomize/plugin below XDG_CONFIG_HOME, nor a KUSTOMIZE_PLUGIN_HOME.",
		Fix: []diagnose.Fix{
			ofRepoServer(r.in, "Install the plugin in the repo-server with an init container, and set XDG_CONFIG_HOME (or KUSTOMIZE_PLUGIN_HOME) to where it is; this shows what is set", "set env deploy/PART --list"),
			{Text: "Or use a plugin that needs no such directory: an exec function, with --enable-exec"},
		},
	}
}

// execPluginFails is about a plugin of Kustomize's that ended with an error; what it printed stands in front, if anything.
func execPluginFails(r rendered, m []string) diagnose.Finding {
	out := diagnose.Finding{
		Title: "A plugin of the Kustomize overlay fails",
		Brief: "A plugin of Kustomize fails",
		Why:   "Kustomize reports only that it ended with an error.",
		Fix:   []diagnose.Fix{ofRepoServer(r.in, "Read what it printed in the log of the repo-server", "logs deploy/PART --all-containers --tail=100")},
	}
	if said := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(m[1]), "Error:")); said != "" && !strings.HasPrefix(said, "accumulating") {
		out.Why, out.Fix = "", nil
		out.Says = diagnose.Said{Who: "It says", Text: message.LastClause(said)}
	}
	return out
}

// noPermission is about a checkout that Kustomize may not read. Argo CD takes away the permissions of a checkout while it does not use it.
func noPermission(r rendered, _ []string) diagnose.Finding {
	return diagnose.Finding{
		OutsideGit: true,
		Title:      "Kustomize may not read the repo-server's checkout",
		Whole:      true,
		Why:        "The repo-server takes away the permissions of a checkout while it does not use it; most often a build ran at such a moment. Nothing points to an error in Git.",
		Fix: []diagnose.Fix{
			ofRepoServer(r.in, "If it stays after a refresh without the cache, restart the repo-server", "rollout restart deploy/PART"),
		},
	}
}
