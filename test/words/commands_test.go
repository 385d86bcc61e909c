package words

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	kubectl "k8s.io/kubectl/pkg/cmd"
	"mvdan.cc/sh/v3/syntax"
	"sigs.k8s.io/yaml"
)

// TestCommands: whatever a report prints to be copied can be copied. A shell parses each command, kubectl or argocd knows what it
// asks for, and each patch is YAML.
func TestCommands(t *testing.T) {
	n := 0
	for name, r := range reports(t) {
		for _, f := range r.Findings {
			for _, step := range f.Fix {
				if step.Command != "" {
					n++
					if err := parse(step.Command); err != nil {
						t.Errorf("%s (%s): %s: %v", name, f.Rule, step.Command, err)
					}
				}
				var patch map[string]any
				if err := yaml.Unmarshal([]byte(step.Patch), &patch); err != nil && strings.Contains(step.Patch, ": ") {
					t.Errorf("%s (%s): the patch is not YAML: %v\n%s", name, f.Rule, err, step.Patch)
				}
			}
		}
	}
	if n < 1000 {
		t.Errorf("%d commands: some are missing", n)
	}
}

// TestParse: what the test above rests on.
func TestParse(t *testing.T) {
	for command, want := range map[string]bool{
		"kubectl -n shop logs web-0 -c web --previous":            true,
		"kubectl -n shop logs web-0 --last":                       false,
		"kubectl gett pods":                                       false,
		"kubectl get pods 'a":                                     false,
		"argocd app sync web --prune":                             true,
		"argocd app sink web":                                     false,
		"argocd app sync web --all-of-it":                         false,
		"kubectl get pods | grep web && argocd app get web":       true,
		"helm template . -f values.yaml":                          true,
		"for i in 1 2; do kubectl delete pod web-$i --nope; done": false,
	} {
		if err := parse(command); (err == nil) != want {
			t.Errorf("%s: %v", command, err)
		}
	}
}

// parse is the first error of a shell, kubectl or argocd that reads a command.
func parse(command string) error {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangPOSIX)).Parse(strings.NewReader(command), "")
	if err != nil {
		return err
	}
	var first error
	syntax.Walk(file, func(node syntax.Node) bool {
		call, ok := node.(*syntax.CallExpr)
		if !ok || len(call.Args) == 0 || first != nil {
			return true
		}
		args := make([]string, len(call.Args))
		for i, word := range call.Args {
			args[i] = value(word)
		}
		switch args[0] {
		case "kubectl":
			first = kubectlKnows(args[1:])
		case "argocd":
			first = argocdKnows(args[1:])
		}
		return true
	})
	return first
}

// value is a word as the command gets it; what a shell would put in its place is a word of its own.
func value(word *syntax.Word) string {
	var b strings.Builder
	for _, part := range word.Parts {
		switch part := part.(type) {
		case *syntax.Lit:
			b.WriteString(part.Value)
		case *syntax.SglQuoted:
			b.WriteString(part.Value)
		case *syntax.DblQuoted:
			b.WriteString("quoted")
		default:
			b.WriteString("expanded")
		}
	}
	return b.String()
}

// plugins are commands that kubectl has from elsewhere: https://argo-rollouts.readthedocs.io/en/stable/features/kubectl-plugin/
var plugins = []string{"argo"}

func kubectlKnows(args []string) error {
	if slices.Contains(plugins, args[0]) {
		return nil
	}
	root := kubectl.NewKubectlCommand(kubectl.KubectlOptions{IOStreams: genericiooptions.NewTestIOStreamsDiscard()})
	// Flags of the root may stand before the verb.
	verb := slices.IndexFunc(args, func(a string) bool { return root.HasSubCommands() && known(root, a) })
	if verb < 0 {
		return fmt.Errorf("kubectl has no such command")
	}
	command, rest, err := root.Find(args)
	switch {
	case err != nil:
		return err
	case command == root:
		return fmt.Errorf("kubectl has no such command")
	}
	return command.ParseFlags(rest)
}

func known(root *cobra.Command, name string) bool {
	return slices.ContainsFunc(root.Commands(), func(c *cobra.Command) bool { return c.Name() == name })
}

// argocdFlags are the commands of argocd that we print, and their flags. The command itself cannot be linked: its version of
// Kubernetes is another. https://argo-cd.readthedocs.io/en/stable/user-guide/commands/argocd/
var argocdFlags = map[string][]string{
	"app get":                              {"-o", "--output", "--show-operation", "--refresh", "--hard-refresh"},
	"app set":                              {"--revision", "--path", "--repo", "--helm-chart", "--dest-namespace", "--dest-name", "--dest-server", "--project", "--sync-policy", "--self-heal", "--auto-prune", "--allow-empty", "--sync-option", "--sync-retry-limit", "--values", "--helm-set", "--source-position"},
	"app unset":                            {"-p", "--parameter", "--values", "--values-literal", "--source-position", "--kustomize-image", "--plugin-env"},
	"app sync":                             {"--prune", "--dry-run", "--force", "--resource", "--revision", "--strategy", "--replace", "--server-side", "--retry-limit", "--apply-out-of-sync-only"},
	"app diff":                             {"--refresh", "--hard-refresh", "--revision", "--server-side-generate", "--exit-code"},
	"app wait":                             {"--sync", "--health", "--operation", "--timeout", "--resource", "--suspended", "--degraded", "--delete"},
	"app manifests":                        {"--revision", "--source"},
	"app history":                          {"-o", "--output"},
	"app rollback":                         {"--prune", "--timeout"},
	"app resources":                        {"--orphaned"},
	"app delete":                           {"--cascade", "--propagation-policy", "-y", "--yes"},
	"app delete-resource":                  {"--kind", "--group", "--namespace", "--resource-name", "--force", "--orphan", "--all"},
	"app terminate-op":                     {},
	"app confirm-deletion":                 {},
	"app actions run":                      {"--kind", "--group", "--namespace", "--resource-name", "--all"},
	"app actions list":                     {"--kind", "--group", "--namespace", "--resource-name"},
	"app list":                             {"-o", "--output", "-l", "--selector", "-p", "--project", "-c", "--cluster", "-r", "--repo"},
	"repo list":                            {"-o", "--output", "--refresh"},
	"repo get":                             {"-o", "--output", "--refresh"},
	"repo add":                             {"--type", "--name", "--username", "--password", "--ssh-private-key-path", "--upsert", "--enable-oci", "--enable-lfs", "--insecure-skip-server-verification", "--proxy", "--project", "--github-app-id", "--github-app-installation-id", "--github-app-private-key-path", "--github-app-enterprise-base-url", "--tls-client-cert-path", "--tls-client-cert-key-path"},
	"repo rm":                              {},
	"repocreds list":                       {"-o", "--output"},
	"repocreds add":                        {"--type", "--username", "--password", "--ssh-private-key-path", "--upsert", "--enable-oci", "--github-app-id", "--github-app-installation-id", "--github-app-private-key-path"},
	"proj get":                             {"-o", "--output"},
	"proj list":                            {"-o", "--output"},
	"proj edit":                            {},
	"proj add-source":                      {},
	"proj add-source-namespace":            {},
	"proj add-destination":                 {"--name"},
	"proj remove-destination":              {},
	"proj add-destination-service-account": {"--service-account-namespace"},
	"proj add-signature-key":               {},
	"proj allow-cluster-resource":          {"-l", "--list"},
	"proj allow-namespace-resource":        {"-l", "--list"},
	"proj role create-token":               {"--expires-in", "--id", "--token-only"},
	"proj windows list":                    {"-o", "--output"},
	"proj windows enable-manual-sync":      {},
	"proj windows update":                  {"--schedule", "--duration", "--applications", "--namespaces", "--clusters", "--time-zone"},
	"cluster list":                         {"-o", "--output"},
	"cluster get":                          {"-o", "--output"},
	"cluster add":                          {"--name", "--namespace", "--upsert", "-y", "--yes", "--cluster-resources", "--system-namespace"},
	"cluster rotate-auth":                  {},
	"cert list":                            {"--cert-type", "--hostname-pattern", "-o", "--output", "--sort"},
	"cert add-tls":                         {"--from", "--upsert"},
	"cert add-ssh":                         {"--batch", "--from", "--upsert"},
	"gpg add":                              {"--from"},
	"gpg list":                             {"-o", "--output"},
	"account can-i":                        {},
	"account generate-token":               {"--account", "--expires-in"},
	"admin settings rbac can":              {"--namespace", "--policy-file", "--use-graphql", "--strict"},
	"version":                              {},
	"login":                                {"--sso", "--username", "--password", "--grpc-web", "--grpc-web-root-path", "--insecure", "--core"},
}

func argocdKnows(args []string) error {
	var words []string
	for _, a := range args {
		if strings.HasPrefix(a, "-") {
			break
		}
		words = append(words, a)
	}
	for n := min(4, len(words)); n > 0; n-- {
		flags, ok := argocdFlags[strings.Join(words[:n], " ")]
		if !ok {
			continue
		}
		for _, a := range args {
			if name, _, _ := strings.Cut(a, "="); strings.HasPrefix(name, "-") && !slices.Contains(flags, name) {
				return fmt.Errorf("argocd %s has no flag %s", strings.Join(words[:n], " "), name)
			}
		}
		return nil
	}
	return fmt.Errorf("argocd has no such command")
}
