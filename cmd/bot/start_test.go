package main

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// initialised is a line of GODEBUG=inittrace=1: a package, and how many bytes its initialisation allocated.
var initialised = regexp.MustCompile(`(?m)^init (\S+) @.* ms clock, (\d+) bytes, `)

// TestStart looks at the order in which packages are initialised, on which internal/startup depends: without it every command takes half as
// long again.
func TestStart(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var order []string
	for _, m := range initialised.FindAllStringSubmatch(string(out), -1) {
		order = append(order, m[1])
		const translations = 1 << 20 // they take four
		if allocated, err := strconv.Atoi(m[2]); strings.HasPrefix(m[1], "k8s.io/kubectl/") && (err != nil || allocated > translations) {
			t.Errorf("%s allocates %s bytes at the start (%v): internal/startup/untranslated comes too late, or translations are loaded in another way", m[1], m[2], err)
		}
	}
	collector := slices.Index(order, "github.com/argo-why/argo-why/internal/startup")
	large := slices.Index(order, "k8s.io/client-go/kubernetes/scheme")
	if collector < 0 || large < 0 || collector > large {
		t.Errorf("internal/startup is initialised as number %d, want it before number %d, which allocates much", collector, large)
	}
}
