// Package program is the name that people run this program by. Texts that contain a command to run use it, so that the command runs as
// printed, whatever the file is called and whether kubectl runs it as a plugin.
package program

import (
	"path/filepath"
	"regexp"
	"strings"
)

// Released is what the program is called where nobody has renamed it.
const Released = "argo-why"

var name = Released

// plain is a name that a shell takes as it is.
var plain = regexp.MustCompile(`^(kubectl )?\w[\w.-]*$`)

// Name is what runs this program: argo-why, or kubectl argo-why.
func Name() string { return name }

// RunAs sets the name from the file that was run. Only main calls it, before anything else runs.
func RunAs(file string) { name = nameOf(file) }

// nameOf is how people write the command. kubectl runs a file called kubectl-argo_why for "kubectl argo-why":
// https://kubernetes.io/docs/tasks/extend-kubectl/kubectl-plugins/#names-with-dashes-and-underscores
func nameOf(file string) string {
	called := strings.TrimSuffix(filepath.Base(file), ".exe")
	if plugin, ok := strings.CutPrefix(called, "kubectl-"); ok {
		called = "kubectl " + strings.ReplaceAll(strings.ReplaceAll(plugin, "-", " "), "_", "-")
	}
	if !plain.MatchString(called) {
		return Released
	}
	return called
}

// Word is the name as a shell completes it, the last word.
func Word() string { return name[strings.LastIndexByte(name, ' ')+1:] }
