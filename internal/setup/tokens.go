package setup

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Token is a secret that an installation needs. It is never a flag: other people see command lines.
type Token struct {
	// Name is that of the file, and of the key in the Secret.
	Name string
	// Flag names a file to read it from, and Env a variable.
	Flag, Env string
	// What a person is asked, and Usage what the help says that it is.
	What, Usage string
	check       func(string) error
	// optional: it may stay empty, and optionalWhat says what happens then.
	optional bool
}

// Tokens are all that can be given.
var (
	botToken = Token{Name: SlackBotToken, Flag: "slack-bot-token-file", Env: "SLACK_BOT_TOKEN", Usage: "Bot User OAuth Token, xoxb-…", What: "Bot User OAuth Token (xoxb-…; not shown)", check: isToken("xoxb-", slackToken, "copy the Bot User OAuth Token from OAuth & Permissions in the app's settings")}
	appToken = Token{Name: SlackAppToken, Flag: "slack-app-token-file", Env: "SLACK_APP_TOKEN", Usage: "app-level token, xapp-…", What: "App-level token (xapp-…; not shown)", check: isToken("xapp-", slackToken, "generate it under Basic Information in the app's settings, with the scope connections:write")}
	// The variable is not that of the argocd command: that one is the token of the person who runs this.
	argoToken = Token{Name: ArgoCDToken, Flag: "argocd-token-file", Env: "ARGOCD_TOKEN", Usage: "token of the bot's account in Argo CD; without it, secret.sh makes one", What: "Token of the bot's account in Argo CD (not shown; Enter if there is none yet: secret.sh makes it)", optional: true, check: isToken("", argoCDToken, "copy what argocd account generate-token printed")}

	Tokens = []Token{botToken, appToken, argoToken}
)

// What a token consists of.
var (
	slackToken  = regexp.MustCompile(`^[\w-]*$`)
	argoCDToken = regexp.MustCompile(`^[\x21-\x7e]*$`)
)

// isToken checks the form of a token. The error does not repeat the token: it may be a good one in the wrong place.
func isToken(prefix string, letters *regexp.Regexp, todo string) func(string) error {
	const (
		least      = 8 // shorter than any
		leastAfter = 6 // of a prefix
	)
	return func(token string) error {
		rest, begins := strings.CutPrefix(token, prefix)
		switch {
		case !begins:
			return errors.New("expected a token that begins with " + prefix + ": " + todo)
		case !letters.MatchString(token):
			return errors.New("contains a space or another character that no token has: " + todo)
		case len(token) < least, len(rest) < leastAfter:
			return errors.New("too short to be the whole token: " + todo)
		}
		return nil
	}
}

// given reads a token from where the command line says; "" if it says nothing.
func (t Token) given(files map[string]string, env func(string) string) (string, error) {
	from, token := t.Env, strings.TrimSpace(env(t.Env))
	if file := files[t.Flag]; file != "" {
		raw, err := os.ReadFile(file)
		if err != nil {
			return "", fmt.Errorf("--%s: %w", t.Flag, unreadable(file, err))
		}
		from, token = "--"+t.Flag, strings.TrimSpace(string(raw))
		if token == "" {
			return "", fmt.Errorf("--%s: the file %s is empty: write the token into it", t.Flag, file)
		}
	}
	if token == "" {
		return "", nil
	}
	if err := t.check(token); err != nil {
		return "", fmt.Errorf("%s: %w", from, err)
	}
	return token, nil
}

func unreadable(file string, err error) error {
	var at *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("the file %s does not exist: correct the path", file)
	case errors.As(err, &at):
		err = at.Err
	}
	return fmt.Errorf("the file %s cannot be read (%w): correct the path", file, err)
}

// ask asks a person for a token, until it has the right form and is accepted.
func (t Token) ask(ctx context.Context, by Asker, accept func(string) error) (string, error) {
	return by.Secret(ctx, t.What, func(token string) error {
		if token == "" && t.optional {
			return nil
		}
		if err := t.check(token); err != nil {
			return err
		}
		return accept(token)
	})
}

// missing is the error of a run without a person.
func (t Token) missing() error {
	return UsageError(fmt.Sprintf("--%s is missing: give a file with the token, or set %s", t.Flag, t.Env))
}

// webhookToken is the one that is there, because Argo CD has it, else a new one.
func webhookToken(dir string) (string, error) {
	if raw, err := os.ReadFile(filepath.Join(dir, tokensDir, WebhookToken)); err == nil && len(raw) > 0 {
		return strings.TrimSpace(string(raw)), nil
	}
	const bytes = 32
	random := make([]byte, bytes)
	if _, err := rand.Read(random); err != nil {
		return "", fmt.Errorf("make a token for webhooks: %w", err)
	}
	return hex.EncodeToString(random), nil
}
