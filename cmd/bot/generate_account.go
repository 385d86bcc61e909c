package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/policy"
	"github.com/argo-why/argo-why/internal/program"
)

// accountOptions are what differs from one Argo CD to the next.
type accountOptions struct {
	account, namespace string
	// projects are those that the account is limited to; none means all.
	projects []string
	// actions are those of the configuration that need a right.
	actions []string
}

// readingPolicy is what a diagnosis and the watch on connections need, as in deploy/argocd/rbac.yaml. */* stands for all projects.
var readingPolicy = []string{"applications, get, */*", "logs, get, */*", "projects, get, *", "repositories, get, *", "clusters, get, *"}

// actionPolicy is what each action needs in addition, as in deploy/argocd/rbac-actions.yaml: Argo CD has no separate right to terminate.
var actionPolicy = map[string]string{
	config.ActionSync:          "applications, sync, */*",
	config.ActionTerminate:     "applications, sync, */*",
	config.ActionDeleteHookJob: "applications, delete/batch/Job/*/*, */*",
}

func newGenerateAccount() *cobra.Command {
	var o accountOptions
	command := &cobra.Command{
		Use:        "argocd-account",
		SuggestFor: []string{"account", "argocd-rbac"},
		Short:      "Print the commands that create the bot's account in Argo CD",
		Long: `Print the commands that create the bot's account in Argo CD with the rights that it needs,
and those that remove it. Nothing is changed until you run them; then they print the
token of the account, and nothing else, on standard output.

The account can read all applications, and change nothing. With --actions it can also
do what people can ask for from Slack; the bot's configuration decides who can.`,
		Example: `  bot generate argocd-account > account.sh
  bot generate argocd-account --projects payments,shop --actions sync,terminate,delete-hook-job > account.sh
  sh account.sh > argocd-token`,
		Args: noArgs(nil),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(); err != nil {
				return err
			}
			_, err := fmt.Fprint(cmd.OutOrStdout(), o.script())
			return err
		},
	}
	flags := command.Flags()
	flags.StringVar(&o.account, "account", "argo-why", "`NAME` of the account")
	flags.StringVarP(&o.namespace, "namespace", "n", "argocd", "`NAMESPACE` of Argo CD")
	flags.StringSliceVar(&o.projects, "projects", nil, "only for these `PROJECTS`, separated by commas")
	flags.StringSliceVar(&o.actions, "actions", nil, "also let it do these `ACTIONS`: sync, terminate, delete-hook-job")
	complete(command, "actions", completeList(accountActions...))
	return command
}

// check checks what was given.
func (o *accountOptions) check() error {
	switch {
	case !policy.IsAccount(o.account):
		return usageErrorf("--account %q is not a valid name: use only a-z, 0-9 and -", o.account)
	case !dnsLabel.MatchString(o.namespace):
		return usageErrorf("--namespace %q is not a valid namespace: use only a-z, 0-9 and -", o.namespace)
	}
	for _, project := range o.projects {
		if !serviceAccountName.MatchString(project) { // the name of an object, too
			return usageErrorf("%q is not the name of a project: use only a-z, 0-9, - and . (--projects)", project)
		}
	}
	for _, action := range o.actions {
		if actionPolicy[action] == "" {
			return usageErrorf("%q is not an action that needs a right: use sync, terminate or delete-hook-job (--actions)", action)
		}
	}
	return nil
}

// lines are those of a policy, each once.
func (o *accountOptions) lines(rights []string) string {
	var lines []string
	for _, right := range rights {
		projects := o.projects
		if len(projects) == 0 || !strings.HasSuffix(right, "*/*") {
			projects = []string{"*"}
		}
		for _, project := range projects {
			line := right
			if scope, ok := strings.CutSuffix(right, "*/*"); ok {
				line = scope + project + "/*"
			}
			if line = fmt.Sprintf("    p, %s, %s, allow\n", o.account, line); !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	return strings.Join(lines, "")
}

// script are the commands. Those that remove the account also remove the rights to act: they may have been added later, as the bot's messages say.
func (o *accountOptions) script() string {
	patch := func(object string) string {
		return fmt.Sprintf("kubectl -n %s patch %s --type merge", o.namespace, object)
	}
	reading, acting := policy.Reading(o.account), policy.Acting(o.account)
	rights := o.lines(readingPolicy)
	policies := fmt.Sprintf("  %s: |\n%s", reading, rights)
	if len(o.actions) > 0 {
		var needed []string
		for _, action := range o.actions {
			needed = append(needed, actionPolicy[action])
		}
		rights += o.lines(needed)
		policies += fmt.Sprintf("  %s: |\n%s", acting, o.lines(needed))
	}
	return fmt.Sprintf(`# The bot's account in Argo CD. Written by: %[1]s generate argocd-account (for Argo CD 2.14 and 3.x)
#
# Run this as somebody who can change Argo CD's configuration, and is logged in to it as an administrator (argocd login). It
# prints the token:
#
#      sh account.sh > argocd-token
#
# Each command sets only keys that are named after the account. If Git or Helm manages these ConfigMaps, add the keys there. If an operator
# owns Argo CD, this changes nothing until the account is in the ArgoCD resource, and prints what belongs there.
set -eu

# First what could stop it halfway.
fail() { echo "$1" >&2; exit 1; }
command -v kubectl >/dev/null || fail 'kubectl not found: install it and connect it to the cluster of Argo CD'
command -v argocd >/dev/null || fail 'argocd not found: install it (https://argo-cd.readthedocs.io/en/stable/cli_installation/) and log in (argocd login HOST)'
may=$(argocd account can-i update accounts %[6]s) || fail 'argocd is not logged in, or cannot reach Argo CD: run argocd login HOST as an administrator'
test "$may" = yes || fail 'argocd is logged in as somebody who cannot make tokens: run argocd login HOST as an administrator'

operated=$(kubectl -n %[11]s get argocds.argoproj.io -o name 2>/dev/null) || operated=
if test -z "$operated"; then
  %[2]s -p '%[3]s' >&2

  %[4]s --patch-file /dev/stdin >&2 <<'YAML'
data:
%[5]sYAML
elif ! argocd account get --account %[6]s >/dev/null 2>&1; then
  cat >&2 <<'ARGOCD'
An operator owns this Argo CD and undoes changes to argocd-cm and argocd-rbac-cm. Add this to its ArgoCD resource, behind the policy
that is there, and run this again:

spec:
  extraConfig:
    accounts.%[6]s: apiKey
  rbac:
    policy: |
%[12]sARGOCD
  exit 1
fi

# Argo CD takes a moment to see the account.
for i in 1 2 3 4 5; do argocd account get --account %[6]s >/dev/null 2>&1 && break; sleep 2; done
argocd account generate-token --account %[6]s

# To remove it again, with all of its tokens (of an Argo CD that an operator owns, remove it from the ArgoCD resource instead of running the
# first two):
#
#      %[2]s -p '%[7]s'
#      %[4]s -p '%[8]s'
#      %[9]s -p '%[10]s'
`,
		program.Name(), patch("configmap argocd-cm"), dataPatch(`"apiKey"`, "accounts."+o.account), patch("configmap argocd-rbac-cm"), policies, o.account,
		dataPatch("null", "accounts."+o.account), dataPatch("null", reading, acting), patch("secret argocd-secret"), dataPatch("null", "accounts."+o.account+".tokens"),
		o.namespace, regexp.MustCompile(`(?m)^  +p, `).ReplaceAllString(rights, "      p, "))
}

// dataPatch is a merge patch that gives keys of a ConfigMap a value, in JSON; null removes them. The keys need no quoting: see check.
func dataPatch(value string, keys ...string) string {
	var set []string
	for _, key := range keys {
		set = append(set, fmt.Sprintf(`"%s": %s`, key, value))
	}
	return `{"data": {` + strings.Join(set, ", ") + `}}`
}
