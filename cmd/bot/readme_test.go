package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestReadmeShowsTheRealOutput runs the command that diagnoses a recorded failure and compares what it prints.
func TestReadmeShowsTheRealOutput(t *testing.T) {
	page, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(page), "$ go run ./cmd/bot why ")
	command, rest, ok2 := strings.Cut(rest, "\n")
	want, _, ok3 := strings.Cut(rest, "```")
	if !ok || !ok2 || !ok3 {
		t.Fatal("the README has no block that begins with $ go run ./cmd/bot why")
	}
	t.Chdir("../..")
	t.Setenv("NO_COLOR", "1")
	var out, complaints bytes.Buffer
	if code := execute(t.Context(), append([]string{"why"}, strings.Fields(command)...), strings.NewReader(""), &out, &complaints); code != exitDiagnosed {
		t.Fatalf("exit %d: %s", code, complaints.String())
	}
	if out.String() != want {
		t.Errorf("the README shows\n%s\nthe command prints\n%s", want, out.String())
	}
}
