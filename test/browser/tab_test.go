//go:build browser

package browser

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	cdpruntime "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// screen is what somebody looks at the page with.
type screen struct {
	width, height int64
	dark, touch   bool
}

var (
	desktop = screen{width: 1440, height: 900}
	tablet  = screen{width: 768, height: 1024}
	phone   = screen{width: 360, height: 740, touch: true}
	night   = screen{width: 1440, height: 900, dark: true}
)

// tab is one page in the browser.
type tab struct {
	t   *testing.T
	ctx context.Context //nolint:containedctx // chromedp keeps a tab in one

	mu       sync.Mutex
	problems []string // what the console said
}

// open opens the demo at a path, as somebody.
func open(t *testing.T, base, path string, s screen) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(chromium)
	b := &tab{t: t, ctx: ctx}
	t.Cleanup(func() {
		if t.Failed() {
			b.shot("failed-" + strings.ReplaceAll(t.Name(), "/", "-"))
		}
		cancel()
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, p := range b.problems {
			t.Errorf("the console says: %s", p)
		}
	})
	if err := chromedp.Listen(ctx, b.listen); err != nil {
		t.Fatal(err)
	}
	scheme := "light"
	if s.dark {
		scheme = "dark"
	}
	var touch []chromedp.EmulateViewportOption
	if s.touch {
		touch = append(touch, chromedp.EmulateTouch)
	}
	b.do(
		chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			if _, err := cdp.Call(ctx, t, log.Enable, cdp.Empty{}); err != nil {
				return err
			}
			_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
				Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
			})
			return err
		}),
		chromedp.EmulateViewport(s.width, s.height, touch...),
		chromedp.Navigate(base+path),
	)
	return b
}

// listen notes everything that a developer would see in red.
func (b *tab) listen(event any) {
	note := func(format string, args ...any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.problems = append(b.problems, fmt.Sprintf(format, args...))
	}
	switch e := event.(type) {
	case *cdpruntime.EventExceptionThrown:
		note("%v", e.ExceptionDetails)
	case *cdpruntime.EventConsoleAPICalled:
		if e.Type == cdpruntime.ConsoleAPICalledTypeError || e.Type == cdpruntime.ConsoleAPICalledTypeWarning {
			for _, a := range e.Args {
				note("%s: %s", e.Type, a.Value)
			}
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError {
			note("%s %s", e.Entry.Text, e.Entry.URL)
		}
	}
}

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// eval runs a script and reads its result.
func eval[T any](b *tab, script string) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	out, err := chromedp.Run(ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatal(err)
	}
	return out
}

// await waits until a script is true.
func (b *tab) await(what, script string) {
	b.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if eval[bool](b, "Boolean("+script+")") {
			return
		}
	}
	b.t.Fatalf("%s did not come; the page says:\n%s", what, eval[string](b, "document.body.innerText"))
}

// see waits until an element that fits the selector shows the text.
func (b *tab) see(selector, text string) {
	b.t.Helper()
	b.await(fmt.Sprintf("%q in %s", text, selector),
		fmt.Sprintf(`[...document.querySelectorAll(%q)].some(e => e.checkVisibility() && e.innerText.replace(/\s+/g, " ").includes(%q))`, selector, text))
}

// gone waits until no element that fits the selector shows the text.
func (b *tab) gone(selector, text string) {
	b.t.Helper()
	b.await(fmt.Sprintf("the end of %q in %s", text, selector),
		fmt.Sprintf(`![...document.querySelectorAll(%q)].some(e => e.checkVisibility() && e.innerText.replace(/\s+/g, " ").includes(%q))`, selector, text))
}

// click clicks the last visible element that fits the selector and has the text, as a mouse does.
func (b *tab) click(selector, text string) {
	b.t.Helper()
	b.see(selector, text)
	at := eval[[]float64](b, fmt.Sprintf(`(() => {
		const e = [...document.querySelectorAll(%q)].filter(e => e.checkVisibility() && e.innerText.replace(/\s+/g, " ").includes(%q)).pop();
		e.scrollIntoView({block: "center", behavior: "instant"});
		const r = e.getBoundingClientRect();
		return [r.x + r.width / 2, r.y + r.height / 2];
	})()`, selector, text))
	b.do(chromedp.MouseClickXY(at[0], at[1]))
}

// typeText types into what has the focus.
func (b *tab) typeText(text string) { b.t.Helper(); b.do(chromedp.KeyEvent(text)) }

// keys are those that press knows, with their codes and what they write.
var keys = map[string]struct {
	code int64
	text string
}{"Tab": {9, ""}, "Enter": {13, "\r"}, "Escape": {27, ""}, "Space": {32, " "}, "ArrowUp": {38, ""}, "ArrowDown": {40, ""}}

// press presses keys. Each is one event that a page can keep from writing anything, as with a keyboard; chromedp's own are two.
func (b *tab) press(names ...string) {
	b.t.Helper()
	for _, name := range names {
		k := keys[name]
		b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			p := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: name, Code: name, Text: k.text, WindowsVirtualKeyCode: k.code}
			if name == "Space" {
				p.Key = " "
			}
			if _, err := cdp.Call(ctx, t, input.DispatchKeyEvent, p); err != nil {
				return err
			}
			p.Type, p.Text = input.DispatchKeyEventTypeKeyUp, ""
			_, err := cdp.Call(ctx, t, input.DispatchKeyEvent, p)
			return err
		}))
	}
}

// as becomes somebody else: their own view of the same place.
func (b *tab) as(person string) {
	b.t.Helper()
	eval[bool](b, fmt.Sprintf(`(() => { const u = new URL(location); u.searchParams.set("as", %q); location = u; return true })()`, person))
	b.await("the page as "+person, fmt.Sprintf(`document.readyState === "complete" && new URL(location).searchParams.get("as") === %q`, person))
}

// shot takes a picture of what is seen.
func (b *tab) shot(name string) {
	b.t.Helper()
	png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*shots, name+".png"), png, 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// tabTo presses Tab until the element that has the focus fits the selector and has the text: as somebody without a mouse.
func (b *tab) tabTo(selector, text string) {
	b.t.Helper()
	const most = 150
	for range most {
		b.press("Tab")
		if eval[bool](b, fmt.Sprintf(`(e => e.matches(%q) && (e.innerText + " " + (e.getAttribute("aria-label") || "")).includes(%q))(document.activeElement)`, selector, text)) {
			if !eval[bool](b, focusIsSeen) {
				b.t.Errorf("%s %q has the focus, and that cannot be seen", selector, text)
			}
			return
		}
	}
	b.t.Fatalf("%d times Tab, and %s %q never had the focus", most, selector, text)
}

// focusIsSeen: what has the focus is on the screen, and has an outline or a frame of its own.
const focusIsSeen = `(e => {
	const r = e.getBoundingClientRect(), s = getComputedStyle(e), f = getComputedStyle(e.closest("form") || e);
	const marked = s => s.outlineStyle !== "none" && parseFloat(s.outlineWidth) > 0 || s.boxShadow !== "none";
	return r.bottom > 0 && r.top < innerHeight && r.right > 0 && r.left < innerWidth && (marked(s) || marked(f));
})(document.activeElement)`

// choose chooses an option of a list by its text.
func (b *tab) choose(selector, option string) {
	b.t.Helper()
	b.await(option, fmt.Sprintf(`(e => {
		const o = [...e.options].find(o => o.text.includes(%q));
		if (!o) return false;
		e.value = o.value;
		e.dispatchEvent(new Event("change", {bubbles: true}));
		return true;
	})(document.querySelector(%q))`, option, selector))
}
