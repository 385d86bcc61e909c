package setup

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/argo-why/argo-why/internal/text"
)

// Question is something that an installation needs to know.
type Question struct {
	// Flag answers it on the command line, as --team.
	Flag string
	// What a person is asked.
	What string
	// Usage explains it in the help.
	Usage string
	// Answer is where the answer is kept.
	Answer func(*Answers) *string
	// fallback is what Enter means; a run without a person takes it too. "" if there is none.
	fallback func(Answers) string
	// keys are those of the bot's configuration that the answer has to be right for; check is for what is not in it.
	keys  []string
	check func(string) error
	// understand makes of an answer what the configuration needs; nil takes it as it is.
	understand func(string) string
	// optional: it may stay empty.
	optional func(Answers) bool
}

var (
	appName = Question{
		Flag: "app-name", What: "Name of the Slack app", Usage: "`NAME` of the Slack app (default argo-why)",
		Answer: func(a *Answers) *string { return &a.AppName }, fallback: always(usual.AppName), check: isAppName,
	}
	command = Question{
		Flag: "command", What: "Slash command", Usage: "slash `COMMAND`; the bot is mentioned by the same name (default /argo)",
		Answer: func(a *Answers) *string { return &a.Command }, fallback: always(usual.Command), keys: []string{"slack.command"}, understand: asCommand,
	}
	team = Question{
		Flag: "team", What: "Workspace ID (T…, from its address https://app.slack.com/client/T…)", Usage: "`ID` of the Slack workspace, T… or E…, or its address (default: that of the bot token)",
		Answer: func(a *Answers) *string { return &a.Team }, keys: []string{"slack.team"}, understand: asTeam,
	}
	channel = Question{
		Flag: "channel", What: "Channel for incidents (name, or ID C…)", Usage: "`CHANNEL` for incidents: its name, ID or link",
		Answer: func(a *Answers) *string { return &a.Channel }, keys: []string{"slack.channel"}, understand: asChannel,
	}
	instance = Question{
		Flag: "argocd-name", What: "Short name for this Argo CD, such as prod", Usage: "short `NAME` for this Argo CD (default prod)",
		Answer: func(a *Answers) *string { return &a.Name }, fallback: always(usual.Name), keys: []string{"argocd[0].name"},
	}
	argoNamespace = Question{
		Flag: "argocd-namespace", What: "Namespace of Argo CD", Usage: "`NAMESPACE` of Argo CD (default argocd)",
		Answer: func(a *Answers) *string { return &a.ArgoNamespace }, fallback: always(usual.ArgoNamespace), check: isNamespace,
	}
	server = Question{
		Flag: "argocd-server", What: "Server, as seen from the bot's pod", Usage: "argocd-server as `HOST:PORT`, as seen from the bot's pod (default argocd-server.argocd.svc)",
		Answer:   func(a *Answers) *string { return &a.Server },
		fallback: func(a Answers) string { return "argocd-server." + a.ArgoNamespace + ".svc" }, keys: []string{"argocd[0].server"}, understand: asServer,
	}
	tls = Question{
		Flag: "argocd-tls", What: "Certificate: own (Argo CD's own), verify, insecure (not verified) or plaintext", Usage: "`HOW` to connect: own (Argo CD's own certificate, which secret.sh reads from its Secret), verify, insecure (do not verify the certificate) or plaintext (default: what fits the server)",
		Answer:   func(a *Answers) *string { return &a.TLS },
		fallback: func(a Answers) string { return usualTLS(a.Server) }, keys: []string{"argocd[0].plainText", "argocd[0].insecure", "argocd[0].serverCrt"}, check: isTLS,
	}
	address = Question{
		Flag: "argocd-url", What: "Address of Argo CD in the browser, for links", Usage: "`ADDRESS` of Argo CD in the browser, for links; needed if the server is inside the cluster",
		Answer: func(a *Answers) *string { return &a.URL }, keys: []string{"argocd[0].url"}, understand: asAddress,
		optional: func(a Answers) bool { return !insideCluster.MatchString(a.Server) },
	}
	namespace = Question{
		Flag: "namespace", What: "Namespace for the bot", Usage: "`NAMESPACE` for the bot (default argo-why)",
		Answer: func(a *Answers) *string { return &a.Namespace }, fallback: always(usual.Namespace), check: isNamespace,
	}
)

// Questions are all, in the order in which they are asked.
var Questions = []Question{appName, command, team, channel, instance, argoNamespace, server, tls, address, namespace}

func always(answer string) func(Answers) string { return func(Answers) string { return answer } }

func (q Question) understood(answer string) string {
	if q.understand == nil || answer == "" {
		return answer
	}
	return q.understand(answer)
}

// wrong says what is wrong with an answer, nil if nothing is.
func (q Question) wrong(a Answers, answer string) error {
	if answer == "" && q.optional != nil && q.optional(a) {
		return nil
	}
	if q.check != nil {
		if err := q.check(answer); err != nil {
			return err
		}
	}
	if len(q.keys) == 0 {
		return nil
	}
	if answer == "" {
		return fmt.Errorf("an answer is needed: %s", text.LowerFirst(q.What))
	}
	*q.Answer(&a) = answer
	return a.wrong(q.keys...)
}

// given takes the answer of the flag, or what nobody has to be asked for.
func (q Question) given(a *Answers) error {
	answer := q.Answer(a)
	*answer = q.understood(*answer)
	if *answer == "" && q.fallback != nil {
		*answer = q.fallback(*a)
	}
	if *answer == "" {
		if q.optional != nil && q.optional(*a) {
			return nil
		}
		return UsageError(fmt.Sprintf("--%s is missing: give the %s", q.Flag, text.LowerFirst(q.What)))
	}
	if err := q.wrong(*a, *answer); err != nil {
		return UsageError(fmt.Sprintf("--%s: %v", q.Flag, err))
	}
	return nil
}

// ask asks a person, unless the flag has answered already.
func (q Question) ask(ctx context.Context, by Asker, a *Answers, found string) error {
	answer := q.Answer(a)
	if *answer != "" {
		return q.given(a)
	}
	if found == "" && q.fallback != nil {
		found = q.fallback(*a)
	}
	given, err := by.Line(ctx, q.What, found, func(s string) error { return q.wrong(*a, q.understood(s)) })
	*answer = q.understood(given)
	return err
}

// UsageError is about what was given on the command line.
type UsageError string

func (e UsageError) Error() string { return string(e) }

// maxAppName is Slack's limit. https://docs.slack.dev/reference/app-manifest#display
const maxAppName = 35

func isAppName(s string) error {
	n := utf8.RuneCountInString(s)
	if n == 0 || n > maxAppName || strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return fmt.Errorf("%q is not a name for an app: use up to %d characters", s, maxAppName)
	}
	return nil
}

var label = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)

func isNamespace(s string) error {
	if !label.MatchString(s) {
		return fmt.Errorf("%q is not a valid namespace: use up to 63 of a-z, 0-9 and -", s)
	}
	return nil
}

func isTLS(s string) error {
	switch s {
	case TLSVerify, TLSOwn, TLSInsecure, PlainText:
		return nil
	}
	return fmt.Errorf("%q is not one of them: use own, verify, insecure or plaintext", s)
}
