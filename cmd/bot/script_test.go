package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/argo-why/argo-why/internal/argo/argotest"
	"github.com/argo-why/argo-why/internal/digest/digesttest"
	"github.com/argo-why/argo-why/internal/incident/bolt"
)

// casesDir holds the recorded cases, seen from this directory.
const casesDir = "../../internal/diagnose/rules/testdata/cases"

// cases are those that the scripts use, by the name they have there.
var cases = map[string]string{
	"hook-failed":     "hook/job-failed/lab-presync-hook-failed.json",
	"git-unreachable": "render/git-unreachable/lab-git-unreachable.json",
	"wave-waits":      "wave/blocked/lab-wave-stuck-9m.json",
	"child":           "health/child-app/failed-sync-first.json",
	"healthy":         "control/healthy/lab-healthy.json",
}

func TestMain(m *testing.M) {
	// The names are those of the released program, of kubectl's plugin, and of what go build makes.
	testscript.Main(m, map[string]func(){"bot": main, "argo-why": main, "kubectl-argo_why": main})
}

// The scripts run the command as a person does, in a process of its own. $CASES holds recorded cases, $ARGOCD is the
// address of an Argo CD that knows their applications, $JOURNAL holds a week of incidents, $LOCKED too, for somebody else, $SILENT of something that accepts connections and never says a word, $BUSY
// its port.
func TestScripts(t *testing.T) {
	dir := t.TempDir()
	var documents [][]byte
	for name := range cases {
		raw := recordedCase(t, name)
		documents = append(documents, raw)
		if err := os.WriteFile(filepath.Join(dir, name+".json"), raw, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	server := argotest.NewServer(t, documents...)
	silent, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = silent.Close() })
	journal, inUse := filepath.Join(dir, "journal.db"), filepath.Join(dir, "in-use.db")
	if err := weekIn(t, journal).Close(); err != nil {
		t.Fatal(err)
	}
	open := weekIn(t, inUse)
	t.Cleanup(func() { _ = open.Close() })
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("CASES", dir)
			e.Setenv("JOURNAL", journal)
			e.Setenv("LOCKED", inUse)
			e.Setenv("ARGOCD", server.Address)
			e.Setenv("SILENT", silent.Addr().String())
			_, busy, err := net.SplitHostPort(silent.Addr().String())
			e.Setenv("BUSY", busy)
			e.Setenv("TOKEN", argotest.Token)
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":       exits,
			"sparse":      sparse,
			"mode":        mode,
			"repeat":      repeat,
			"writeconfig": writeConfig,
		},
	})
}

// weekIn is a journal with a week of incidents, still open.
func weekIn(t *testing.T, file string) *bolt.Journal {
	t.Helper()
	j, err := bolt.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range digesttest.Week() {
		if err := j.Put(t.Context(), i); err != nil {
			t.Fatal(err)
		}
	}
	return j
}

// exits CODE PROGRAM ARG...: the program ends with exactly that code.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var failure *exec.ExitError
	if errors.As(err, &failure) {
		got = failure.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("%v ended with %d, want %d", args[1:], got, want)
	}
}

// writeConfig JOURNAL writes config.yaml for a bot with that journal.
func writeConfig(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(os.WriteFile(ts.MkAbs("config.yaml"), fmt.Appendf(nil, `slack: {team: T012345, botToken: {env: NONE}, appToken: {env: NONE}, channel: argo-alerts}
argocd: [{name: prod, server: "127.0.0.1:1", plainText: true, token: {env: NONE}}]
routes: [{match: {application: mail}, channel: mail-alerts}]
journal: {kind: file, path: %q}
`, args[0]), 0o600))
}

// sparse FILE BYTES makes a large file that takes no space.
func sparse(ts *testscript.TestScript, _ bool, args []string) {
	size, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	file := ts.MkAbs(args[0])
	ts.Check(os.WriteFile(file, nil, 0o600))
	ts.Check(os.Truncate(file, size))
}

// repeat FILE TEXT COUNT writes a text many times.
func repeat(ts *testscript.TestScript, _ bool, args []string) {
	count, err := strconv.Atoi(args[2])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Repeat(args[1], count)), 0o600))
}

// mode FILE MODE checks the permissions of a file.
func mode(ts *testscript.TestScript, _ bool, args []string) {
	info, err := os.Stat(ts.MkAbs(args[0]))
	ts.Check(err)
	if got := info.Mode().String(); got != args[1] {
		ts.Fatalf("%s is %s, want %s", args[0], got, args[1])
	}
}

func recordedCase(t *testing.T, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(casesDir, cases[name]))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}
