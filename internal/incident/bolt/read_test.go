package bolt_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/incident/bolt"
	"github.com/argo-why/argo-why/internal/incident/journaltest"
)

func TestReadChangesNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal")
	if all, err := bolt.Read(t.Context(), path); err != nil || len(all) > 0 {
		t.Errorf("of no file: %v, %v", all, err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is a file now: %v", err)
	}
	j, err := bolt.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(j.Put(t.Context(), journaltest.Full("web-1")), j.Close()); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	all, err := bolt.Read(t.Context(), path)
	if err != nil || len(all) != 1 || all[0].ID != "web-1" {
		t.Errorf("%v, %v", all, err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file is another one: %v", err)
	}
}

func TestReadSaysWhyItCannot(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "journal")
	open(t, path)
	if _, err := bolt.Read(t.Context(), path); err == nil || !strings.Contains(err.Error(), "another process has it open") {
		t.Errorf("of a file that is in use: %v", err)
	}
}
