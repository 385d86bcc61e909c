package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
	"sigs.k8s.io/yaml"
)

// account is what the command prints, which a shell must be able to read.
func account(t *testing.T, args ...string) string {
	t.Helper()
	var out, complaints bytes.Buffer
	if code := execute(t.Context(), append([]string{"generate", "argocd-account"}, args...), strings.NewReader(""), &out, &complaints); code != 0 || complaints.Len() > 0 {
		t.Fatalf("exit %d, complaints: %s", code, complaints.String())
	}
	if _, err := syntax.NewParser(syntax.Variant(syntax.LangPOSIX)).Parse(bytes.NewReader(out.Bytes()), "account.sh"); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	return out.String()
}

// patches are the data that the script sets.
func patches(t *testing.T, script string) map[string]string {
	t.Helper()
	out := map[string]string{}
	_, block, _ := strings.Cut(script, "<<'YAML'\n")
	block, _, _ = strings.Cut(block, "YAML\n")
	short := regexp.MustCompile(`(?m)^ *kubectl .* -p '(.*)' >&2$`).FindStringSubmatch(script)
	if short == nil {
		t.Fatalf("sets no account:\n%s", script)
	}
	for _, patch := range []string{block, short[1]} {
		var o struct{ Data map[string]string }
		if err := yaml.UnmarshalStrict([]byte(patch), &o); err != nil {
			t.Fatalf("%v\n%s", err, patch)
		}
		for key, value := range o.Data {
			out[key] = value
		}
	}
	return out
}

// TestTheAccountIsThatOfDeploy: the files are for those who look there first.
func TestTheAccountIsThatOfDeploy(t *testing.T) {
	got := patches(t, account(t, "--actions", "sync,terminate,delete-hook-job"))
	keys := 0
	for _, file := range []string{"account.yaml", "rbac.yaml", "rbac-actions.yaml"} {
		text, err := os.ReadFile("../../deploy/argocd/" + file)
		if err != nil {
			t.Fatal(err)
		}
		var o struct{ Data map[string]string }
		if err := yaml.Unmarshal(text, &o); err != nil {
			t.Fatal(err)
		}
		for key, value := range o.Data {
			keys++
			want := regexp.MustCompile(`(?m)^#.*\n`).ReplaceAllString(value, "")
			if strings.TrimSpace(got[key]) != strings.TrimSpace(want) {
				t.Errorf("%s\ngot  %s\nwant %s", key, got[key], want)
			}
		}
	}
	if keys != len(got) {
		t.Errorf("deploy/argocd sets %d keys, the command %d", keys, len(got))
	}
}

func TestTheAccountOfSomeProjects(t *testing.T) {
	script := account(t, "--projects", "pay,shop", "--account", "bot", "-n", "tools", "--actions", "terminate,sync")
	got := patches(t, script)
	want := "p, bot, applications, get, pay/*, allow\np, bot, applications, get, shop/*, allow\np, bot, logs, get, pay/*, allow\np, bot, logs, get, shop/*, allow\n" +
		"p, bot, projects, get, *, allow\np, bot, repositories, get, *, allow\np, bot, clusters, get, *, allow\n"
	if got["policy.bot.csv"] != want {
		t.Errorf("reading: %s", got["policy.bot.csv"])
	}
	if got["policy.bot-actions.csv"] != "p, bot, applications, sync, pay/*, allow\np, bot, applications, sync, shop/*, allow\n" {
		t.Errorf("acting: %s", got["policy.bot-actions.csv"])
	}
	got["accounts.bot.tokens"] = "by Argo CD" // where it would wait for an account of that name
	for key := range got {                    // each is removed again
		if !strings.Contains(script[strings.Index(script, "# To remove it again"):], `"`+key+`": null`) {
			t.Errorf("%s stays", key)
		}
	}
	if strings.Contains(script, "argocd patch") || !strings.Contains(script, "kubectl -n tools patch configmap argocd-cm ") {
		t.Error(script)
	}
}

func TestWhatIsNoAccountIsRefused(t *testing.T) {
	for want, args := range map[string][]string{
		`--account "a b" is not a valid name`:                                                {"--account", "a b"},
		`"*" is not the name of a project`:                                                   {"--projects", "*"},
		`"mute" is not an action that needs a right: use sync, terminate or delete-hook-job`: {"--actions", "mute"},
	} {
		var out, complaints bytes.Buffer
		if code := execute(t.Context(), append([]string{"generate", "argocd-account"}, args...), strings.NewReader(""), &out, &complaints); code != exitUsage || !strings.Contains(complaints.String(), want) || out.Len() > 0 {
			t.Errorf("exit %d, %s\nwant %s", code, complaints.String(), want)
		}
	}
}

// markChanged is what a program does that changes something.
const markChanged = `: > "$CHANGED"`

// runWith runs a script that finds no programs but these, each a script itself, and reports whether one of them changed something.
func runWith(t *testing.T, script string, programs map[string]string) (out, complaints string, changed bool, err error) {
	t.Helper()
	bin := t.TempDir()
	mark := filepath.Join(bin, "changed")
	for name, body := range programs {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+body+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "/bin/sh", "-c", script)
	cmd.Env = []string{"PATH=" + bin, "CHANGED=" + mark}
	var printed, complained bytes.Buffer
	cmd.Stdout, cmd.Stderr = &printed, &complained
	err = cmd.Run()
	_, untouched := os.Stat(mark)
	return printed.String(), complained.String(), untouched == nil, err
}

// TestTheAccountIsNotHalfMade: what is missing is found before anything is changed, and named in one line.
func TestTheAccountIsNotHalfMade(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it is for a POSIX shell")
	}
	script := account(t)
	for _, test := range []struct{ lacks, argocd, want string }{
		{"", `[ "$2" = can-i ] && echo yes || echo "made $2"`, ""},
		{"kubectl", "echo yes", "kubectl not found: "},
		{"argocd", "", "argocd not found: "},
		{"", "exit 20", "argocd is not logged in, or cannot reach Argo CD: "},
		{"", "echo no", "argocd is logged in as somebody who cannot make tokens: "},
	} {
		programs := map[string]string{"kubectl": markChanged, "argocd": test.argocd}
		delete(programs, test.lacks)
		out, said, changed, err := runWith(t, script, programs)
		switch {
		case test.want == "" && (err != nil || !changed || out != "made generate-token\n"):
			t.Errorf("%v: printed %q, complained %q", err, out, said)
		case test.want != "" && (err == nil || changed || out != "" || strings.Count(said, "\n") != 1 || !strings.HasPrefix(said, test.want)):
			t.Errorf("%v: printed %q, complained %q, want %q; changed something: %t", err, out, said, test.want, changed)
		}
	}
}

// TestRightsThatWereAddedLaterAreRemoved: the bot's messages name the key for rights to act also where the script gave none.
func TestRightsThatWereAddedLaterAreRemoved(t *testing.T) {
	_, undo, _ := strings.Cut(account(t), "# To remove it again")
	if !strings.Contains(undo, `{"data": {"policy.argo-why.csv": null, "policy.argo-why-actions.csv": null}}`) {
		t.Error(undo)
	}
}

// TestAnOperatorDoesNotUndoTheAccount: where there is an ArgoCD resource, the script changes no ConfigMap. It prints what belongs into that
// resource, and makes the token once the account is there.
func TestAnOperatorDoesNotUndoTheAccount(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it is for a POSIX shell")
	}
	script := account(t, "--namespace", "openshift-gitops", "--actions", "sync")
	for name, test := range map[string]struct {
		known bool
		out   string
	}{
		"not there yet": {false, ""},
		"there":         {true, "made generate-token\n"},
	} {
		get := "exit 20"
		if test.known {
			get = "exit 0"
		}
		out, said, changed, err := runWith(t, script, map[string]string{
			"kubectl": `[ "$3" = get ] && echo argocd.argoproj.io/openshift-gitops || ` + markChanged,
			"argocd":  `case $2 in can-i) echo yes;; get) ` + get + `;; *) echo "made $2";; esac`,
			"cat":     `while IFS= read -r line; do printf '%s\n' "$line"; done`,
		})
		if changed {
			t.Errorf("%s: it changed something", name)
		}
		_, patch, _ := strings.Cut(said, "run this again:\n")
		var argocd struct {
			Spec struct {
				ExtraConfig map[string]string
				RBAC        struct{ Policy string }
			}
		}
		if e := yaml.UnmarshalStrict([]byte(patch), &argocd); e != nil {
			t.Errorf("%s: %v\n%s", name, e, patch)
		}
		asked := argocd.Spec.ExtraConfig["accounts.argo-why"] == "apiKey" && strings.Contains(argocd.Spec.RBAC.Policy, "p, argo-why, applications, sync, */*, allow\n")
		if (err == nil) != test.known || asked == test.known || out != test.out {
			t.Errorf("%s: %v: printed %q, complained %q", name, err, out, said)
		}
	}
}
