package bolt_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/incident/bolt"
	"github.com/argo-why/argo-why/internal/incident/journaltest"
)

// writerFile is the journal that this process, started by TestKilledInTheMiddle, shall write until it is killed.
const writerFile = "ARGO_WHY_TEST_JOURNAL"

func TestMain(m *testing.M) {
	if path := os.Getenv(writerFile); path != "" {
		fmt.Fprintln(os.Stderr, write(path))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// write replaces a few entries again and again, and says of each when it is confirmed: "ID number". It goes on counting
// where the one before it was killed.
func write(path string) error {
	j, err := bolt.Open(path)
	if err != nil {
		return err
	}
	ctx := context.Background()
	all, err := j.List(ctx)
	if err != nil {
		return err
	}
	n := 0
	for _, i := range all {
		n = max(n, i.LastReply)
	}
	for {
		n++
		id := fmt.Sprintf("web-%d", n%3)
		i, err := j.Get(ctx, id)
		if err != nil {
			i = journaltest.Full(id)
		}
		i.LastReply = n
		if err := j.Put(ctx, i); err != nil {
			return err
		}
		if _, err := fmt.Println(id, n); err != nil {
			return err
		}
	}
}

// TestKilledInTheMiddle: whatever was confirmed before the process was killed is there, and nothing is half.
func TestKilledInTheMiddle(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal")
	confirmed := map[string]int{}
	for round := range 8 {
		writeUntilKilled(t, path, 3+5*round, confirmed)
		j, err := bolt.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		for id, number := range confirmed {
			i, err := j.Get(t.Context(), id)
			if err != nil || i.LastReply < number || len(i.Members) == 0 || i.Report == nil {
				t.Errorf("%s: confirmed with %d, is %+v, %v", id, number, i, err)
			}
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// writeUntilKilled kills a writer after so many confirmations, and notes these.
func writeUntilKilled(t *testing.T, path string, after int, confirmed map[string]int) {
	t.Helper()
	writer := exec.CommandContext(t.Context(), os.Args[0])
	writer.Env = append(os.Environ(), writerFile+"="+path)
	var said strings.Builder
	writer.Stderr = &said
	output, err := writer.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := writer.Start(); err != nil {
		t.Fatal(err)
	}
	lines, killed := bufio.NewScanner(output), false
	for n := 1; lines.Scan(); n++ { // to the end: what was said before the kill counts
		var id string
		var number int
		if _, err := fmt.Sscan(lines.Text(), &id, &number); err != nil {
			break // cut off in the middle of a line
		}
		confirmed[id] = number
		if n == after {
			killed = writer.Process.Kill() == nil
		}
	}
	if err := writer.Wait(); !killed || err == nil || err.Error() != "signal: killed" {
		t.Fatalf("the writer ended by itself: %v %s", err, said.String())
	}
}
