package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/argo-why/argo-why/config"
	manifest "github.com/argo-why/argo-why/deploy/slack"
	"github.com/argo-why/argo-why/internal/app"
	"github.com/argo-why/argo-why/internal/gateway"
	"github.com/argo-why/argo-why/internal/program"
	"github.com/argo-why/argo-why/internal/prompt"
	"github.com/argo-why/argo-why/internal/setup"
	"github.com/argo-why/argo-why/internal/slack/probe"
)

const chart = "deploy/charts/argo-why"

func newInit() *cobra.Command {
	o := setup.Options{TokenFiles: map[string]string{}, Env: os.Getenv, Manifest: manifest.YAML, Account: accountScript}
	var offline bool
	files := map[string]*string{}
	cmd := &cobra.Command{
		Use:        "init",
		SuggestFor: []string{"setup", "install", "configure", "wizard", "new"},
		Short:      "Ask for what an installation needs, and write its files",
		Long: `Ask for what the bot needs in a cluster, and write it to a directory: the manifest of the
Slack app, the values of the Helm chart, the tokens as files that only you can read, and
scripts that make the account in Argo CD and the Secret. Nothing else is changed;
Slack and Argo CD are only asked whether they accept the tokens.

What a flag answers is not asked, and without a terminal nothing is: then flags answer,
and tokens come from files or from SLACK_BOT_TOKEN, SLACK_APP_TOKEN and ARGOCD_TOKEN.

Exit codes: 0 everything was written, 1 something is wrong, 2 wrong usage; 130 after Ctrl-C.`,
		Example: `  bot init
  bot init --team T0123456789 --channel argo-alerts --argocd-url https://argocd.example.com < /dev/null`,
		Args: noArgs(nil),
		RunE: func(cmd *cobra.Command, _ []string) error {
			for flag, file := range files {
				o.TokenFiles[flag] = *file
			}
			o.AskNotifications = !cmd.Flags().Changed("notifications")
			if !offline {
				o.Slack, o.ArgoCD = slackAPI(o.Answers.SlackAPI), accountOf
			}
			return runInit(cmd, o)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&o.Dir, "dir", "argo-why-install", "`DIRECTORY` to write to")
	for _, q := range setup.Questions {
		flags.StringVar(q.Answer(&o.Answers), q.Flag, "", q.Usage)
	}
	flags.BoolVar(&o.Answers.Notifications, "notifications", false, "receive Argo CD's notifications; without them the bot watches")
	for _, t := range setup.Tokens {
		files[t.Flag] = flags.String(t.Flag, "", "`FILE` with the "+t.Usage+" (or "+t.Env+")")
	}
	complete(cmd, "argocd-tls", noFiles(tlsKinds...))
	flags.StringVar(&o.Answers.SlackAPI, "slack-api-url", "", "`ADDRESS` of Slack's Web API, if a proxy has another one")
	flags.BoolVar(&offline, "offline", false, "do not ask Slack and Argo CD whether they accept the tokens")
	flags.BoolVar(&o.Force, "force", false, "replace the files of an earlier run")
	return cmd
}

func runInit(cmd *cobra.Command, o setup.Options) error {
	o.Out = cmd.ErrOrStderr()
	if in, ok := cmd.InOrStdin().(*os.File); ok && term.IsTerminal(int(in.Fd())) {
		o.Asker, o.Found, o.Open = prompt.New(in, o.Out), suggestions(), openSlack
		fmt.Fprintf(o.Out, "This writes what argo-why needs in a cluster to %s, and changes nothing else.\nEnter takes the answer in [brackets]. Ctrl-C leaves.\n", o.Dir)
	}
	result, err := setup.Run(cmd.Context(), o)
	var usage setup.UsageError
	switch {
	case errors.As(err, &usage):
		return usageError(usage)
	case err != nil:
		return err
	}
	return printNext(cmd.OutOrStdout(), result)
}

// printNext prints what was written, and what is left to do.
func printNext(out io.Writer, r *setup.Result) error {
	var b strings.Builder
	in := func(name string) string { return filepath.Join(r.Dir, name) }
	fmt.Fprintf(&b, `
✓ %s, for Slack
✓ %s, for Helm: no token is in it, so it can go into Git
✓ %s and secret.sh, which make the account in Argo CD and the Secret: read them before you run them
✓ %s, which only you can read: it must never go into Git (.gitignore leaves it out)

Type /invite %s in the channel. Then run
`, in("slack-app.yaml"), in("values.yaml"), in("account.sh"), in("tokens")+string(filepath.Separator), r.Answers.Mention())
	if _, err := os.Stat(chart); err != nil {
		fmt.Fprintf(&b, "(the chart is in the source of argo-why: git clone https://github.com/argo-why/argo-why)\n")
	}
	for _, command := range r.Next() {
		fmt.Fprintf(&b, "\n  %s", command)
	}
	b.WriteString("\n\nThe last command says what is still missing.\n")
	if r.Answers.Notifications {
		fmt.Fprintf(&b, `
For notifications, tell Argo CD where the bot is. The file says how to apply it; the token is %s.

  %s generate argocd-notifications --url http://argo-why.%s.svc --instance %s --namespace %s > argocd-notifications.yaml
`, in("tokens/webhook-token"), program.Name(), r.Answers.Namespace, r.Answers.Name, r.Answers.ArgoNamespace)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// accountScript is what `generate argocd-account` prints.
func accountScript(namespace string) string {
	return (&accountOptions{account: "argo-why", namespace: namespace}).script()
}

// suggestions are answers that this machine knows: the Argo CD that the person is logged in to, and a name for it.
func suggestions() map[string]string {
	found := map[string]string{}
	server, kubeContext := gateway.Logins()
	host := strings.TrimSuffix(server, ":443")
	if strings.Contains(host, ".") && !strings.Contains(host, ":") && !loopback.MatchString(host) {
		found["argocd-url"] = "https://" + host
	}
	const readable = 20
	if dnsLabel.MatchString(kubeContext) && len(kubeContext) <= readable && kubeContext != "default" {
		found["argocd-name"] = kubeContext
	}
	return found
}

// loopback is a port that is forwarded: only this machine knows it.
var loopback = regexp.MustCompile(`^127\.|\.localhost$`)

// openSlack opens a page, if there is a screen.
func openSlack(address string) bool {
	if runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return false
	}
	openBrowser(address)
	return true
}

// slackAPI asks Slack at an address; "" is its own.
type slackAPI string

func (a slackAPI) url() string {
	if a == "" {
		return config.Default().Slack.APIURL
	}
	return string(a)
}

func (a slackAPI) Workspace(ctx context.Context, token string) (setup.Workspace, error) {
	w, err := probe.WorkspaceOf(ctx, a.url(), token)
	return setup.Workspace(w), unanswered(err, probe.ErrUnanswered)
}

func (a slackAPI) Socket(ctx context.Context, token string) error {
	return unanswered(probe.CheckSocket(ctx, a.url(), token), probe.ErrUnanswered)
}

// accountOf asks an Argo CD.
func accountOf(ctx context.Context, at *config.Instance, token string) (string, error) {
	account, err := app.AccountOf(ctx, at, token, programVersion())
	return account, unanswered(err, app.ErrUnanswered)
}

// unanswered tells what was refused from what was not answered.
func unanswered(err, nothing error) error {
	if rest, ok := strings.CutPrefix(fmt.Sprint(err), nothing.Error()); ok && errors.Is(err, nothing) {
		return fmt.Errorf("%w%s", setup.ErrUnanswered, rest)
	}
	return err
}
