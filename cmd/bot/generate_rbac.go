package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/program"
	"github.com/argo-why/argo-why/internal/rights"
)

// rbacHead begins deploy/rbac/read.yaml, and what the command prints.
func rbacHead() string {
	return fmt.Sprintf(`# What the bot reads in a cluster: objects that applications depend on and that Argo CD does not show. Read-only, and all that it asks for.
# Written by: %[1]s generate kubernetes-rbac (--help: other accounts, some namespaces only, other clusters). Apply it with kubectl.
# docs/rights.md says what reports lack without each right; %[1]s check says which are missing.
`, program.Name())
}

// secretKeysHead begins deploy/rbac/secret-keys.yaml.
func secretKeysHead() string {
	return fmt.Sprintf(`# The optional part of read.yaml. Written by: %s generate kubernetes-rbac --secret-keys, which prints both.
`, program.Name())
}

func newGenerateRBAC() *cobra.Command {
	var serviceAccount, user string
	var asMarkdown bool
	o := rights.Options{}
	command := &cobra.Command{
		Use:        "kubernetes-rbac",
		SuggestFor: []string{"rbac", "kubernetes", "roles", "clusterrole", "rights"},
		Short:      "Print the roles for what the bot reads in a cluster",
		Long: `Print the roles that let the bot read, in a cluster, what applications depend on and what
Argo CD does not show, with their bindings. They are made from what the rules read.
Nothing is changed.

Without --namespaces the roles are for all namespaces, except for ConfigMaps: those are
read only in namespaces that are named, here or with --configmaps. Apply them in each cluster that
applications are deployed to and that the bot's kubeconfig has a context for. Where
Argo CD itself does not run, use --applications "".`,
		Example: `  bot generate kubernetes-rbac --service-account argo-why:argo-why | kubectl apply -f -
  bot generate kubernetes-rbac --namespaces shop,payments --secret-keys | kubectl apply -f -
  bot generate kubernetes-rbac --user argo-why --applications "" | kubectl --context eu apply -f -`,
		Args: noArgs(nil),
		RunE: func(cmd *cobra.Command, _ []string) error {
			all, out := rights.Reading(rules.All()), cmd.OutOrStdout()
			if asMarkdown {
				_, err := fmt.Fprint(out, rights.Page(all))
				return err
			}
			if err := readScope(&o, serviceAccount, user); err != nil {
				return err
			}
			_, err := fmt.Fprint(out, rbacHead()+rights.Roles(all, o))
			return err
		},
	}
	flags := command.Flags()
	flags.StringVar(&serviceAccount, "service-account", "argo-why:argo-why", "`NAMESPACE:NAME` of the bot's service account in that cluster")
	flags.StringVar(&user, "user", "", "`NAME` of the user that the bot's kubeconfig has for the cluster, instead of a service account")
	flags.StringSliceVarP(&o.Namespaces, "namespaces", "n", nil, "only for applications deployed to these `NAMESPACES`, separated by commas")
	flags.StringSliceVar(&o.ConfigMaps, "configmaps", nil, "`NAMESPACES` in which ConfigMaps are read, for their keys (default those of --namespaces): see docs/rights.md")
	flags.StringSliceVar(&o.Applications, "applications", []string{"argocd"}, "`NAMESPACES` that contain Applications; empty in a cluster that Argo CD only deploys to")
	flags.BoolVar(&o.SecretKeys, "secret-keys", false, "also let the bot read Secrets, for their keys: see docs/rights.md")
	flags.BoolVar(&asMarkdown, "markdown", false, "print the rights as Markdown: the page docs/rights.md")
	return command
}

// readScope checks what was given and puts the account together.
func readScope(o *rights.Options, serviceAccount, user string) error {
	o.Applications = slices.DeleteFunc(o.Applications, func(s string) bool { return s == "" })
	for flag, namespaces := range map[string][]string{"--namespaces": o.Namespaces, "--configmaps": o.ConfigMaps, "--applications": o.Applications} {
		for _, namespace := range namespaces {
			if !dnsLabel.MatchString(namespace) {
				return usageErrorf("%q is not a valid namespace: use only a-z, 0-9 and - (%s)", namespace, flag)
			}
		}
	}
	if user != "" {
		if strings.ContainsFunc(user, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return usageErrorf("--user %q is not a valid name", user)
		}
		o.Account = rights.Account{Name: user}
		return nil
	}
	namespace, name, ok := strings.Cut(serviceAccount, ":")
	if !ok || !dnsLabel.MatchString(namespace) || !serviceAccountName.MatchString(name) {
		return usageErrorf("--service-account %q is not an account: expected NAMESPACE:NAME, such as argo-why:argo-why", serviceAccount)
	}
	o.Account = rights.Account{Namespace: namespace, Name: name}
	return nil
}
