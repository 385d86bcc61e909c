package argo_test

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"testing"

	"github.com/argoproj/argo-cd/v2/util/config"

	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/argo/argotest"
)

// TestMain keeps the environment and the login of whoever runs the tests out of them.
func TestMain(m *testing.M) {
	os.Exit(isolated(m))
}

func isolated(m *testing.M) (code int) {
	dir, err := os.MkdirTemp("", "argo")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	for name, value := range environment(dir, "") {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	return m.Run()
}

func environment(dir, opts string) map[string]string {
	return map[string]string{"ARGOCD_CONFIG_DIR": dir, "ARGOCD_SERVER": "", "ARGOCD_AUTH_TOKEN": "", "ARGOCD_OPTS": opts}
}

// isolate gives a test a configuration of its own, and returns the path of the file.
func isolate(t *testing.T, opts string) string {
	t.Helper()
	load := func() {
		if err := config.LoadFlags(); err != nil { // read once, when the process starts
			t.Error(err)
		}
	}
	t.Cleanup(load) // when the environment is as it was
	dir := t.TempDir()
	for name, value := range environment(dir, opts) {
		t.Setenv(name, value)
	}
	load()
	return filepath.Join(dir, "config")
}

func writeConfig(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// connect opens a client to the server with the given options, the address and a good token filled in.
func connect(t *testing.T, s *argotest.Server, o argo.Options) *argo.Client {
	t.Helper()
	if o.Server == "" {
		o.Server = s.Address
	}
	if o.AuthToken == "" {
		o.AuthToken = argotest.Token
	}
	o.PlainText = true
	return open(t, o)
}

func open(t *testing.T, o argo.Options) *argo.Client {
	t.Helper()
	c, err := argo.Connect(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func readCase(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// twoLogins is a configuration file as `argocd login` writes it, with the good token for the first server only.
func twoLogins(server string) string {
	return `contexts:
- {name: here, server: "` + server + `", user: here}
- {name: there, server: "127.0.0.1:1", user: there}
- {name: core, server: kubernetes, user: kubernetes}
current-context: here
servers:
- {server: "` + server + `", plain-text: true, grpc-web-root-path: ""}
- {server: "127.0.0.1:1", plain-text: true, grpc-web-root-path: ""}
- {server: kubernetes, core: true, grpc-web-root-path: ""}
users:
- {name: here, auth-token: ` + argotest.Token + `}
- {name: there, auth-token: other}
- {name: kubernetes}
`
}

func TestConnectFindsArgoCD(t *testing.T) {
	s := argotest.NewServer(t, readCase(t, "sync-window"))
	for _, tc := range []struct {
		name    string
		opts    string
		env     map[string]string
		options argo.Options
		config  bool
		problem argo.Problem
	}{
		{name: "options", options: argo.Options{Server: s.Address, AuthToken: argotest.Token, PlainText: true}},
		{name: "address of a browser", options: argo.Options{Server: "http://" + s.Address + "/", AuthToken: argotest.Token}},
		{name: "address of a page", options: argo.Options{Server: "http://" + s.Address + "/applications/argocd/inventory?view=tree#x", AuthToken: argotest.Token}},
		{name: "address of a page without http", options: argo.Options{Server: s.Address + "/settings/repos", AuthToken: argotest.Token, PlainText: true}},
		{name: "plaintext switched off", options: argo.Options{Server: s.Address, AuthToken: argotest.Token, Off: argo.Off{PlainText: true}}, opts: "--plaintext", problem: argo.BadTLS},
		{name: "plaintext of the login switched off", config: true, options: argo.Options{Off: argo.Off{PlainText: true}}, problem: argo.BadTLS},
		{name: "https before the login's plaintext", config: true, options: argo.Options{Server: "https://" + s.Address}, problem: argo.BadTLS},
		{name: "token with line end", options: argo.Options{Server: s.Address, AuthToken: argotest.Token + "\n", PlainText: true}},
		{name: "environment", env: map[string]string{"ARGOCD_SERVER": s.Address, "ARGOCD_AUTH_TOKEN": argotest.Token}, opts: "--plaintext"},
		{name: "ARGOCD_OPTS", opts: "--plaintext --server " + s.Address + " --auth-token=" + argotest.Token},
		{name: "current context", config: true},
		{name: "named context", config: true, options: argo.Options{Context: "here"}},
		{name: "named context before the environment", config: true, options: argo.Options{Context: "here"}, env: map[string]string{"ARGOCD_SERVER": "127.0.0.1:1", "ARGOCD_AUTH_TOKEN": "other"}},
		{name: "context of the server", config: true, options: argo.Options{Server: s.Address}},
		{name: "option before environment", options: argo.Options{Server: s.Address, AuthToken: argotest.Token, PlainText: true}, env: map[string]string{"ARGOCD_SERVER": "127.0.0.1:1", "ARGOCD_AUTH_TOKEN": "other"}},
		{name: "other context", config: true, options: argo.Options{Context: "there"}, problem: argo.Unreachable},
		{name: "no token of another server", config: true, options: argo.Options{Server: "http://localhost:" + port(s.Address)}, problem: argo.NotLoggedIn},
	} {
		t.Run(tc.name, func(t *testing.T) {
			path := isolate(t, tc.opts)
			for name, value := range tc.env {
				t.Setenv(name, value)
			}
			if tc.config {
				writeConfig(t, path, twoLogins(s.Address))
			}
			_, err := open(t, tc.options).App(syncWindow, "", "").Subject(t.Context())
			if got := problemOf(err); got != tc.problem || (err != nil && tc.problem == "") {
				t.Errorf("problem %q (%v), want %q", got, err, tc.problem)
			}
		})
	}
}

func TestConnectErrors(t *testing.T) {
	for _, tc := range []struct {
		name    string
		config  string
		mode    os.FileMode
		options argo.Options
		want    string
	}{
		{
			name: "nothing configured",
			want: "connect to Argo CD: no Argo CD is configured: run argocd login HOST, set ARGOCD_SERVER and ARGOCD_AUTH_TOKEN, or use --server and --auth-token",
		},
		{name: "named context without a file", options: argo.Options{Context: "prod"}, want: `read the argocd login in CONFIG: context "prod" not found: the file does not exist; run argocd login HOST first`},
		{name: "unknown context", config: twoLogins("a:1"), options: argo.Options{Context: "prod"}, want: `read the argocd login in CONFIG: no context is named "prod"; use here, there or core`},
		{name: "context of another server", config: twoLogins("a:1"), options: argo.Options{Context: "here", Server: "b:1"}, want: `connect to Argo CD: context "here" is a login to a:1, not to b:1: name one of the two`},
		{name: "core", config: twoLogins("a:1"), options: argo.Options{Context: "core"}, want: `read the argocd login in CONFIG: context "core" uses Kubernetes directly, without an Argo CD server (--core): name a server with --server, or use 'kubectl get application APP -o yaml | argo-why why -f -'`},
		{name: "no address", options: argo.Options{Server: "https://"}, want: `connect to Argo CD: "https://" is not an address: expected host, host:port or https://host`},
		{name: "https and plaintext", options: argo.Options{Server: "https://a/login", PlainText: true}, want: "connect to Argo CD: https://a/login means TLS, and --plaintext (given, or in ARGOCD_OPTS) means none: leave --plaintext out, or add --plaintext=false"},
		{name: "http and no plaintext", options: argo.Options{Server: "http://a", Off: argo.Off{PlainText: true}}, want: "connect to Argo CD: http://a means plaintext, and --plaintext=false means TLS: leave one of the two out"},
		{name: "no certificate file", options: argo.Options{Server: "a", ServerCrt: "missing.pem"}, want: "read the server's certificate missing.pem: the file does not exist: check the path"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			path := isolate(t, "")
			if tc.config != "" {
				writeConfig(t, path, tc.config)
			}
			_, err := argo.Connect(t.Context(), tc.options)
			if err == nil {
				t.Fatal("connected")
			}
			if got := replace(err.Error(), path, "CONFIG"); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

// TestExpiredLogin: a login that can be renewed is renewed before anything else; that this fails is one line, too. Any
// other expired token is the server's to refuse.
func TestExpiredLogin(t *testing.T) {
	s := argotest.NewServer(t, readCase(t, "sync-window"))
	claims := base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"dana","exp":1700000000}`))
	expired := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + claims + ".c2ln"
	for _, tc := range []struct {
		name, refresh, want string
	}{
		{"renewable", ", refresh-token: r", "renew the login to HOST: the token has expired, and renewing it failed (unknown service cluster.SettingsService): run argocd login HOST --sso"},
		{"not renewable", "", "read application inventory: HOST does not accept the token (token signature is invalid: signature is invalid): run argocd login HOST or set ARGOCD_AUTH_TOKEN"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			path := isolate(t, "")
			writeConfig(t, path, replace(twoLogins(s.Address), "auth-token: "+argotest.Token, "auth-token: "+expired+tc.refresh))
			c, err := argo.Connect(t.Context(), argo.Options{})
			if err == nil {
				t.Cleanup(func() { _ = c.Close() })
				_, err = c.App(syncWindow, "", "").Subject(t.Context())
			}
			if err == nil {
				t.Fatal("no error")
			}
			if got := replace(err.Error(), s.Address, "HOST"); got != tc.want || problemOf(err) != argo.NotLoggedIn {
				t.Errorf("%q\ngot  %s\nwant %s", problemOf(err), got, tc.want)
			}
		})
	}
}
