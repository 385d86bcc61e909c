//go:build system

package system_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/argo-why/argo-why/internal/demo/demotest"
)

// bot is the path of the built binary.
var bot string

// role is the variable of the environment that makes this binary one of the processes instead of a test.
const role = "SYSTEM_PROCESS"

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case argoCDRole:
		os.Exit(serveArgoCD())
	case slackRole:
		os.Exit(serveSlack())
	}
	if bot = os.Getenv("SYSTEM_BOT"); bot != "" { // another version, to compare with
		code := m.Run()
		fmt.Print(results.String())
		os.Exit(code)
	}
	os.Exit(demotest.WithBot(func(built string) int {
		bot = built
		code := m.Run()
		fmt.Print(results.String())
		return code
	}))
}
