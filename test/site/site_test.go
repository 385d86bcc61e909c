//go:build site

package site

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

const (
	built = "../../bin/site"
	// base is where the site begins on its server: see tools/site/.vitepress/config.mjs.
	base = "/argo-why/"
	// patience is long, because no page fails for being slow.
	patience = 2 * time.Minute
)

var shots = flag.String("shots", "", "a `folder` for pictures of some pages")

// page is what a reader gets at one address.
type page struct {
	Title   string
	H1      []string
	IDs     []string
	Links   []string // absolute
	Broken  []string // pictures that did not load
	TooWide []string
}

// lookAt says what is on the page that is open.
const lookAt = `(async () => {
	await Promise.all([...document.images].map(i => { i.loading = "eager"; return i.decode().catch(() => {}) }));
	const root = document.documentElement, name = e => e.tagName.toLowerCase() + " " + e.innerText.slice(0, 60);
	return {
		Title: document.title,
		H1: [...document.querySelectorAll("h1")].map(e => e.innerText),
		IDs: [...document.querySelectorAll("[id]")].map(e => e.id),
		Links: [...document.querySelectorAll("a[href]")].map(a => a.href),
		Broken: [...document.images].filter(i => !i.naturalWidth).map(i => i.src),
		TooWide: root.scrollWidth <= root.clientWidth ? [] : [...document.querySelectorAll("main *")]
			.filter(e => e.getBoundingClientRect().right > root.clientWidth + 1 && !e.closest("table, pre, .diagram")).map(name).concat("the page"),
	};
})()`

// browser is one tab of Chromium with the width of a phone.
func browser(t *testing.T) context.Context {
	t.Helper()
	// Chromium refuses its sandbox to root, which CI is. Nothing but our own pages is opened.
	allocator, end := chromedp.NewExecAllocator(t.Context(), append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox)...)
	t.Cleanup(end)
	tab, endTab := chromedp.NewContext(allocator)
	t.Cleanup(endTab)
	if err := chromedp.Do(tab, chromedp.EmulateViewport(390, 844)); err != nil {
		t.Fatal("start Chromium (apt-get install chromium): ", err)
	}
	return tab
}

// pages are the addresses of all pages that were built.
func pages(t *testing.T) (out []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(built), ".", func(file string, _ fs.DirEntry, err error) error {
		if path.Ext(file) == ".html" && file != "404.html" {
			out = append(out, file)
		}
		return err
	})
	if err != nil || len(out) == 0 {
		t.Fatalf("%d pages in %s (%v): run make site", len(out), built, err)
	}
	return out
}

func serve(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.StripPrefix(base, http.FileServer(http.Dir(built))))
	t.Cleanup(s.Close)
	return s.URL
}

// TestEveryPageCanBeRead: each page has a title, one heading of the first level, pictures that load, links that lead somewhere, and fits on a phone.
func TestEveryPageCanBeRead(t *testing.T) {
	server, tab := serve(t), browser(t)
	read := map[string]page{}
	for _, file := range pages(t) {
		address := server + base + file
		ctx, cancel := context.WithTimeout(tab, patience)
		if err := chromedp.Do(ctx, chromedp.Navigate(address)); err != nil {
			t.Fatal(file, ": ", err)
		}
		p, err := chromedp.Run(ctx, chromedp.Evaluate[page](lookAt, chromedp.EvalAwaitPromise))
		cancel()
		if err != nil {
			t.Fatal(file, ": ", err)
		}
		read[address] = p
		if name, _, _ := strings.Cut(p.Title, " | "); name == "" || name == "argo-why" {
			t.Errorf("%s has no title of its own: %q", file, p.Title)
		}
		if len(p.H1) != 1 {
			t.Errorf("%s has %d headings of the first level: %q", file, len(p.H1), p.H1)
		}
		for _, src := range p.Broken {
			t.Errorf("%s shows a picture that is not there: %s", file, src)
		}
		if len(p.TooWide) > 0 {
			t.Errorf("%s is wider than a phone: %s", file, strings.Join(p.TooWide, "; "))
		}
	}
	internal := 0
	for from, p := range read {
		for _, link := range p.Links {
			if strings.HasPrefix(link, server) {
				internal++
				if problem := dead(read, server, link); problem != "" {
					t.Errorf("%s: %s", strings.TrimPrefix(from, server), problem)
				}
			}
		}
	}
	if internal < 100 {
		t.Errorf("only %d links between pages were found: the test looks for the wrong thing", internal)
	}
}

// dead says what is wrong with a link to one of the pages, or nothing.
func dead(read map[string]page, server, link string) string {
	address, anchor, _ := strings.Cut(link, "#")
	if strings.HasSuffix(address, "/") {
		address += "index.html"
	}
	if strings.HasPrefix(address, server+base+"assets/") {
		_, err := os.Stat(filepath.Join(built, strings.TrimPrefix(address, server+base)))
		if err != nil {
			return fmt.Sprintf("a link to a file that does not exist: %v", err)
		}
		return ""
	}
	to, ok := read[address]
	switch {
	case !ok:
		return "a link to a page that does not exist: " + link
	case anchor != "" && !slices.Contains(to.IDs, anchor):
		return "a link to a heading that does not exist: " + link
	}
	return ""
}

// TestPictures takes pictures of pages for somebody to look at: -shots=shots.
func TestPictures(t *testing.T) {
	if *shots == "" {
		t.Skip("no -shots")
	}
	server, tab := serve(t), browser(t)
	if err := os.MkdirAll(*shots, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, width := range []int64{1280, 390} {
		for _, scheme := range []string{"light", "dark"} {
			for _, file := range pages(t) {
				if strings.HasPrefix(file, "adr/0") {
					continue
				}
				png, err := picture(tab, server+base+file, width, scheme)
				if err != nil {
					t.Fatal(file, ": ", err)
				}
				name := fmt.Sprintf("%s-%d-%s.png", strings.ReplaceAll(strings.TrimSuffix(file, ".html"), "/", "-"), width, scheme)
				if err := os.WriteFile(filepath.Join(*shots, name), png, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

func picture(tab context.Context, address string, width int64, scheme string) ([]byte, error) {
	err := chromedp.Do(tab,
		chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
				Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
			})
			return err
		}),
		chromedp.EmulateViewport(width, 1600),
		chromedp.Navigate(address),
	)
	if err != nil {
		return nil, err
	}
	time.Sleep(300 * time.Millisecond) // for fonts; nothing is decided by it
	return chromedp.Run(tab, chromedp.CaptureScreenshot())
}
