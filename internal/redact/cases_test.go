package redact

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// casesDir holds recorded failures, as case files.
var casesDir = filepath.Join("..", "diagnose", "rules", "testdata")

// What a diagnosis reads in the recorded failures must not change: there are no secrets in them.
func TestTheMessagesOfRecordedCasesComeThrough(t *testing.T) {
	if _, err := os.Stat(casesDir); errors.Is(err, fs.ErrNotExist) {
		t.Skip("there are no recorded cases")
	}
	groups, err := os.ReadDir(casesDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range groups {
		t.Run(group.Name(), func(t *testing.T) {
			t.Parallel()
			theMessagesComeThrough(t, filepath.Join(casesDir, group.Name()))
		})
	}
}

func theMessagesComeThrough(t *testing.T, dir string) {
	t.Helper()
	read := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".json" {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var c recordedCase
		if err := json.Unmarshal(raw, &c); err != nil {
			return nil //nolint:nilerr // another test's data
		}
		read++
		for _, s := range c.texts() {
			if got := String(s); got != s {
				t.Errorf("%s:\n got %s\nwant %s", path, got, s)
			}
		}
		if out, err := JSON(raw); err != nil {
			t.Errorf("%s: %v", path, err)
		} else if again, err := JSON(out); err != nil || string(again) != string(out) {
			t.Errorf("%s: a second time changes it (%v)", path, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d cases", read)
}

type recordedCase struct {
	APIError    string
	Application struct {
		Status struct {
			Conditions     []struct{ Message string }
			OperationState struct {
				Message    string
				SyncResult struct {
					Resources []struct{ Message string }
				}
			}
		}
	}
	Logs   []struct{ Text string }
	Events []struct{ Message string }
}

func (c *recordedCase) texts() []string {
	status := &c.Application.Status
	all := []string{c.APIError, status.OperationState.Message}
	for _, x := range status.Conditions {
		all = append(all, x.Message)
	}
	for _, x := range status.OperationState.SyncResult.Resources {
		all = append(all, x.Message)
	}
	for _, x := range c.Logs {
		all = append(all, x.Text)
	}
	for _, x := range c.Events {
		all = append(all, x.Message)
	}
	return all
}
