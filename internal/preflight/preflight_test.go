package preflight_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/argo-why/argo-why/internal/preflight"
)

func TestLineSaysWhatIsWrongAndWhatToDo(t *testing.T) {
	for want, f := range map[string]preflight.Finding{
		"✓ slack workspace: Acme":                           {What: "slack workspace", Detail: "Acme"},
		"✗ slack scope: chat:write is missing: add it":      {What: "slack scope", Problem: "chat:write is missing", Remedy: "add it"},
		"✗ config.yaml:3: slack.team: missing: give the ID": {What: "config.yaml:3", Detail: "slack.team", Problem: "missing: give the ID"},
	} {
		if got := f.String(); got != want {
			t.Errorf("line %q, want %q", got, want)
		}
	}
}

func TestJSONForPrograms(t *testing.T) {
	raw, err := json.Marshal([]preflight.Finding{{What: "a", Detail: "b"}, {What: "c", Problem: "d", Remedy: "e"}})
	if want := `[{"what":"a","ok":true,"detail":"b"},{"what":"c","ok":false,"problem":"d","remedy":"e"}]`; err != nil || string(raw) != want {
		t.Errorf("%s, %v; want %s", raw, err, want)
	}
}

func TestChecksRunAtOnceAndTellInTheirOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		after := func(d time.Duration, what string) preflight.Check {
			return func(ctx context.Context) []preflight.Finding {
				select {
				case <-time.After(d):
					return []preflight.Finding{{What: what}}
				case <-ctx.Done():
					return []preflight.Finding{{What: what, Problem: "took too long"}}
				}
			}
		}
		start := time.Now()
		got := lines(preflight.Run(t.Context(), []preflight.Check{
			after(3*time.Second, "slow"), preflight.Given(preflight.Finding{What: "given"}), after(time.Second, "fast"), after(time.Hour, "stuck"),
		}))
		if want := []string{"✓ slow", "✓ given", "✓ fast", "✗ stuck: took too long"}; !slices.Equal(got, want) {
			t.Errorf("reported %q, want %q", got, want)
		}
		if took := time.Since(start); took != preflight.CheckTimeout {
			t.Errorf("took %s", took)
		}
	})
}

// argo is an Argo CD with an account that has some rights.
type argo struct {
	rights   []string // "logs shop/*"
	projects []string
	err      error // of every call but the first
	login    error
	web      error
}

func (a argo) Whoami(context.Context) (string, error) { return "why", a.login }

func (a argo) CanI(_ context.Context, resource, _, objects string) (bool, error) {
	return slices.Contains(a.rights, resource+" "+objects), a.err
}

func (a argo) CheckWeb(context.Context) error { return a.web }

func (a argo) Projects(context.Context) ([]string, error) { return a.projects, a.err }

func TestRightsAtArgoCD(t *testing.T) {
	const everywhere = "applications */*,logs */*,projects *,repositories *"
	for _, test := range []struct {
		name string
		argo argo
		want []string
	}{
		{"all of them", argo{rights: strings.Split(everywhere, ",")}, []string{
			"✓ argocd prod: logged in as why", "✓ argocd prod HTTP API: lists and watches applications with only the fields that are needed",
			"✓ argocd prod right: get applications", "✓ argocd prod right: get logs",
			"✓ argocd prod right: get projects", "✓ argocd prod right: get repositories",
		}},
		{"none", argo{}, []string{
			"✓ argocd prod: logged in as why",
			"✓ argocd prod HTTP API: lists and watches applications with only the fields that are needed",
			"✗ argocd prod right: get applications is missing, and no application is visible (needed to see what failed, the resource tree, the differences and the events): add to policy.why.csv in argocd-rbac-cm: p, why, applications, get, */*, allow",
			"✗ argocd prod right: get logs is missing, and no application is visible (needed to see the log line that says why a hook or a container failed): add to policy.why.csv in argocd-rbac-cm: p, why, logs, get, */*, allow",
			"✗ argocd prod right: get projects is missing (needed to see what the project permits): add to policy.why.csv in argocd-rbac-cm: p, why, projects, get, *, allow",
			"✗ argocd prod right: get repositories is missing (needed to see whether Argo CD reaches the repository): add to policy.why.csv in argocd-rbac-cm: p, why, repositories, get, *, allow",
		}},
		{"of two projects", argo{rights: strings.Split("applications shop/*,applications pay/*,logs pay/*,projects *,repositories *", ","), projects: []string{"shop", "pay"}}, []string{
			"✓ argocd prod: logged in as why",
			"✓ argocd prod HTTP API: lists and watches applications with only the fields that are needed",
			"✓ argocd prod right: get applications, only in projects pay, shop",
			"✗ argocd prod right: get logs is missing in project shop (needed to see the log line that says why a hook or a container failed): add to policy.why.csv in argocd-rbac-cm: p, why, logs, get, */*, allow",
			"✓ argocd prod right: get projects", "✓ argocd prod right: get repositories",
		}},
		{"not logged in", argo{login: errors.New("read the account: token expired: make a token")}, []string{
			"✗ argocd prod: read the account: token expired: make a token",
		}},
		{"only gRPC", argo{rights: strings.Split(everywhere, ","), web: errors.New("not Argo CD's HTTP API: HTTP 200, a web page")}, []string{
			"✓ argocd prod: logged in as why",
			"! argocd prod HTTP API: cannot be used (not Argo CD's HTTP API: HTTP 200, a web page), so whole applications are listed and watched over gRPC, which takes more memory and bandwidth: have the proxy forward /api/v1/applications and /api/v1/stream/applications to argocd-server, without a login page",
			"✓ argocd prod right: get applications", "✓ argocd prod right: get logs", "✓ argocd prod right: get projects", "✓ argocd prod right: get repositories",
		}},
		{"no answer is no right", argo{err: errors.New("the server is gone")}, []string{
			"✓ argocd prod: logged in as why",
			"✓ argocd prod HTTP API: lists and watches applications with only the fields that are needed",
			"✗ argocd prod right: cannot check the right to get applications: the server is gone: fix that, and check again",
			"✗ argocd prod right: cannot check the right to get logs: the server is gone: fix that, and check again",
			"✗ argocd prod right: cannot check the right to get projects: the server is gone: fix that, and check again",
			"✗ argocd prod right: cannot check the right to get repositories: the server is gone: fix that, and check again",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := lines(preflight.CheckArgo(t.Context(), "prod", test.argo)); !slices.Equal(got, test.want) {
				t.Errorf("reported\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

// secret is a value, or "" where there is none.
type secret string

func (s secret) Read() (string, error) {
	if s == "" {
		return "", errors.New("read secret: TOKEN is not set: set it")
	}
	return string(s), nil
}

func (s secret) String() string { return "environment variable TOKEN" }

func TestWebhookToken(t *testing.T) {
	for want, f := range map[string]preflight.Finding{
		"✓ argocd prod webhook: off: no webhookToken is set, so watch and sweep find the failures":                                                                 preflight.CheckWebhookToken("prod", false, secret("")),
		"✗ argocd prod webhook: read secret: TOKEN is not set: set it":                                                                                             preflight.CheckWebhookToken("prod", true, secret("")),
		"✗ argocd prod webhook: the token is shorter than 16 characters: create one with openssl rand -hex 32, and set it here and in argocd-notifications-secret": preflight.CheckWebhookToken("prod", true, secret("password")),
		"✓ argocd prod webhook: environment variable TOKEN":                                                                                                        preflight.CheckWebhookToken("prod", true, secret("0123456789abcdef")),
	} {
		if got := f.String(); got != want {
			t.Errorf("reported %q, want %q", got, want)
		}
	}
}

func TestJournalFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "journal.db")
	if got := preflight.CheckFile(file).String(); got != "✓ journal: file "+file+", created at the first start" {
		t.Errorf("reported %q", got)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("the check left %v behind, %v", left, err)
	}
	if err := os.WriteFile(file, []byte("journal"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := preflight.CheckFile(file).String(); got != "✓ journal: file "+file {
		t.Errorf("reported %q", got)
	}
	if raw, err := os.ReadFile(file); err != nil || string(raw) != "journal" {
		t.Errorf("the check wrote into it: %q, %v", raw, err)
	}
	for _, path := range []string{dir, filepath.Join(dir, "missing", "journal.db"), filepath.Join(file, "journal.db")} {
		got := preflight.CheckFile(path).String()
		if !strings.HasPrefix(got, "✗ journal: file "+path+": ") || !strings.HasSuffix(got, ": set journal.path to a file in a directory that the bot can write to") {
			t.Errorf("%s: reported %q", path, got)
		}
	}
}

type journal struct{ err error }

func (j journal) Check(context.Context) error { return j.err }

func TestJournalSaysWhatItLacks(t *testing.T) {
	got := lines(preflight.CheckJournal(t.Context(), "", journal{errors.Join(errors.New("may not list: grant it"), fmt.Errorf("may not get:\n grant it"))}))
	if want := []string{"✗ journal: may not list: grant it", "✗ journal: may not get: grant it"}; !slices.Equal(got, want) {
		t.Errorf("reported %q, want %q", got, want)
	}
	if got := lines(preflight.CheckJournal(t.Context(), "incidents in namespace ops", journal{})); !slices.Equal(got, []string{"✓ journal: incidents in namespace ops"}) {
		t.Errorf("reported %q", got)
	}
}

func lines(findings []preflight.Finding) []string {
	var all []string
	for _, f := range findings {
		all = append(all, f.String())
	}
	return all
}
