package script

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/argo-why/argo-why/internal/demo"
	"github.com/argo-why/argo-why/internal/demo/world"
	"github.com/argo-why/argo-why/internal/story"
)

// Look is that of the pictures.
type Look struct {
	Width int // of the page, in CSS pixels; if zero 400, and 1440 for all of the page
	Dark  bool
}

const (
	defaultWidth = 400
	// pageWidth and pageHeight are those of a small screen.
	pageWidth, pageHeight = 1440, 900
	// height is more than any thread needs: the page shows all of it and scrolls nothing.
	height = 8000
	// dialogHeight is less than any dialog needs. It grows by what it has to scroll: on a phone a dialog fills the screen.
	dialogHeight = 240
	// density is that of the screens that people have.
	density = 2
	// margin is around what is in the picture.
	margin = 8
	// pictureTimeout is for one picture, and for the start of the browser.
	pictureTimeout = 2 * time.Minute
)

// camera takes pictures of the demo's page.
type camera struct {
	folder string
	look   Look
	// browser is chromedp's.
	browser context.Context //nolint:containedctx // chromedp hands the browser over in it
	stop    context.CancelFunc
	server  *http.Server
	address string
}

// newCamera starts a browser.
func newCamera(ctx context.Context, folder string, look Look) (c *camera, err error) {
	program, err := findBrowser(browsers)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, fmt.Errorf("create the folder for the pictures: %w", err)
	}
	options := []chromedp.ExecAllocatorOption{chromedp.ExecPath(program)}
	if os.Geteuid() == 0 { // Chromium has no sandbox for root, and refuses to start; it sees nothing but our own page
		options = append(options, chromedp.NoSandbox)
	}
	c = &camera{folder: folder, look: look}
	c.browser, c.stop = chromedp.NewContext(ctx, chromedp.WithAllocatorOptions(options...))
	late := time.AfterFunc(pictureTimeout, c.stop)
	defer late.Stop()
	if err := chromedp.Do(c.browser); err != nil {
		c.close()
		return nil, fmt.Errorf("start %s for the pictures: %w", program, err)
	}
	return c, nil
}

func (c *camera) close() {
	c.stop()
	if c.server != nil {
		_ = c.server.Close()
	}
}

// serve shows the page to the browser.
func (c *camera) serve(ctx context.Context, w *world.World) error {
	if c.server != nil {
		return nil
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen for the browser: %w", err)
	}
	c.address = "http://" + l.Addr().String()
	c.server = &http.Server{Handler: demo.Handler(w), ReadHeaderTimeout: pictureTimeout}
	go func() { _ = c.server.Serve(l) }() // until close
	return nil
}

// take makes the picture of what is shown. What is on no screen has none.
func (c *camera) take(ctx context.Context, w *world.World, shown story.Shown) error {
	if shown.Channel == "" || shown.Step.Verb == "dialog" && shown.View == "" {
		return nil
	}
	if err := c.serve(ctx, w); err != nil {
		return err
	}
	if shown.Person == "" {
		shown.Person = onlooker(w)
	}
	// Not derived from ctx, which is not the browser's; it ends with the camera.
	browser, cancel := context.WithTimeout(c.browser, pictureTimeout)
	defer cancel()
	picture, err := c.visit(browser, shown)
	if err != nil {
		return fmt.Errorf("take the picture %s: %w", shown.Name, err)
	}
	if err := os.WriteFile(filepath.Join(c.folder, shown.Name+".png"), picture, 0o644); err != nil {
		return fmt.Errorf("write the picture: %w", err)
	}
	return nil
}

// onlooker is somebody who has no dialog before what is to be seen; the first person if all have.
func onlooker(w *world.World) string {
	for _, p := range world.Everybody {
		if len(w.Slack.Views(p.Name)) == 0 {
			return p.Name
		}
	}
	return world.Everybody[0].Name
}

// visit has the browser go there, and returns what it shows.
func (c *camera) visit(ctx context.Context, shown story.Shown) ([]byte, error) {
	wide, high := cmp.Or(c.look.Width, defaultWidth), height
	switch {
	case shown.Page:
		wide, high = cmp.Or(c.look.Width, pageWidth), pageHeight
	case shown.View != "":
		high = dialogHeight
	}
	err := chromedp.Do(ctx, screen(wide, high), chromedp.Navigate(c.url(shown)), chromedp.WaitVisible(chromedp.CSS(target(shown))))
	if err != nil {
		return nil, err
	}
	if shown.View != "" {
		scrolls, err := chromedp.Run(ctx, chromedp.Evaluate[int](scrollsBy))
		if err != nil {
			return nil, err
		}
		if err := chromedp.Do(ctx, screen(wide, high+scrolls)); err != nil {
			return nil, err
		}
	}
	if shown.Page {
		if err := chromedp.Do(ctx, chromedp.Evaluate[chromedp.Void](untouched)); err != nil {
			return nil, err
		}
		return chromedp.Run(ctx, chromedp.CaptureScreenshot())
	}
	return capture(ctx, target(shown))
}

func screen(wide, high int) chromedp.Action[chromedp.Void] {
	return chromedp.EmulateViewport(int64(wide), int64(high), chromedp.EmulateScale(density))
}

// untouched takes away what only shows under a pointer or a finger, of which there is none.
const untouched = `document.querySelectorAll(".toolbar").forEach(e => e.hidden = true)`

// scrollsBy is how much of the front dialog is hidden.
const scrollsBy = `document.fonts.ready && (e => e.scrollHeight - e.clientHeight)([...document.querySelectorAll("dialog[open] .inside")].at(-1))`

// url is that of what is shown, as the person sees it.
func (c *camera) url(shown story.Shown) string {
	path := "/channel/" + url.PathEscape(shown.Channel)
	if shown.Thread != "" {
		path += "/" + url.PathEscape(shown.Thread)
	}
	query := url.Values{"theme": {"light"}}
	if c.look.Dark {
		query.Set("theme", "dark")
	}
	if shown.Person != "" {
		query.Set("as", shown.Person)
	}
	return c.address + path + "?" + query.Encode()
}

// target selects what is in the picture.
func target(shown story.Shown) string {
	if shown.View != "" {
		return fmt.Sprintf("dialog[open][data-view=%q]", shown.View)
	}
	pane := "#channel"
	if shown.Thread != "" {
		pane = "#thread"
	}
	if len(shown.Messages) == 0 {
		return pane + " article"
	}
	var each []string
	for _, ts := range shown.Messages {
		each = append(each, fmt.Sprintf("%s article[data-ts=%q]", pane, ts))
	}
	return strings.Join(each, ", ")
}

// box is a part of the page, in CSS pixels.
type box struct {
	X, Y, Width, Height float64
	Page                float64 // its width
}

//go:embed measure.js
var measure string

// capture takes it from the top of the first element to the bottom of the last one.
func capture(ctx context.Context, selector string) ([]byte, error) {
	argument, err := json.Marshal(selector)
	if err != nil {
		return nil, err
	}
	found, err := chromedp.Run(ctx, chromedp.Evaluate[box]("("+measure+")("+string(argument)+")", chromedp.EvalAwaitPromise))
	if err != nil {
		return nil, err
	}
	if found.Height+2*margin > height {
		return nil, errors.New("it is taller than a picture can be")
	}
	x, y := max(0, found.X-margin), max(0, found.Y-margin)
	taken, err := chromedp.Call(ctx, cdppage.CaptureScreenshot, cdppage.CaptureScreenshotParams{Clip: &cdppage.Viewport{
		X: x, Y: y, Width: min(found.X+found.Width+margin, found.Page) - x, Height: found.Y + found.Height + margin - y, Scale: 1,
	}})
	return taken.Data, err
}
