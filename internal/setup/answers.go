package setup

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"go.yaml.in/yaml/v4"

	"github.com/argo-why/argo-why/config"
)

// Answers are what the files are made from. None of them is secret.
type Answers struct {
	// AppName and Command are what the app and its slash command are called in Slack.
	AppName, Command string
	// Team is the ID of the workspace, Channel that of the incidents.
	Team, Channel string
	// SlackAPI is the address of Slack's Web API; empty is Slack's own.
	SlackAPI string
	// Name, Server, URL and TLS are those of the Argo CD.
	Name, Server, URL, TLS string
	// ArgoNamespace is Argo CD's own, Namespace that of the bot.
	ArgoNamespace, Namespace string
	// Notifications: Argo CD tells the bot what fails.
	Notifications bool
}

// How the bot connects to Argo CD.
const (
	TLSVerify   = "verify"
	TLSOwn      = "own" // with the certificate that Argo CD keeps in a Secret
	TLSInsecure = "insecure"
	PlainText   = "plaintext"
)

// The names of the token files, and of the keys of the Secret. test/chart renders with them.
const (
	SlackBotToken = "slack-bot-token"
	SlackAppToken = "slack-app-token"
	ArgoCDToken   = "argocd-token"
	WebhookToken  = "webhook-token"
	// ArgoCDCert is a certificate and no token, and kept beside them: whoever replaces it can read what the bot sends.
	ArgoCDCert = "argocd.crt"
)

// usual are the answers that most people give. What is not among them has to be asked for.
var usual = Answers{
	AppName: "argo-why", Command: "/argo", Name: "prod",
	Server: "argocd-server.argocd.svc", ArgoNamespace: "argocd", Namespace: "argo-why",
}

// insideCluster is the address of a Service. Argo CD signs the certificate of its own by itself.
var insideCluster = regexp.MustCompile(`^(https?://)?[^/]+\.svc(\.[^/]+)?(:\d+)?$`)

// usualTLS is how people connect to such a server.
func usualTLS(server string) string {
	switch {
	case strings.HasPrefix(server, "http://"), strings.HasSuffix(server, ":80"):
		return PlainText
	case insideCluster.MatchString(server):
		return TLSOwn
	}
	return TLSVerify
}

// The comments of the values are for the person who changes them later.
var configTemplate = template.Must(template.New("config").Funcs(template.FuncMap{"yaml": scalar, "file": tokenFile}).Parse(`slack:
  team: {{yaml .Team}}
  channel: {{yaml .Channel}}
  botToken: {{file "slack-bot-token"}}
  appToken: {{file "slack-app-token"}}
{{- if ne .Command "/argo"}}
  command: {{yaml .Command}}
{{- end}}
{{- with .SlackAPI}}
  apiURL: {{yaml .}}
{{- end}}
argocd:
  - name: {{yaml .Name}}
    server: {{yaml .Server}}
{{- with .URL}}
    url: {{yaml .}}
{{- end}}
{{- if eq .TLS "own"}}
    serverCrt: /var/run/secrets/argo-why/argocd.crt # Argo CD signs its certificate itself, unless you gave it one
{{- else if eq .TLS "insecure"}}
    insecure: true # whoever is between the bot and Argo CD can read the token
{{- else if eq .TLS "plaintext"}}
    plainText: true
{{- end}}
    token: {{file "argocd-token"}}
{{- if .Notifications}}
    webhookToken: {{file "webhook-token"}}
{{- end}}
`))

// scalar is a string as YAML, in quotes where it would be something else without.
func scalar(s string) (string, error) {
	raw, err := yaml.Marshal(s)
	return strings.TrimSuffix(string(raw), "\n"), err
}

// tokenFile is where the chart mounts a key of the Secret.
func tokenFile(name string) string { return "{file: /var/run/secrets/argo-why/" + name + "}" }

// config is the bot's configuration.
func (a Answers) config() (string, error) {
	var b bytes.Buffer
	err := configTemplate.Execute(&b, a)
	return b.String(), err
}

const valuesHead = `# Values of argo-why's Helm chart, written by argo-why init. They contain no secret, so they can go into Git. docs/configuration.md explains
# what is below config, deploy/charts/argo-why/values.yaml every other value.
config:
`

var lineStart = regexp.MustCompile(`(?m)^.`)

// values are those of the chart.
func (a Answers) values() (string, error) {
	own, err := a.config()
	if err != nil {
		return "", fmt.Errorf("write the values: %w", err)
	}
	values := valuesHead + lineStart.ReplaceAllString(own, "  $0")
	if a.ArgoNamespace != usual.ArgoNamespace {
		values += "rbac:\n  read:\n    applications: [" + a.ArgoNamespace + "]\n"
	}
	return values, nil
}

// fromOutside is how a person reaches the Argo CD: a Service is behind what the browser uses, which often does not forward HTTP/2.
func (a Answers) fromOutside() *config.Instance {
	if insideCluster.MatchString(a.Server) {
		return &config.Instance{Name: a.Name, Server: a.URL, GRPCWeb: true}
	}
	return &config.Instance{Name: a.Name, Server: a.Server, Insecure: a.TLS == TLSInsecure, PlainText: a.TLS == PlainText}
}

// complete are the answers with examples for what is still open.
func (a Answers) complete() Answers {
	a.Team = cmp.Or(a.Team, "T0123456789")
	a.Channel = cmp.Or(a.Channel, "argo-alerts")
	a.Command = cmp.Or(a.Command, usual.Command)
	a.Name = cmp.Or(a.Name, usual.Name)
	a.Server = cmp.Or(a.Server, usual.Server)
	return a
}

// wrong is what the bot would say against the answers under some keys of its configuration; examples stand for what is still open.
func (a Answers) wrong(keys ...string) error {
	for _, p := range problems(a.complete()) {
		if slices.Contains(keys, p.Path) {
			return errors.New(p.Text)
		}
	}
	return nil
}

// wrongAnywhere is the first thing that the bot would say against the whole configuration.
func (a Answers) wrongAnywhere() error {
	for _, p := range problems(a) {
		return fmt.Errorf("the configuration would be wrong: %s: %s", p.Path, p.Text)
	}
	return nil
}

// problems are what the bot would say.
func problems(a Answers) []config.Problem {
	text, err := a.config()
	if err == nil {
		_, err = config.Parse([]byte(text))
	}
	var wrong *config.Error
	switch {
	case errors.As(err, &wrong):
		return wrong.Problems
	case err != nil:
		return []config.Problem{{Text: err.Error()}}
	}
	return nil
}
