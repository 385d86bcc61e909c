package render

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/text"
)

func noVaultType(r rendered, _ []string) diagnose.Finding {
	return diagnose.Finding{
		OutsideGit: true,
		Title:      "argocd-vault-plugin does not know which vault to use",
		Why:        "Its environment has no AVP_TYPE with a type that it supports, neither from the sidecar nor from the Secret that it is given with -s.",
		Fix:        []diagnose.Fix{ofRepoServer(r.in, "Set AVP_TYPE and the credentials in the sidecar's environment; this shows what is set", "set env deploy/PART --list")},
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

func noVaultKey(_ rendered, m []string) diagnose.Finding {
	return diagnose.Finding{
		Title: "The vault has no key " + m[1],
		Short: "The vault lacks a key",
		Why:   "A manifest has the placeholder <" + m[1] + ">, and the secret at the path of this manifest (avp.kubernetes.io/path) has no such key.",
		Fix:   advice.Steps("Add the key "+m[1]+" to that secret in the vault, or correct the placeholder or the path in Git", "If <"+m[1]+"> is no placeholder, annotate the manifest with avp.kubernetes.io/ignore: \"true\""),
	}
}

// vaultNoManifest is about a file that argocd-vault-plugin reads as a manifest, such as the kustomization.yaml of the directory.
func vaultNoManifest(_ rendered, m []string) diagnose.Finding {
	begins := text.Clip(strings.Trim(strings.TrimSpace(m[1]), "'"), 80)
	out := diagnose.Finding{
		Title: "argocd-vault-plugin reads a file that is not a manifest",
		Whole: true,
		Why:   "It takes every YAML and JSON file in the directory for a manifest, and this one has no kind: " + begins + ".",
		Fix:   advice.Steps("Move the file out of the directory, or have the plugin's command render first and pipe the manifests to argocd-vault-plugin generate -"),
	}
	if strings.Contains(begins, `"resources":`) {
		out.Why += " It looks like a kustomization.yaml."
		out.Fix = advice.Steps("Have the plugin's command build the overlay first: kustomize build . | argocd-vault-plugin generate -")
	}
	return out
}

func vaultNoPath(rendered, []string) diagnose.Finding {
	return diagnose.Finding{
		OutsideGit: true,
		Title:      "argocd-vault-plugin gets no path",
		Whole:      true,
		Why:        "The command in the plugin's configuration ends without it.",
		Fix:        advice.Steps("Add ./ to the arguments of generate in the plugin's configuration (or - if the manifests are piped into it)"),
	}
}
