package setup_test

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/config"
	manifest "github.com/argo-why/argo-why/deploy/slack"
	"github.com/argo-why/argo-why/internal/setup"
)

var update = flag.Bool("update", false, "rewrite testdata")

var tokens = map[string]string{"SLACK_BOT_TOKEN": "xoxb-123456", "SLACK_APP_TOKEN": "xapp-123456"}

// begin is a setup without a person, and without Slack.
func begin(t *testing.T, a setup.Answers) setup.Options {
	t.Helper()
	return setup.Options{
		Answers: a, Env: func(name string) string { return tokens[name] }, Dir: filepath.Join(t.TempDir(), "install"), Manifest: manifest.YAML,
		Account: func(namespace string) string { return "# the account in " + namespace + "\n" }, Out: io.Discard,
	}
}

// few are the answers that nobody can guess, many are other ones than usual: names that YAML takes for something else.
var (
	few  = setup.Answers{Team: "T0123456789", Channel: "argo-alerts", URL: "https://argocd.example.com"}
	many = setup.Answers{
		AppName: "why: it's \"down\" # 1", Command: "/404", Team: "E012", Channel: "1e3", SlackAPI: "https://slack.example.com/api/",
		Name: "no", Server: "argocd-server.gitops.svc:80", URL: "https://argocd.example.com/x?a=b", ArgoNamespace: "gitops", Namespace: "tools", Notifications: true,
	}
)

// TestFiles: what is written for the usual answers and for others. test/chart renders the values with the chart, and config reads what comes out.
func TestFiles(t *testing.T) {
	for name, a := range map[string]setup.Answers{"usual": few, "other": many} {
		t.Run(name, func(t *testing.T) {
			o := begin(t, a)
			if _, err := setup.Run(t.Context(), o); err != nil {
				t.Fatal(err)
			}
			for _, file := range []string{"values.yaml", "slack-app.yaml", "secret.sh"} {
				got, golden := read(t, filepath.Join(o.Dir, file)), filepath.Join("testdata", name, file)
				if *update {
					if err := errors.Join(os.MkdirAll(filepath.Dir(golden), 0o755), os.WriteFile(golden, []byte(got), 0o644)); err != nil {
						t.Fatal(err)
					}
				}
				if want := read(t, golden); got != want {
					t.Errorf("%s: got\n%s\nwant\n%s", golden, got, want)
				}
			}
			for _, file := range []string{"slack-bot-token", "slack-app-token"} {
				info, err := os.Stat(filepath.Join(o.Dir, "tokens", file))
				if err != nil || info.Mode().Perm() != 0o600 {
					t.Errorf("%s: %v, %v", file, info, err)
				}
			}
			if info, err := os.Stat(filepath.Join(o.Dir, "tokens")); err != nil || info.Mode().Perm() != 0o700 {
				t.Errorf("tokens: %v, %v", info, err)
			}
			noToken(t, o.Dir)
		})
	}
}

// noToken looks for tokens outside of the folder for them.
func noToken(t *testing.T, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.*"))
	if err != nil || len(files) < 4 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		for _, token := range tokens {
			if strings.Contains(read(t, file), token) {
				t.Errorf("%s has the token %s", file, token)
			}
		}
	}
}

// TestTheSameAnswersGiveTheSameBytes, also of the token for webhooks, which Argo CD has been given.
func TestTheSameAnswersGiveTheSameBytes(t *testing.T) {
	o := begin(t, many)
	all := func() string {
		if _, err := setup.Run(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, file := range []string{"values.yaml", "slack-app.yaml", "secret.sh", "account.sh", ".gitignore", "tokens/webhook-token"} {
			b.WriteString(read(t, filepath.Join(o.Dir, file)))
		}
		return b.String()
	}
	first := all()
	o.Force = true
	if second := all(); second != first {
		t.Errorf("first\n%s\nthen\n%s", first, second)
	}
}

// TestNothingIsReplacedUnasked, neither a token nor what somebody has changed.
func TestNothingIsReplacedUnasked(t *testing.T) {
	for _, name := range []string{"values.yaml", "secret.sh", "account.sh", "slack-app.yaml", "tokens/slack-bot-token", "tokens/argocd-token"} {
		o := begin(t, few)
		file := filepath.Join(o.Dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte("mine"), 0o600)); err != nil {
			t.Fatal(err)
		}
		want := o.Dir + " already has " + name + ": add --force to replace that, or give another directory with --dir"
		if _, err := setup.Run(t.Context(), o); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
		if read(t, file) != "mine" {
			t.Errorf("%s was replaced", name)
		}
		if left, err := filepath.Glob(filepath.Join(o.Dir, "*")); err != nil || len(left) != 1 {
			t.Errorf("written in spite of the error: %v, %v", left, err)
		}
		o.Force = true
		if _, err := setup.Run(t.Context(), o); err != nil {
			t.Error(err)
		}
	}
	o := begin(t, few)
	if err := errors.Join(os.MkdirAll(o.Dir, 0o755), os.WriteFile(filepath.Join(o.Dir, ".gitignore"), []byte("*.log"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, err := setup.Run(t.Context(), o); err != nil || read(t, filepath.Join(o.Dir, ".gitignore")) != "*.log\n/tokens/\n" {
		t.Errorf(".gitignore: %v, %q", err, read(t, filepath.Join(o.Dir, ".gitignore")))
	}
}

// TestWrongAnswersAreExplained: in one line that names the flag.
func TestWrongAnswersAreExplained(t *testing.T) {
	for want, change := range map[string]func(*setup.Answers){
		`--team is missing: give the workspace ID (T…, from its address https://app.slack.com/client/T…)`:                                                          func(a *setup.Answers) { a.Team = "" },
		`--channel is missing: give the channel for incidents (name, or ID C…)`:                                                                                    func(a *setup.Answers) { a.Channel = "" },
		`--argocd-url is missing: give the address of Argo CD in the browser, for links`:                                                                           func(a *setup.Answers) { a.URL = "" },
		`--team: "acme" is not the ID of a workspace: expected one such as T0123456789, from its address https://app.slack.com/client/T…`:                          func(a *setup.Answers) { a.Team = "acme" },
		`--command: "/ask why" is not a slash command: expected a slash and up to 31 of a-z, 0-9, - and _, such as /argo`:                                          func(a *setup.Answers) { a.Command = "ask why" },
		`--argocd-server: "https://a.example.com/x" has a path: write server: a.example.com, and grpcWebRootPath: /x if Argo CD is served under that path`:         func(a *setup.Answers) { a.Server = "https://a.example.com/x" },
		`--argocd-tls: would send the token unencrypted to a.example.com: remove plainText, or use an address inside the cluster such as argocd-server.argocd.svc`: func(a *setup.Answers) { a.Server, a.TLS = "a.example.com", "plaintext" },
		`--argocd-tls: "none" is not one of them: use own, verify, insecure or plaintext`:                                                                          func(a *setup.Answers) { a.TLS = "none" },
		`--namespace: "A b" is not a valid namespace: use up to 63 of a-z, 0-9 and -`:                                                                              func(a *setup.Answers) { a.Namespace = "A b" },
		`--app-name: "0123456789012345678901234567890123456789" is not a name for an app: use up to 35 characters`:                                                 func(a *setup.Answers) { a.AppName = strings.Repeat("0123456789", 4) },
	} {
		o := begin(t, few)
		change(&o.Answers)
		if _, err := setup.Run(t.Context(), o); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
		if _, err := os.Stat(o.Dir); err == nil {
			t.Errorf("%s: something was written", want)
		}
	}
}

// TestWrongTokensAreNotRepeated: it may be a good token in the wrong place.
func TestWrongTokensAreNotRepeated(t *testing.T) {
	for name, want := range map[string]string{
		"SLACK_BOT_TOKEN": "SLACK_BOT_TOKEN: expected a token that begins with xoxb-: copy the Bot User OAuth Token from OAuth & Permissions in the app's settings",
		"SLACK_APP_TOKEN": "SLACK_APP_TOKEN: expected a token that begins with xapp-: generate it under Basic Information in the app's settings, with the scope connections:write",
		"ARGOCD_TOKEN":    "ARGOCD_TOKEN: contains a space or another character that no token has: copy what argocd account generate-token printed",
	} {
		o := begin(t, few)
		o.Env = func(asked string) string {
			if asked == name {
				return "two words-of-a-secret"
			}
			return tokens[asked]
		}
		if _, err := setup.Run(t.Context(), o); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	o := begin(t, few)
	o.Env = func(string) string { return "" }
	if _, err := setup.Run(t.Context(), o); fmt.Sprint(err) != "--slack-bot-token-file is missing: give a file with the token, or set SLACK_BOT_TOKEN" {
		t.Error(err)
	}
}

// slack answers what a test wants.
type slack struct{ workspace, socket error }

func (s slack) Workspace(context.Context, string) (setup.Workspace, error) {
	return setup.Workspace{IDs: []string{"T0123456789", "E0123456789"}, Host: "acme.slack.com", Shown: "Acme (T0123456789), as @argo"}, s.workspace
}
func (s slack) Socket(context.Context, string) error { return s.socket }

// TestSlackKnowsTheWorkspace of a bot token, and a wrong one is found before anything is written.
func TestSlackKnowsTheWorkspace(t *testing.T) {
	refused, away := errors.New("Slack rejects it (invalid_auth)"), fmt.Errorf("%w: slack.com is not reachable", setup.ErrUnanswered)
	for _, x := range []struct {
		name, team string
		slack      slack
		want       string
	}{
		{"not given", "", slack{}, ""},
		{"the organization", "E0123456789", slack{}, ""},
		{"its address", "acme.slack.com", slack{}, ""},
		{"its address in the browser", "https://Acme.slack.com/archives/C0123456789", slack{}, ""},
		{"the address of another one", "other.slack.com", slack{}, "the bot token belongs to Acme (T0123456789), as @argo, not to other.slack.com: correct --team, or use the token of that workspace"},
		{"another one", "T9999999999", slack{}, "the bot token belongs to Acme (T0123456789), as @argo, not to T9999999999: correct --team, or use the token of that workspace"},
		{"refused", "", slack{workspace: refused}, refused.Error()},
		{"no socket", "", slack{socket: refused}, refused.Error()},
		{"unreachable", "", slack{socket: away}, "not checked: slack.com is not reachable; --offline leaves the check out"},
	} {
		t.Run(x.name, func(t *testing.T) {
			o := begin(t, few)
			o.Answers.Team, o.Slack = x.team, x.slack
			_, err := setup.Run(t.Context(), o)
			if got := fmt.Sprint(err); err != nil && got != x.want || err == nil && x.want != "" {
				t.Errorf("got  %v\nwant %s", err, x.want)
			}
			id := "T0123456789"
			if strings.HasPrefix(x.team, "E") {
				id = x.team
			}
			if x.want == "" && !strings.Contains(read(t, filepath.Join(o.Dir, "values.yaml")), "team: "+id) {
				t.Error("another team")
			}
		})
	}
}

// TestArgoCDKnowsTheAccount of a token. One that nobody can be asked about from here is for argo-why check, in the pod.
func TestArgoCDKnowsTheAccount(t *testing.T) {
	o := begin(t, few)
	o.Env = func(name string) string { return cmp.Or(tokens[name], "a-token-of-argocd") }
	asked := config.Instance{}
	answer := errors.New("Argo CD rejects it")
	o.ArgoCD = func(_ context.Context, at *config.Instance, token string) (string, error) {
		asked = *at
		return token, answer
	}
	if _, err := setup.Run(t.Context(), o); !errors.Is(err, answer) {
		t.Errorf("rejected: %v", err)
	}
	if want := (config.Instance{Name: "prod", Server: few.URL, GRPCWeb: true}); asked != want {
		t.Errorf("asked %+v, want %+v", asked, want)
	}
	answer = fmt.Errorf("%w: unreachable", setup.ErrUnanswered)
	o.Answers.Server = "argocd.example.com"
	if _, err := setup.Run(t.Context(), o); err != nil {
		t.Errorf("unreachable: %v", err)
	}
	if want := (config.Instance{Name: "prod", Server: "argocd.example.com"}); asked != want {
		t.Errorf("asked %+v, want %+v", asked, want)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestWhatPeopleHaveAtHandIsUnderstood: an answer is a link or a name as it is shown, or what the configuration needs.
func TestWhatPeopleHaveAtHandIsUnderstood(t *testing.T) {
	for _, x := range []struct{ flag, given, want string }{
		{"command", "argo", "/argo"}, {"command", "@argo", "/argo"}, {"command", "/Argo", "/argo"}, {"command", "/argo", "/argo"},
		{"team", "https://app.slack.com/client/T0123456789/C0123456789", "T0123456789"}, {"team", "app.slack.com/client/E012", "E012"}, {"team", "T0123456789", "T0123456789"},
		{"channel", "#argo-alerts", "argo-alerts"}, {"channel", "#Argo-Alerts", "argo-alerts"}, {"channel", "argo-alerts", "argo-alerts"},
		{"channel", "C0123456789", "C0123456789"}, {"channel", "https://acme.slack.com/archives/C0123456789", "C0123456789"},
		{"channel", "https://acme.slack.com/archives/C0123456789/p1700000000000100", "C0123456789"}, {"channel", "https://app.slack.com/client/T0123456789/C0123456789", "C0123456789"},
		{"argocd-server", "https://argocd.example.com/applications?search=web", "https://argocd.example.com"}, {"argocd-server", "argocd-server.gitops.svc:80", "argocd-server.gitops.svc:80"},
		{"argocd-url", "argocd.example.com", "https://argocd.example.com"}, {"argocd-url", "https://argocd.example.com/argo/applications/argocd/web?view=tree", "https://argocd.example.com/argo"},
		{"argocd-url", "argocd.example.com:8443/settings", "https://argocd.example.com:8443"},
	} {
		t.Run(x.flag+" "+x.given, func(t *testing.T) {
			o := begin(t, few)
			i := slices.IndexFunc(setup.Questions, func(q setup.Question) bool { return q.Flag == x.flag })
			q := setup.Questions[i]
			*q.Answer(&o.Answers) = x.given
			result, err := setup.Run(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			if got := *q.Answer(&result.Answers); got != x.want {
				t.Errorf("given %q: %q, want %q", x.given, got, x.want)
			}
		})
	}
}
