package planted_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/argo-why/argo-why/internal/demo/demotest"
	"github.com/argo-why/argo-why/test/planted"
)

var bot string

func TestMain(m *testing.M) {
	os.Exit(demotest.WithBot(func(built string) int {
		bot = built
		return m.Run()
	}))
}

// TestNothingPlantedComesOutOfTheCommand: of bot why in each format, and of the case files that it saves.
func TestNothingPlantedComesOutOfTheCommand(t *testing.T) {
	t.Parallel()
	corpus := planted.New(planted.Seed(t))
	table := planted.NewTable(corpus)
	var args []string
	for _, s := range corpus.Secrets {
		if s.Case() != nil {
			args = append(args, "-f", file(t, s.Case()))
		}
	}
	var running errgroup.Group
	for _, format := range []string{"text", "json", "yaml"} {
		running.Go(func() error {
			out, err := why(t, append(args, "-o", format)...)
			table.Look(format, out)
			return err
		})
	}
	running.Go(func() error {
		for _, pack := range packs(t, corpus) {
			out, err := save(t, pack)
			if err != nil {
				return err
			}
			table.Look("save", out)
		}
		return nil
	})
	if err := running.Wait(); err != nil {
		t.Fatal(err)
	}
	table.Check(t)
}

// packs are files to be saved again: a case for each place and, because a case file keeps what the bot does not know, one with all the others.
func packs(t *testing.T, corpus *planted.Corpus) (files []string) {
	t.Helper()
	seen := map[string]bool{}
	var rest []json.RawMessage
	for _, s := range corpus.Secrets {
		switch {
		case s.Case() == nil:
			continue
		case !seen[s.Place()]:
			seen[s.Place()] = true
			files = append(files, file(t, s.Case()))
		default:
			rest = append(rest, s.Case())
		}
	}
	return append(files, pack(t, rest))
}

// pack is a file of the first case, with all of them as something that the bot does not know.
func pack(t *testing.T, cases []json.RawMessage) string {
	t.Helper()
	var whole map[string]any
	if err := json.Unmarshal(cases[0], &whole); err != nil {
		t.Fatal(err)
	}
	whole["others"] = cases
	text, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	return file(t, text)
}

// TestEveryPlaceShows is what makes the absence of secrets mean something: a harmless text at the same place comes out.
func TestEveryPlaceShows(t *testing.T) {
	t.Parallel()
	var args []string
	var cases []json.RawMessage
	for _, c := range planted.Canaries() {
		args, cases = append(args, "-f", file(t, c.Case)), append(cases, c.Case)
	}
	shown, err := why(t, args...)
	if err != nil {
		t.Fatal(err)
	}
	shown = strings.Join(strings.Fields(shown), "") // a line may end anywhere
	saved, err := save(t, pack(t, cases))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range planted.Canaries() {
		if c.Quoted != strings.Contains(shown, c.Text) {
			t.Errorf("%s: the report shows %s: %t, want %t", c.Place, c.Text, !c.Quoted, c.Quoted)
		}
		if c.Saved != strings.Contains(saved, c.Text) {
			t.Errorf("%s: the case file has %s: %t, want %t", c.Place, c.Text, !c.Saved, c.Saved)
		}
	}
}

// file writes a file and returns its name.
func file(t *testing.T, text []byte) string {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "*.json")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return f.Name()
}

// why runs bot why and returns what it writes.
func why(t *testing.T, args ...string) (string, error) {
	t.Helper()
	return command(t, append([]string{"why"}, args...)...)
}

// command runs the bot and returns what it writes, also if it fails.
func command(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	cmd := exec.CommandContext(t.Context(), bot, args...)
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.Env = []string{"HOME=" + t.TempDir(), "COLUMNS=100"}
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("bot %s: %w: %s", args[0], err, out.String()[max(0, out.Len()-2000):])
	}
	return out.String(), nil
}

// save has the bot save a case, and returns the file.
func save(t *testing.T, name string) (string, error) {
	t.Helper()
	to := filepath.Join(t.TempDir(), "saved.json")
	if _, err := why(t, "-f", name, "--save", to); err != nil {
		return "", err
	}
	text, err := os.ReadFile(to)
	return string(text), err
}
