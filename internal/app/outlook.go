package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/digest"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/gateway"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/schedule"
)

// mostHooks are read of an Argo CD for a digest; each is a call. They take a few seconds.
const mostHooks = 500

// settings is what an Argo CD says of its sync windows and hooks.
type settings struct {
	in      *instance
	windows []evidence.ProjectWindow
	hooks   []evidence.Hook
	left    int
	unread  []string
	errs    []error
}

// outlooks are what the digests of the channels say beside their incidents: about the applications that are reported there. Argo CD is asked when
// that is wanted first, and once for all channels.
type outlooks struct {
	read    func() []settings
	channel func(diagnose.AppName, string) string
	now     time.Time
	// found is what was read; nil until somebody wants to know.
	found []settings
}

func (b *bot) outlooks(ctx context.Context, c *config.Config, now time.Time) *outlooks {
	return &outlooks{read: func() []settings { return b.readSettings(ctx) }, channel: c.Channel, now: now}
}

// of is that of a channel.
func (all *outlooks) of(channel string) *incident.Outlook {
	if all.found == nil {
		all.found = all.read()
	}
	o := &incident.Outlook{At: all.now.UTC(), Until: all.now.Add(digest.OutlookFor).UTC()}
	for _, s := range all.found {
		s.tell(o, s.in.Directory.All(), func(app diagnose.AppName, e gateway.Entry) bool { return all.channel(app, e.Project) == channel })
	}
	digest.SortWindows(o.Windows, o.At)
	return o
}

// err is why something is missing in them.
func (all *outlooks) err() error {
	var errs []error
	for _, s := range all.found {
		errs = append(errs, s.errs...)
	}
	return errors.Join(errs...)
}

// readSettings asks all Argo CDs side by side. One that does not respond is missing: a digest says so anyway.
func (b *bot) readSettings(ctx context.Context) []settings {
	var all []settings
	for _, in := range b.instances {
		if in.ConnectionState() == nil {
			all = append(all, settings{in: in})
		}
	}
	var group sync.WaitGroup
	for n := range all {
		s := &all[n]
		group.Go(func() {
			s.missing("settings", schedule.Recovered(s.in.log, "digest", func() error { s.read(ctx); return nil }))
		})
	}
	group.Wait()
	return all
}

// read reads them as far as it can. What is missing is said in the digest.
func (s *settings) read(ctx context.Context) {
	var err error
	s.windows, err = s.in.ProjectWindows(ctx)
	s.missing("sync windows", err)
	s.hooks, s.left, err = s.in.Hooks(ctx, mostHooks)
	s.missing("hooks", err)
}

// missing notes what could not be read; without an error, nothing.
func (s *settings) missing(what string, err error) {
	if err != nil {
		s.unread = append(s.unread, what+" of "+s.in.Name)
		s.errs = append(s.errs, fmt.Errorf("read the %s of %s for the digest: %w", what, s.in.Name, err))
	}
}

// tell adds what concerns applications that are wanted.
func (s *settings) tell(o *incident.Outlook, apps map[diagnose.AppName]gateway.Entry, wanted func(diagnose.AppName, gateway.Entry) bool) {
	projects := map[string]bool{}
	for app, e := range apps {
		if wanted(app, e) {
			projects[e.Project] = true
		}
	}
	windows := slices.DeleteFunc(slices.Clone(s.windows), func(w evidence.ProjectWindow) bool { return !projects[w.Project] })
	o.Windows = append(o.Windows, digest.Windows(s.in.Name, windows, o.At, digest.OutlookFor)...)
	for _, h := range s.hooks {
		app := diagnose.AppName{Instance: s.in.Name, Namespace: h.AppNamespace, Name: h.App}
		if e, listed := apps[app]; listed && wanted(app, e) && (h.NoDeadline || h.NoDeletePolicy) {
			o.Hooks = append(o.Hooks, incident.DigestHook{App: app, Kind: h.Kind, Name: h.Name, NoDeadline: h.NoDeadline, NoDeletePolicy: h.NoDeletePolicy})
		}
	}
	o.HooksLeft += s.left
	o.Unread = append(o.Unread, s.unread...)
}
