package setup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/argo-why/argo-why/internal/text"
)

// Asker asks a person.
type Asker interface {
	Line(ctx context.Context, question, fallback string, check func(string) error) (string, error)
	Secret(ctx context.Context, question string, check func(string) error) (string, error)
	Yes(ctx context.Context, question string, fallback bool) (bool, error)
}

// Options are what a setup begins with.
type Options struct {
	// Answers that were given; the rest is asked, or has its usual value.
	Answers Answers
	// AskNotifications: whether Argo CD notifies the bot was not said.
	AskNotifications bool
	// TokenFiles are the files that flags name, by the flag; Env is the environment.
	TokenFiles map[string]string
	Env        func(string) string
	// Dir is written to. Force: what is there is replaced.
	Dir   string
	Force bool
	// Manifest is that of the Slack app, Account the script that makes the account in an Argo CD in a namespace.
	Manifest string
	Account  func(namespace string) string
	// Asker asks; nil if there is nobody. Found are answers to suggest, by the flag.
	Asker Asker
	Found map[string]string
	// Slack and ArgoCD check tokens; nil: they are not checked.
	Slack  Slack
	ArgoCD ArgoCD
	// Open opens an address in a browser, and reports false where there is none.
	Open func(address string) bool
	// Out is for explanations.
	Out io.Writer
}

// run is a setup on its way.
type run struct {
	Options
	tokens map[string]string
	// appWritten: the manifest of the Slack app is there already.
	appWritten bool
}

// Run asks what is missing, checks it and writes everything. Until then it writes only the manifest of the Slack app, without which there are no
// tokens.
func Run(ctx context.Context, o Options) (*Result, error) {
	r := &run{Options: o, tokens: map[string]string{}}
	for _, step := range []func(context.Context) error{r.look, r.slackApp, r.slack, r.argoCD, r.write} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return &Result{Dir: o.Dir, Answers: r.Answers, HasArgoCDToken: r.tokens[ArgoCDToken] != ""}, nil
}

func (r *run) say(format string, args ...any) {
	if r.Asker != nil {
		fmt.Fprintf(r.Out, format+"\n", args...)
	}
}

// look finds what is wrong before anybody answers a question.
func (r *run) look(ctx context.Context) error {
	for _, q := range Questions {
		answer := q.Answer(&r.Answers)
		if *answer == "" || q.Flag == team.Flag && r.Slack != nil && isWorkspaceHost(asTeam(*answer)) {
			*answer = q.understood(*answer) // Slack is asked for the ID of a workspace
			continue
		}
		if err := q.given(&r.Answers); err != nil {
			return err
		}
	}
	for _, t := range Tokens {
		token, err := t.given(r.TokenFiles, r.Env)
		if err != nil {
			return err
		}
		r.tokens[t.Name] = token
	}
	if err := usable(r.Dir); err != nil {
		return err
	}
	if found := existing(r.Dir); len(found) > 0 {
		return r.mayReplace(ctx, found...)
	}
	return nil
}

// mayReplace asks before anything is overwritten.
func (r *run) mayReplace(ctx context.Context, names ...string) error {
	what := r.Dir + " already has " + text.List(names, len(names))
	if r.Force {
		return nil
	}
	if r.Asker == nil {
		return UsageError(what + ": add --force to replace that, or give another directory with --dir")
	}
	yes, err := r.Asker.Yes(ctx, what+". Replace?", false)
	if err == nil && !yes {
		err = errors.New("nothing was replaced: give another directory with --dir")
	}
	return err
}

// answer asks a person, or takes what was given.
func (r *run) answer(ctx context.Context, questions ...Question) error {
	for _, q := range questions {
		var err error
		if r.Asker == nil {
			err = q.given(&r.Answers)
		} else {
			err = q.ask(ctx, r.Asker, &r.Answers, r.Found[q.Flag])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// slackApp writes the manifest, and has the person create the app.
func (r *run) slackApp(ctx context.Context) error {
	r.say("\nSlack app")
	if err := r.answer(ctx, appName, command); err != nil || r.Asker == nil {
		return err
	}
	manifest, err := r.writeApp(ctx)
	if err != nil {
		return err
	}
	r.say("✓ wrote %s", filepath.Join(r.Dir, appFile))
	if r.tokens[SlackBotToken] != "" && r.tokens[SlackAppToken] != "" {
		return nil // so there is an app
	}
	yes, err := r.Asker.Yes(ctx, "Open Slack in the browser to create the app from it?", true)
	if err != nil {
		return err
	}
	if yes && !r.Open(appLink(manifest)) {
		r.say("No browser found.")
	}
	r.say(createApp, filepath.Join(r.Dir, appFile))
	return nil
}

const createApp = `
1. Create the app. If the browser did not open: https://api.slack.com/apps?new_app=1, From a manifest, and paste %s
2. Install App: install it, and copy the Bot User OAuth Token
3. Basic Information, App-Level Tokens: generate one with the scope connections:write
`

func (r *run) writeApp(ctx context.Context) (string, error) {
	manifest, err := slackApp(r.Manifest, r.Answers)
	if err != nil {
		return "", err
	}
	f := file{name: appFile, text: manifest}
	if differs(r.Dir, f) {
		if err := r.mayReplace(ctx, appFile); err != nil {
			return "", err
		}
	}
	r.appWritten = true
	return manifest, write(r.Dir, f)
}

// slack finds out about the workspace. Its ID is in what Slack answers about the bot token.
func (r *run) slack(ctx context.Context) error {
	if err := r.token(ctx, botToken, r.acceptBot); err != nil {
		return err
	}
	if err := r.token(ctx, appToken, r.acceptApp); err != nil {
		return err
	}
	return r.answer(ctx, team, channel)
}

// token takes a token that was given, or asks for it.
func (r *run) token(ctx context.Context, t Token, accept func(context.Context, string) error) error {
	token := r.tokens[t.Name]
	if token != "" {
		return accept(ctx, token)
	}
	if r.Asker == nil {
		if t.optional {
			return nil
		}
		return t.missing()
	}
	token, err := t.ask(ctx, r.Asker, func(token string) error { return accept(ctx, token) })
	r.tokens[t.Name] = token
	return err
}

// argoCD asks about the Argo CD.
func (r *run) argoCD(ctx context.Context) error {
	r.say("\nArgo CD")
	if err := r.answer(ctx, instance, argoNamespace, server, tls, address); err != nil {
		return err
	}
	if err := r.token(ctx, argoToken, r.acceptArgoCD); err != nil {
		return err
	}
	if r.Asker != nil && r.AskNotifications {
		var err error
		if r.Answers.Notifications, err = r.Asker.Yes(ctx, "Receive Argo CD's notifications? Without them the bot watches, and sees a failure a few seconds later", false); err != nil {
			return err
		}
	}
	if r.Answers.Notifications {
		var err error
		if r.tokens[WebhookToken], err = webhookToken(r.Dir); err != nil {
			return err
		}
	}
	return r.answer(ctx, namespace)
}

func (r *run) write(ctx context.Context) error {
	if err := r.Answers.wrongAnywhere(); err != nil {
		return err
	}
	all, err := files(r.Answers, r.tokens, r.Account(r.Answers.ArgoNamespace))
	if err != nil {
		return err
	}
	if !r.appWritten {
		if _, err := r.writeApp(ctx); err != nil {
			return err
		}
	}
	// A token that was to be replaced must not stay: secret.sh makes one only where there is none. That for webhooks stays.
	if r.tokens[ArgoCDToken] == "" {
		if err := remove(r.Dir, filepath.Join(tokensDir, ArgoCDToken)); err != nil {
			return err
		}
	}
	for _, f := range append([]file{ignoring(r.Dir)}, all...) {
		if err := write(r.Dir, f); err != nil {
			return err
		}
	}
	return nil
}
