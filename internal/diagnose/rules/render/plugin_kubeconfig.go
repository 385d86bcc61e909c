package render

import (
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
)

// noKubeconfig is how vals, client-go and kubectl say that nothing tells them which cluster to ask.
var noKubeconfig = pattern.MustCompile(`(?:` +
	`Unable to get a valid kubeConfig path: .*?(?:does not exist|not found)` +
	`|invalid configuration: no configuration has been provided[^.;]*` +
	`|error loading config file "?/[^\s"]+"?: [^.;]*no such file or directory` +
	`|stat /\S*kube/?config: no such file or directory` +
	`|unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined` +
	`|The connection to the server localhost:8080 was refused)`)

// pluginWithoutCluster is about a plugin that asks a cluster while it renders. A sidecar has no kubeconfig, unless somebody mounts one.
func pluginWithoutCluster(r rendered, m []string) diagnose.Finding {
	reads := "Or render without asking a cluster (Helm: no --validate and no --dry-run=server)"
	if r.s.Failure.Has("vals-k8s", "ref+k8s://") {
		reads = "Or take these values from another source than ref+k8s:// of vals, such as an environment variable of the sidecar"
	}
	return diagnose.Finding{
		OutsideGit: true,
		Title:      "The plugin has no kubeconfig for the cluster that it reads",
		Brief:      "The plugin has no kubeconfig",
		Short:      "The plugin has no kubeconfig",
		Whole:      true,
		Why:        "Its command asks a cluster while it renders. Argo CD gives a plugin's sidecar no kubeconfig, and no access to the destination cluster.",
		Says:       diagnose.Said{Text: message.LastClause(m[0])},
		Fix: []diagnose.Fix{
			{Text: "Mount a kubeconfig into the sidecar and set KUBECONFIG to its path; its account should only have the right to read what the command asks for"},
			{Text: reads},
		},
	}
}
