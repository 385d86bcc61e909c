package deliver

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/posted"
	"github.com/argo-why/argo-why/internal/slack/button"
	"github.com/argo-why/argo-why/internal/slack/render"
)

// DryRun is a Notifier that logs what a Sender would post, a line for each message, and calls nobody.
type DryRun struct {
	Links render.Links
	// Audience is who would read a channel; nil is nobody.
	Audience func(ctx context.Context, channel string) audience.Audience
	Log      *slog.Logger

	mu sync.Mutex
	// shown are the headlines of the root messages as they were logged last, by incident.
	shown map[string]string
}

var _ incident.Notifier = (*DryRun)(nil)

// dryTS stands for a message that is not there.
const dryTS = "dry-run"

// Begin implements incident.Notifier.
func (d *DryRun) Begin(map[string]string, func(context.Context, string, int) error) {}

// Room implements incident.Notifier.
func (d *DryRun) Room(string, incident.Due) time.Duration { return 0 }

// Notify implements incident.Notifier. It has no pace to keep, and tells all at once. What stands in a thread that was opened before is not known: only changes of it are logged.
func (d *DryRun) Notify(ctx context.Context, i *incident.Incident, _ incident.Due, _ bool) (incident.Told, error) {
	var who audience.Audience
	if d.Audience != nil {
		who = d.Audience(ctx, i.Channel)
	}
	told := incident.Told{Thread: i.Thread, All: true}
	root := headline(render.Root(posted.To(who, i), d.Links, render.Controls{}))
	if i.Thread.TS == "" && i.Phase == incident.Joined {
		return told, nil
	}
	before, logged := d.show(i.ID, root)
	switch {
	case i.Thread.TS == "":
		d.Log.InfoContext(ctx, "would post", "channel", i.Channel, "headline", root, "incident", i.ID)
		told.Thread = incident.Thread{Channel: i.Channel, TS: dryTS, DetailsTS: dryTS, RootDigest: dryTS, Permalink: dryTS}
	case logged && before != root:
		d.Log.InfoContext(ctx, "would update", "channel", i.Channel, "headline", root, "incident", i.ID)
	}
	for _, r := range i.Outbox {
		d.Log.InfoContext(ctx, "would reply", "channel", i.Channel, "headline", headline(render.Reply(posted.Line(who, r), button.Key{})), "thread", root, "incident", i.ID)
		told.Numbers = append(told.Numbers, r.Number)
	}
	return told, nil
}

// show notes the headline of a root message, and returns the one before.
func (d *DryRun) show(id, root string) (before string, logged bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.shown == nil {
		d.shown = map[string]string{}
	}
	before, logged = d.shown[id]
	d.shown[id] = root
	return before, logged
}

// headline is the first line of a message, as a notification shows it.
func headline(m render.Message) string {
	line, _, _ := strings.Cut(m.Text, "\n")
	return line
}
