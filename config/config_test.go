package config_test

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/diagnose"
)

// minimal is the shortest valid file.
const minimal = `slack:
  team: T012345
  botToken: {env: BOT}
  appToken: {env: APP}
  channel: alerts
argocd:
  - {name: prod, server: argocd.example.com, token: {env: TOKEN}}
`

func TestShortestFileGetsTheDefaults(t *testing.T) {
	got := parse(t, minimal)
	want := config.Default()
	want.Slack.Team, want.Slack.Channel = "T012345", "alerts"
	want.Slack.BotToken, want.Slack.AppToken = config.Secret{Env: "BOT"}, config.Secret{Env: "APP"}
	want.ArgoCD = []config.Instance{{Name: "prod", Server: "argocd.example.com", URL: "https://argocd.example.com", Token: config.Secret{Env: "TOKEN"}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// rules are some that exist.
var rules = []string{"hook/job-failed", "drift/hpa", "health/suspended"}

// TestBadFiles reads testdata/bad: each file has one problem, or several, and comments at its top that say what is reported, word for
// word and in that order.
func TestBadFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			var want []string
			for line := range strings.Lines(string(readFile(t, file))) {
				text, ok := strings.CutPrefix(line, "# want ")
				if !ok {
					break
				}
				want = append(want, strings.TrimSpace(text))
			}
			_, err := config.Load(file, rules)
			var wrong *config.Error
			if !errors.As(err, &wrong) {
				t.Fatalf("the file is taken, or not read: %v", err)
			}
			var got []string
			for _, p := range wrong.Problems {
				got = append(got, p.String())
			}
			if *update {
				rewrite(t, file, want, got)
			} else if !reflect.DeepEqual(got, want) {
				t.Errorf("reported:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			if strings.Contains(err.Error(), "LEAK") {
				t.Errorf("the error repeats a secret: %v", err)
			}
		})
	}
}

// rewrite replaces what was wanted by what is reported now. The next run counts the lines of the file again.
func rewrite(t *testing.T, file string, old, told []string) {
	t.Helper()
	var b strings.Builder
	for _, line := range told {
		b.WriteString("# want " + line + "\n")
	}
	rest := strings.SplitAfterN(string(readFile(t, file)), "\n", len(old)+1)[len(old)]
	if err := os.WriteFile(file, []byte(b.String()+rest), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestErrorNamesTheFileSoThatATerminalFindsIt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(file, []byte(minimal+"log: {level: loud}\nsweep: never\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := config.Load(file, nil)
	if err == nil || !strings.HasPrefix(err.Error(), file+":8: log.level: unknown value \"loud\": use debug, info, warn or error\n"+file+":9: sweep: \"never\" is not a schedule") {
		t.Errorf("reported %v", err)
	}
}

func TestAMissingFileSaysWhereItWasLookedFor(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "config.yml"), []byte(minimal), 0o600); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		dir + "/config.yaml": "looked for " + dir + "/config.yaml; did you mean config.yml?",
		dir + "/argo":        "looked for " + dir + "/argo; config/example.yaml in the source is a template",
		dir + "/no/argo":     "; the directory " + dir + "/no does not exist either",
		dir:                  "is a directory: give the file in it",
	} {
		if _, err := config.Load(file, nil); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("reported %v, want %s", err, want)
		}
	}
}

func TestAPatternThatMatchesNoRuleLeavesTheFileUsable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.yaml")
	for _, test := range []struct {
		more   string
		usable bool
	}{{"", true}, {"log: {level: loud}\n", false}} {
		if err := os.WriteFile(file, []byte(minimal+"incidents: {ignore: [dirft/*]}\n"+test.more), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := config.Load(file, rules)
		if (c != nil) != test.usable || err == nil || !strings.Contains(err.Error(), `:8: incidents.ignore[0]: "dirft/*" matches no rule: did you mean drift/*?`) {
			t.Errorf("usable %t: %v", c != nil, err)
		}
	}
}

func TestAllMissingSecretsAreNamed(t *testing.T) {
	for _, name := range []string{"BOT", "APP", "TOKEN"} {
		t.Setenv(name, "")
	}
	missing := parse(t, minimal).MissingSecrets()
	for i, key := range []string{"slack.botToken", "slack.appToken", "argocd[0].token"} {
		if len(missing) != 3 || !strings.HasPrefix(missing[i].Error(), key+": the environment variable ") {
			t.Fatalf("missing: %v", missing)
		}
	}
}

func TestExampleStatesTheDefaults(t *testing.T) {
	got, want := parse(t, string(readFile(t, "example.yaml"))), config.Default()
	want.Incidents.Ignore = []string{}
	for name, pair := range map[string][2]any{
		"slack.command": {got.Slack.Command, want.Slack.Command}, "slack.apiURL": {got.Slack.APIURL, want.Slack.APIURL},
		"incidents": {got.Incidents, want.Incidents}, "journal": {got.Journal, want.Journal}, "http": {got.HTTP, want.HTTP},
		"sweep": {got.Sweep, want.Sweep}, "log": {got.Log, want.Log},
	} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			t.Errorf("%s: the example says %+v, the default is %+v", name, pair[0], pair[1])
		}
	}
}

func TestExampleExplainsEveryKey(t *testing.T) {
	var doc yaml.Node
	if err := yaml.Unmarshal(readFile(t, "example.yaml"), &doc); err != nil {
		t.Fatal(err)
	}
	explained(t, doc.Content[0], reflect.TypeFor[config.Config](), "")
}

// explained finds every key of a type in the node, with a comment of its own. The comment of the first key of a list entry can be
// above the entry.
func explained(t *testing.T, n *yaml.Node, typ reflect.Type, path string) {
	t.Helper()
	for i := range typ.NumField() {
		field := typ.Field(i)
		name := field.Tag.Get("yaml")
		at := strings.TrimPrefix(path+"."+name, ".")
		value := (*yaml.Node)(nil)
		for k := 0; k+1 < len(n.Content); k += 2 {
			if n.Content[k].Value != name {
				continue
			}
			value = n.Content[k+1]
			if n.Content[k].HeadComment == "" && (k > 0 || n.HeadComment == "") {
				t.Errorf("%s has no comment", at)
			}
		}
		switch inner := field.Type; {
		case value == nil:
			t.Errorf("%s is not in the example", at)
		case inner == reflect.TypeFor[config.Secret]():
		case inner.Kind() == reflect.Struct:
			explained(t, value, inner, at)
		case inner.Kind() == reflect.Slice && inner.Elem().Kind() == reflect.Struct:
			explained(t, value.Content[0], inner.Elem(), at+"[0]")
		}
	}
}

func TestSecretIsReadWhereItIsAndNeverShown(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	secret := config.Secret{File: file}
	if _, err := secret.Read(); err == nil || !strings.Contains(err.Error(), "does not exist: mount it") {
		t.Errorf("a missing file is reported as %v", err)
	}
	for _, value := range []string{"first", "renewed"} { // a renewed token needs no restart
		if err := os.WriteFile(file, []byte(value+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := secret.Read(); err != nil || got != value {
			t.Errorf("read %q, %v; the file has %q", got, err, value)
		}
	}
	t.Setenv("SECRET_OF_THE_TEST", "xoxb-LEAK\n")
	secret = config.Secret{Env: "SECRET_OF_THE_TEST"}
	if got, err := secret.Read(); err != nil || got != "xoxb-LEAK" {
		t.Errorf("read %q, %v", got, err)
	}
	var log strings.Builder
	slog.New(slog.NewJSONHandler(&log, nil)).Info("configuration", "token", secret)
	if all := fmt.Sprintf("%v %+v %#v %s %s", secret, secret, secret, secret, log.String()); strings.Contains(all, "LEAK") {
		t.Errorf("the value is shown: %s", all)
	}
	t.Setenv("SECRET_OF_THE_TEST", " ")
	if _, err := secret.Read(); err == nil || !strings.Contains(err.Error(), "SECRET_OF_THE_TEST is not set") {
		t.Errorf("an empty variable is reported as %v", err)
	}
}

func TestFirstRouteThatFitsWins(t *testing.T) {
	c := parse(t, minimal+`routes:
  - {match: {instance: prod, project: payments, application: "*-db"}, channel: dba}
  - {match: {project: payments}, channel: payments}
  - {match: {namespace: "team-?"}, channel: teams}
  - {match: {project: "shop-*"}, channel: dba}
`)
	for _, test := range []struct{ instance, namespace, name, project, want string }{
		{"prod", "argocd", "ledger-db", "payments", "dba"},
		{"other", "argocd", "ledger-db", "payments", "payments"},
		{"prod", "argocd", "ledger", "payments", "payments"},
		{"prod", "team-a", "web", "default", "teams"},
		{"prod", "team-aa", "web", "shop-eu", "dba"},
		{"prod", "argocd", "web", "default", "alerts"},
	} {
		app := diagnose.AppName{Instance: test.instance, Namespace: test.namespace, Name: test.name}
		if got := c.Channel(app, test.project); got != test.want {
			t.Errorf("%+v of project %s goes to %s, want %s", app, test.project, got, test.want)
		}
	}
	if got, want := c.Channels(), []string{"alerts", "dba", "payments", "teams"}; !reflect.DeepEqual(got, want) {
		t.Errorf("channels %v, want %v", got, want)
	}
}

func TestMostSpecificRuleSaysHowLongToWait(t *testing.T) {
	c := parse(t, minimal+"incidents: {openAfter: 10s, openAfterByRule: {drift/missing: 1m, drift/m*: 2m, '*/*': 3s}, ignore: [drift/h*]}\n")
	for rule, want := range map[string]time.Duration{
		"drift/missing": time.Minute, "drift/manual-edit": 2 * time.Minute, "drift/keda": 15 * time.Minute, // the default stays
		"hook/stuck": 3 * time.Second, "unknown": 10 * time.Second,
		"operation/retrying/login": 5 * time.Minute, // finer than a rule
	} {
		if got := c.Incidents.OpenAfterOf(rule); got != want {
			t.Errorf("%s waits %s, want %s", rule, got, want)
		}
	}
	if !c.Incidents.Ignores("drift/hpa") || c.Incidents.Ignores("drift/keda") {
		t.Error("ignores the wrong rules")
	}
}

func TestApprovalExpiresAfterAWhile(t *testing.T) {
	c := parse(t, minimal+`actions:
  - {actions: [sync], userGroups: [S0001], approval: {userGroups: [S0002]}}
  - {actions: [terminate, mute], projects: ["pay*"], applications: [team-a/web], users: [U0001], approval: {users: [U0002], expireAfter: 1h}}
  - {actions: [hard-refresh], everybody: true}
`)
	want := []config.ActionRule{
		{Actions: []string{"sync"}, UserGroups: []string{"S0001"}, Approval: config.Approval{UserGroups: []string{"S0002"}, ExpireAfter: 15 * time.Minute}},
		{
			Actions: []string{"terminate", "mute"}, Projects: []string{"pay*"}, Applications: []string{"team-a/web"}, Users: []string{"U0001"},
			Approval: config.Approval{Users: []string{"U0002"}, ExpireAfter: time.Hour},
		},
		{Actions: []string{"hard-refresh"}, Everybody: true},
	}
	if !reflect.DeepEqual(c.Actions, want) {
		t.Errorf("got  %+v\nwant %+v", c.Actions, want)
	}
	if !c.Actions[1].Approval.Needed() || c.Actions[2].Approval.Needed() {
		t.Error("approval is needed by the wrong entries")
	}
}

func TestUserGroupsThatAccessAndActionsDependOn(t *testing.T) {
	c := parse(t, minimal+`access:
  - {projects: ["pay*"], users: [U0001], userGroups: [S0002, S0001]}
  - {projects: [open], userGroups: [S0001]}
actions:
  - {actions: [sync], userGroups: [S0003, S0001], approval: {userGroups: [S0004]}}
`)
	if got := c.UserGroups(); !slices.Equal(got, []string{"S0001", "S0002", "S0003", "S0004"}) {
		t.Errorf("groups %v", got)
	}
	if got := parse(t, minimal).UserGroups(); len(got) != 0 {
		t.Errorf("without access rules: %v", got)
	}
}

func TestJournalGoesWhereTheProcessRuns(t *testing.T) {
	t.Setenv("KUBERNETES_SERVICE_HOST", "")
	if got := (config.Journal{}).Resolve().Kind; got != config.JournalFile {
		t.Errorf("outside of a cluster: %s", got)
	}
	t.Setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1")
	if got := (config.Journal{}).Resolve().Kind; got != config.JournalKubernetes {
		t.Errorf("in a pod: %s", got)
	}
	if got := (config.Journal{Kind: config.JournalFile}).Resolve().Kind; got != config.JournalFile {
		t.Errorf("a given kind became %s", got)
	}
}

// FuzzParse: whatever the file contains, the answer is a configuration, or problems of one line each.
func FuzzParse(f *testing.F) {
	f.Add([]byte(minimal))
	for _, name := range []string{"example.yaml", "testdata/bad/*.yaml"} {
		files, err := filepath.Glob(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			raw, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(raw)
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := config.Parse(raw)
		if (c == nil) == (err == nil) {
			t.Fatalf("config %v with error %v", c, err)
		}
		var wrong *config.Error
		if err == nil || !errors.As(err, &wrong) || len(wrong.Problems) == 0 {
			return
		}
		for _, p := range wrong.Problems {
			if strings.ContainsAny(p.String(), "\n\r") {
				t.Errorf("more than one line: %q", p)
			}
		}
	})
}

func parse(t *testing.T, text string) *config.Config {
	t.Helper()
	c, err := config.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestTokensAreSentUnencryptedOnlyNearby: what is refused is in testdata/bad; these are taken.
func TestTokensAreSentUnencryptedOnlyNearby(t *testing.T) {
	for _, url := range []string{"https://slack.com/api/", "https://proxy.example.com/slack/", "http://127.0.0.1:8081/api/", "http://[::1]:8081/", "http://localhost/api/"} {
		parse(t, strings.Replace(minimal, "  channel:", "  apiURL: "+url+"\n  channel:", 1))
	}
	for _, server := range []string{"argocd-server", "argocd-server.argocd.svc:80", "argocd-server.argocd.svc.cluster.local", "argocd.corp.internal", "127.0.0.1:8080", "10.1.2.3", "'[::1]:8080'"} {
		parse(t, strings.Replace(minimal, "server: argocd.example.com", "plainText: true, server: "+server, 1))
	}
}

// TestABombIsBounded: a configuration is read from a repository, too.
func TestABombIsBounded(t *testing.T) {
	bomb := "a: &a [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n"
	for c := 'b'; c <= 'k'; c++ {
		bomb += fmt.Sprintf("%c: &%c [%s*%c]\n", c, c, strings.Repeat(fmt.Sprintf("*%c, ", c-1), 8), c-1)
	}
	for name, c := range map[string]struct{ text, want string }{
		"aliases":        {bomb + minimal, "anchors and aliases are not supported"},
		"depth":          {minimal + "access: " + strings.Repeat("[", 200_000), "exceeded max depth of 10000"},
		"size":           {minimal + "# " + strings.Repeat("x", 50_000_000), "is larger than 1 MiB: give the bot's own configuration"},
		"many patterns":  {minimal + "incidents:\n  ignore: [" + strings.Repeat("hok/jb-faild, ", 60_000) + "]\n", "matches no rule"},
		"many problems":  {minimal + strings.Repeat("- x\n", 100), "not valid YAML"},
		"unknown routes": {minimal + "routes:\n" + strings.Repeat("  - {chanel: x}\n", 20_000), "unknown key"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "config.yaml")
			if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			started := time.Now()
			_, err := config.Load(file, rules)
			if took := time.Since(started); took > 10*time.Second {
				t.Errorf("it took %s", took)
			}
			if err == nil || name != "aliases" && !strings.Contains(err.Error(), c.want) || strings.Count(err.Error(), "\n") >= 100 {
				t.Errorf("got %.300v\nwant %s in at most 100 lines", err, c.want)
			}
		})
	}
}
