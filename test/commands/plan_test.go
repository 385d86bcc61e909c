package commands

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../.."

func all(t *testing.T) []Command {
	t.Helper()
	commands, err := All(root)
	if err != nil {
		t.Fatal(err)
	}
	return commands
}

// TestEveryCommandIsRun: each command of the documentation is run somewhere, or the plan says why it cannot be, and the plan has no others.
func TestEveryCommandIsRun(t *testing.T) {
	shown := map[string]bool{}
	raw, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	makefile := string(raw)
	for _, c := range all(t) {
		shown[c.Name] = true
		if _, ok := Plan[c.Name]; !ok {
			t.Errorf("%s\nis not in the plan (test/commands/plan.go): say where it is run", c)
		}
	}
	for name, run := range Plan {
		if !shown[name] {
			t.Errorf("no page shows %s: remove it from the plan", name)
		}
		switch run.Where {
		case Here:
			if _, ok := cases[name]; !ok {
				t.Errorf("%s is to be run here, and nothing says what it needs", name)
			}
		case Elsewhere:
			raw, err := os.ReadFile(filepath.Join(root, run.File))
			if err != nil || !strings.Contains(string(raw), run.Text) {
				t.Errorf("%s: %s does not have %q (%v), which runs it", name, run.File, run.Text, err)
			}
		case Never:
			if run.Why == "" {
				t.Errorf("%s is not run, for no reason", name)
			}
		case Lab:
		}
		// Not by make -n, which runs what calls make again.
		if target, ok := strings.CutPrefix(name, "make "); ok && !strings.Contains(makefile, "\n"+target+": ") {
			t.Errorf("%s: the Makefile has no such target", name)
		}
	}
	for name := range cases {
		if Plan[name].Where != Here {
			t.Errorf("%s is prepared here, but the plan runs it in another place", name)
		}
	}
}

func TestCommandsOfAPage(t *testing.T) {
	page := "text\n```console\n$ one   # why\nout\nput\n$ two\n```\n\n   ```sh\n   # no command\n   three\n   ```\n```\n$ four\n✓ fine\n✓ good\n```\n```yaml\na: b\n```\n"
	var got []string
	for _, c := range of("page", page) {
		got = append(got, c.Name+"|"+c.Output)
	}
	if want := "one|out\nput\n,two|,three|,four|✓ fine\n✓ good\n"; strings.Join(got, ",") != want {
		t.Errorf("got  %q\nwant %q", strings.Join(got, ","), want)
	}
}
