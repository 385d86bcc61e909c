package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/argo-why/argo-why/internal/demo/panel"
	"github.com/argo-why/argo-why/internal/demo/world"
	"github.com/argo-why/argo-why/internal/workspace/page"
)

// Options of a demo. Bot is needed.
type Options struct {
	// Port of the page on 127.0.0.1; 0 for any free one. Preferred: any free one will do where it is in use.
	Port      int
	Preferred bool
	// Bot makes the command that runs the bot with these arguments, not started.
	Bot func(ctx context.Context, args ...string) *exec.Cmd
	// Cases are a visitor's own case files (`bot why --save`), to be among the failures.
	Cases []CaseFile
	// Log gets what the bot logs; nil for nowhere.
	Log io.Writer
}

// CaseFile is a case file of a visitor.
type CaseFile struct {
	Name string // as the visitor gave it
	Text []byte
}

// Demo is the page and the world behind it.
type Demo struct {
	World *world.World
	panel *panel.Panel
	url   string
	http  *http.Server

	workers sync.WaitGroup
	stop    context.CancelFunc
}

// Start starts everything, and returns when the page can be opened. The bot connects meanwhile; see World.AwaitBot.
func Start(ctx context.Context, o Options) (d *Demo, err error) {
	listener, err := listen(ctx, o.Port)
	if o.Preferred && errors.Is(err, syscall.EADDRINUSE) {
		listener, err = listen(ctx, 0)
	}
	if err != nil {
		return nil, err
	}
	d = &Demo{url: "http://" + listener.Addr().String()}
	defer func() {
		if err != nil {
			err = errors.Join(err, listener.Close(), d.Close())
		}
	}()
	d.World, err = world.New(ctx, o.Log)
	if err != nil {
		return d, err
	}
	if err := d.World.Populate(); err != nil {
		return d, err
	}
	for _, c := range o.Cases {
		if err := d.addCase(c); err != nil {
			return d, fmt.Errorf("--case %s: %w", c.Name, err)
		}
	}
	if err := d.begin(ctx); err != nil {
		return d, err
	}
	if err := d.World.StartBot(ctx, world.BotOptions{Command: o.Bot, ArgoCDPages: d.url + argoCDPath, Restart: true}); err != nil {
		return d, err
	}
	d.http = &http.Server{Handler: d.handler(), ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = d.http.Serve(listener) }() // until Close, which is all that its error says
	return d, nil
}

// begin makes the first application fail, and the panel with the hints that follow it.
func (d *Demo) begin(ctx context.Context) error {
	first := d.World.Migration()
	if err := d.World.Break(first); err != nil {
		return err
	}
	d.panel = panel.New(d.World)
	d.panel.Guide(first.App)
	ctx, d.stop = context.WithCancel(context.WithoutCancel(ctx))
	d.workers.Go(func() { d.panel.Run(ctx) })
	return nil
}

// addCase has a visitor's own case fail at once: they want to see it.
func (d *Demo) addCase(c CaseFile) error {
	f, err := d.World.Add(c.Text)
	if err != nil {
		return err
	}
	return d.World.Break(f)
}

// listen takes a port of this machine that nobody else can reach.
func listen(ctx context.Context, port int) (net.Listener, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, portInUse(port)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("port %d requires root privileges: choose one above 1023 with --port", port)
	case err != nil:
		return nil, fmt.Errorf("listen for the browser: %w", err)
	}
	return l, nil
}

// portInUse is the number of a port that somebody else listens on.
type portInUse int

func (p portInUse) Error() string {
	return fmt.Sprintf("port %d is in use: stop the process that uses it, or choose another port with --port", int(p))
}

func (portInUse) Unwrap() error { return syscall.EADDRINUSE }

// URL is where the page is.
func (d *Demo) URL() string { return d.url }

// Close ends everything and removes what was written.
func (d *Demo) Close() error {
	var errs []error
	if d.http != nil {
		errs = append(errs, d.http.Close())
	}
	if d.stop != nil {
		d.stop()
		d.workers.Wait()
	}
	if d.World != nil {
		errs = append(errs, d.World.Close())
	}
	return errors.Join(errs...)
}

// people are those that a visitor can be: those of the demo, and whom a story brings.
func people(w *world.World) []page.Person {
	var out []page.Person
	for _, p := range world.Everybody {
		out = append(out, page.Person{Name: p.Name, Role: p.Role})
	}
	for _, u := range w.Slack.Users() {
		known := slices.ContainsFunc(out, func(p page.Person) bool { return p.Name == u.Name })
		if !u.Bot && !known {
			out = append(out, page.Person{Name: u.Name})
		}
	}
	return out
}
