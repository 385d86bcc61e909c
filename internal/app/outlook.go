package app

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/digest"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/gateway"
	"github.com/argo-why/argo-why/internal/incident"
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
}

// outlook gives what the digest of a channel says beside its incidents: about the applications that are reported there. Argo CD is asked when
// that is wanted first, and once for all channels.
func (b *bot) outlook(ctx context.Context, c *config.Config, now time.Time) func(channel string) *incident.Outlook {
	read := sync.OnceValue(func() []settings { return b.readSettings(ctx) })
	return func(channel string) *incident.Outlook {
		o := &incident.Outlook{At: now.UTC(), Until: now.Add(digest.OutlookFor).UTC()}
		for _, s := range read() {
			s.tell(o, s.in.Directory.All(), func(app diagnose.AppName, e gateway.Entry) bool { return c.Channel(app, e.Project) == channel })
		}
		return o
	}
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
		group.Go(func() { all[n].read(ctx) })
	}
	group.Wait()
	return all
}

// read reads them as far as it can. What is missing is in the digest, and the reason in the log.
func (s *settings) read(ctx context.Context) {
	missing := func(what string, err error) {
		if err != nil {
			s.in.log.Warn("not in the digest", "what", what, "error", err)
			s.unread = append(s.unread, what+" of "+s.in.Name)
		}
	}
	var err error
	s.windows, err = s.in.ProjectWindows(ctx)
	missing("sync windows", err)
	s.hooks, s.left, err = s.in.Hooks(ctx, mostHooks)
	missing("hooks", err)
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
