package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"github.com/argo-why/argo-why/internal/foreign"
	"github.com/argo-why/argo-why/internal/program"
)

func newGenerate() *cobra.Command {
	command := &cobra.Command{
		Use:   "generate",
		Short: "Print configuration for other programs",
	}
	onlyCommands(command)
	command.AddCommand(newGenerateAccount(), newGenerateNotifications(), newGenerateRBAC())
	return command
}

// notificationOptions are what differs from one Argo CD to the next.
type notificationOptions struct {
	URL           string // of the hook, with the instance
	Namespace     string
	TokenKey      string
	Subscriptions string // the present value of the key, as YAML; empty if there is none
}

func newGenerateNotifications() *cobra.Command {
	var bot, instance, subscriptions string
	o := notificationOptions{}
	command := &cobra.Command{
		Use:        "argocd-notifications",
		SuggestFor: []string{"notifications", "argocd", "configmap"},
		Short:      "Print the configuration of Argo CD's notifications for the bot",
		Long: `Print the ConfigMap that makes Argo CD's notifications call the bot when an application
fails or recovers, with the commands that apply and remove it. Nothing is changed.`,
		Example: `  bot generate argocd-notifications --url https://bot.example.com --instance prod > argocd-notifications.yaml
  kubectl -n argocd get configmap argocd-notifications-cm -o jsonpath='{.data.subscriptions}' |
    bot generate argocd-notifications --url https://bot.example.com --instance prod --subscriptions - > argocd-notifications.yaml`,
		Args: noArgs(nil),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.complete(bot, instance); err != nil {
				return err
			}
			if err := o.keep(cmd, subscriptions); err != nil {
				return err
			}
			file, err := notifications(o)
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(cmd.OutOrStdout(), file)
			return err
		},
	}
	flags := command.Flags()
	flags.StringVar(&bot, "url", "", "`ADDRESS` at which Argo CD reaches the bot, such as https://bot.example.com (required)")
	flags.StringVar(&instance, "instance", "", "`NAME` of this Argo CD in the bot's configuration (required)")
	flags.StringVar(&o.TokenKey, "token-secret-key", "argo-why-token", "`KEY` of the token in the Secret argocd-notifications-secret")
	flags.StringVarP(&o.Namespace, "namespace", "n", "argocd", "`NAMESPACE` of Argo CD")
	flags.StringVar(&subscriptions, "subscriptions", "", "keep the subscriptions in `FILE`, the present value of the key subscriptions; - is standard input")
	return command
}

var (
	// dnsLabel is what an instance and a namespace are called.
	dnsLabel = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)
	// serviceAccountName is a DNS subdomain.
	serviceAccountName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$`)
	// secretKey is what Argo CD finds behind a $: https://argo-cd.readthedocs.io/en/stable/operator-manual/notifications/services/overview/#sensitive-data
	secretKey = regexp.MustCompile(`^[-A-Za-z0-9_]+$`)
)

// complete checks what was given and puts the address of the hook together.
func (o *notificationOptions) complete(bot, instance string) error {
	u, err := url.Parse(bot)
	switch {
	case bot == "":
		return usageError("--url is missing: give the address at which Argo CD reaches the bot, such as https://bot.example.com")
	case err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil || strings.ContainsAny(bot, "$'\"\\ \n"):
		return usageErrorf("--url %q is not an address: expected one such as https://bot.example.com", bot)
	case instance == "":
		return usageError("--instance is missing: give the name that this Argo CD has in the bot's configuration (argocd[].name)")
	case !dnsLabel.MatchString(instance):
		return usageErrorf("--instance %q is not a valid name: use only a-z, 0-9 and -, as in the bot's configuration", instance)
	case !dnsLabel.MatchString(o.Namespace):
		return usageErrorf("--namespace %q is not a valid namespace: use only a-z, 0-9 and -", o.Namespace)
	case !secretKey.MatchString(o.TokenKey):
		return usageErrorf("%q is not a key that Argo CD finds: use only A-Z, a-z, 0-9, - and _ (--token-secret-key)", o.TokenKey)
	}
	o.URL = u.JoinPath("hooks", "argocd", instance).String()
	return nil
}

// Program is what wrote the file, and writes it again.
func (notificationOptions) Program() string { return program.Name() }

type notificationTrigger struct{ Trigger, Description, When string }

// notificationTriggers are the moments at which a diagnosis is worth it. A field that an application does not have is nil: ?. and
// ?? handle that. https://argo-cd.readthedocs.io/en/stable/operator-manual/notifications/triggers/
var notificationTriggers = []notificationTrigger{
	{"argo-why-sync-failed", "The sync failed", `app.status?.operationState?.phase in ['Error', 'Failed']`},
	{"argo-why-sync-retrying", "The sync failed and is retried", `app.status?.operationState?.phase == 'Running' and (app.status?.operationState?.retryCount ?? 0) > 0`},
	{"argo-why-sync-stuck", "The sync has been running for 10 minutes", `app.status?.operationState?.phase == 'Running' and time.Now().Sub(time.Parse(app.status.operationState.startedAt)).Minutes() >= 10`},
	{"argo-why-degraded", "The application is degraded", `app.status?.health?.status == 'Degraded'`},
	{"argo-why-health-unknown", "The health is unknown", `app.status?.health?.status == 'Unknown'`},
	{"argo-why-missing", "Resources are missing", `app.status?.health?.status == 'Missing'`},
	{"argo-why-sync-unknown", "Desired and live state cannot be compared", `app.status?.sync?.status == 'Unknown'`},
	{"argo-why-condition", "Argo CD reports an error", `any(app.status?.conditions ?? [], {.type endsWith 'Error'})`},
	{"argo-why-recovered", "The application is synced and healthy", `app.status?.sync?.status == 'Synced' and app.status?.health?.status == 'Healthy'`},
}

//go:embed generate_notifications.yaml
var notificationsText string

// The delimiters leave Argo CD's own alone.
var notificationsTemplate = template.Must(template.New("argocd-notifications").Delims("[[", "]]").Parse(notificationsText))

// keep reads the subscriptions that exist already.
func (o *notificationOptions) keep(cmd *cobra.Command, path string) error {
	if path == "" {
		return nil
	}
	const maxBytes = 1 << 20 // the limit of a ConfigMap
	in := cmd.InOrStdin()
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return fmt.Errorf("--subscriptions %s %w", displayName(path), inWords(path, err))
		}
		defer func() { _ = file.Close() }()
		in = file
	}
	raw, err := io.ReadAll(io.LimitReader(in, maxBytes))
	if err != nil {
		return fmt.Errorf("--subscriptions %s %w", displayName(path), inWords(path, err))
	}
	o.Subscriptions = string(raw)
	return nil
}

// subscription is an entry of the key subscriptions; only its recipients are looked at.
type subscription = map[string]any

// recipient is the name of the service in the template.
const recipient = "argo-why"

// subscribe adds the triggers to the subscriptions, in place of an earlier entry of ours, and reports whether there are others.
func (o *notificationOptions) subscribe(triggers []string) (list string, others bool, err error) {
	var all []subscription
	if err := foreign.Field.YAML([]byte(o.Subscriptions), &all); err != nil {
		return "", false, errors.New("--subscriptions: not a list: expected the value of data.subscriptions in the ConfigMap argocd-notifications-cm")
	}
	all = slices.DeleteFunc(all, func(s subscription) bool { return fmt.Sprint(s["recipients"]) == "["+recipient+"]" })
	others = len(all) > 0
	raw, err := yaml.Marshal(append(all, subscription{"recipients": []string{recipient}, "triggers": triggers}))
	if err != nil {
		return "", false, fmt.Errorf("write the subscriptions: %w", err)
	}
	lines := strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n")
	return "    " + strings.Join(lines, "\n    "), others, nil
}

// removal is the patch that removes everything again, except the subscriptions of others.
func removal(triggers []string, others bool) (string, error) {
	gone := map[string]any{"service.webhook." + recipient: nil, "template." + recipient: nil}
	for _, name := range triggers {
		gone["trigger."+name] = nil
	}
	if !others {
		gone["subscriptions"] = nil
	}
	raw, err := json.Marshal(map[string]any{"data": gone})
	return string(raw), err
}

// notifications is the file.
func notifications(o notificationOptions) (string, error) {
	var triggers []string
	for _, t := range notificationTriggers {
		triggers = append(triggers, t.Trigger)
	}
	subscriptions, others, err := o.subscribe(triggers)
	if err != nil {
		return "", err
	}
	undo, err := removal(triggers, others)
	if err != nil {
		return "", fmt.Errorf("write the configuration of Argo CD's notifications: %w", err)
	}
	o.Subscriptions = subscriptions
	var file strings.Builder
	err = notificationsTemplate.Execute(&file, struct {
		notificationOptions
		Conditions []notificationTrigger
		Kept       bool
		Removal    string
	}{o, notificationTriggers, others, undo})
	if err != nil {
		return "", fmt.Errorf("write the configuration of Argo CD's notifications: %w", err)
	}
	return file.String(), nil
}
