//go:build browser

package browser

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/argo-why/argo-why/internal/demo/demotest"
)

var shots = flag.String("shots", "shots", "the `folder` for screenshots")

// bot is the built program.
var bot string

// chromium is the context of the one browser; each test has tabs of its own in it.
var chromium context.Context //nolint:containedctx // chromedp keeps its browser in one

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(demotest.WithBot(func(path string) int {
		bot = path
		return run(m)
	}))
}

func run(m *testing.M) int {
	if err := os.MkdirAll(*shots, 0o755); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	// Chromium refuses its sandbox to root, which CI is. Nothing but our own page is opened.
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.Flag("hide-scrollbars", false))
	allocator, end := chromedp.NewExecAllocator(context.Background(), options...)
	defer end()
	browser, endBrowser := chromedp.NewContext(allocator)
	defer endBrowser()
	if err := chromedp.Do(browser); err != nil {
		fmt.Fprintln(os.Stderr, "start Chromium (apt-get install chromium):", err)
		return 1
	}
	chromium = browser
	return m.Run()
}

// startDemo runs `bot demo` and returns its address.
func startDemo(t *testing.T) string {
	t.Helper()
	// Not with the test's context, which ends before the tabs do: they would see the page go.
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), bot, "demo", "--port", "0", "--no-browser")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(cmd.Process.Signal(os.Interrupt), cmd.Wait()); err != nil {
			t.Errorf("bot demo ended: %v", err)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	address, found := strings.CutPrefix(strings.TrimSpace(line), "The demo is at ")
	if err != nil || !found {
		t.Fatalf("bot demo said %q, %v", line, err)
	}
	return address
}

// patience is how long a page may take to show something, on a machine that does ten other things.
const patience = 30 * time.Second
