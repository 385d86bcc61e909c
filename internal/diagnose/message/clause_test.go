package message_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose/message"
)

func TestTailsLeaveQuotesWhole(t *testing.T) {
	for chain, want := range map[string][]string{
		"failed to list refs: dial tcp 10.0.0.1:443: connect: connection refused": {"dial tcp 10.0.0.1:443: connect: connection refused", "connect: connection refused", "connection refused"},
		`server at "db: primary" failed: password is wrong`:                       {"password is wrong"},
		"hit a time-out running 'git fetch: all refs' twice":                      nil,
		"the chart's values are wrong: it doesn't know the image's tag":           {"it doesn't know the image's tag"},
		`cannot open "deploy.yaml: no such file or directory`:                     {"no such file or directory"},
		"replicas: Invalid type. Expected: integer, given: string":                {"Invalid type. Expected: integer, given: string"},
		"refused (by policy: no root)":                                            nil,
	} {
		if got := slices.Collect(message.Tails(chain)); !slices.Equal(got[1:], want) {
			t.Errorf("%s: %q, want %q", chain, got[1:], want)
		}
	}
}

func TestLastClauseKeepsTheEnd(t *testing.T) {
	wrapper := strings.Repeat("wrapped in a long story ", 10)
	for name, c := range map[string]struct{ said, want string }{
		"it fits":                              {"a: b: the cause of it", "a: b: the cause of it"},
		"the wrapper goes":                     {wrapper + ": the template: the cause of it", "the template: the cause of it"},
		"a long last clause is whole":          {"wrapper: " + strings.TrimSpace(wrapper), strings.TrimSpace(wrapper)},
		"a very long one ends at a word":       {strings.Repeat("word ", 80), strings.TrimSpace(strings.Repeat("word ", 64)) + " …"},
		"never within quotes":                  {strings.Repeat("word ", 50) + `"` + strings.Repeat("quoted ", 50) + `" end`, strings.TrimSpace(strings.Repeat("word ", 50)) + " …"},
		"what cannot be cut between two words": {strings.Repeat("x", 400), strings.Repeat("x", 320) + "…"},
	} {
		if got := message.LastClause(c.said); got != c.want {
			t.Errorf("%s:\n%q, want\n%q", name, got, c.want)
		}
	}
}

func TestLineIsWithoutNoise(t *testing.T) {
	for said, want := range map[string]string{
		"`helm template .` failed exit status 1: Error: chart requires kubeVersion >= 1.30 Usage: helm template [NAME] [CHART] [flags] Flags: --debug":                                                                                "chart requires kubeVersion >= 1.30",
		"`helm dependency build` failed exit status 1: Error: no repository definition for https://x.example. Please add the missing repos via 'helm repo add'":                                                                       "no repository definition for https://x.example.",
		"`git fetch origin` failed exit status 128: git@git.example.com: Permission denied (publickey). fatal: Could not read from remote repository. Please make sure you have the correct access rights and the repository exists.": "git@git.example.com: Permission denied (publickey).",
		"`git fetch origin` failed exit status 128: fatal: Could not read from remote repository. Please make sure you have the correct access rights":                                                                                "Could not read from remote repository.",
		"`git submodule update` failed exit status 128: Cloning into '/tmp/x/lib'... fatal: could not read Username for 'https://git.example.com'":                                                                                    "could not read Username for 'https://git.example.com'",
		`rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial tcp 10.0.0.1:8081: connect: connection refused"`:                                                                         "Error while dialing: dial tcp 10.0.0.1:8081: connection refused",
		"RUNTIME ERROR: couldn't open import \"g.libsonnet\": no match locally a/main.jsonnet:1:11-37 thunk <g> from <$> a/main.jsonnet:3:17-18 thunk":                                                                                `RUNTIME ERROR: couldn't open import "g.libsonnet": no match locally`,
		"RUNTIME ERROR: Undefined external variable: level <path to cached source>/web/main.jsonnet:1:83-102 thunk <level>":                                                                                                           "RUNTIME ERROR: Undefined external variable: level",
		"error in health.lua: <string>:6: attempt to index a nil value stack traceback: <string>:6: in main chunk [G]: ?":                                                                                                             "error in health.lua: <string>:6: attempt to index a nil value",
	} {
		f := message.Parse(said)
		if got := f.Line(0); got != want {
			t.Errorf("%s:\n%q, want\n%q", said, got, want)
		}
	}
}
