package story_test

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose/rules"
	"github.com/argo-why/argo-why/internal/digest"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/schedule"
	"github.com/argo-why/argo-why/internal/story"
)

// digest has digests posted, as the story says.
func (b *bot) digest(ctx context.Context) error {
	if !b.lab.digested {
		return nil
	}
	titles := map[string]string{}
	for _, r := range rules.All() {
		titles[r.ID] = r.Doc.Title
	}
	channels := b.lab.seen.channels()
	plan := digest.Plan{Configured: channels, Instances: b.lab.instances(), Begun: time.Now(), OutOfSyncAfter: 24 * time.Hour, Titles: titles}
	for _, name := range channels {
		plan.Channels = append(plan.Channels, digest.Channel{Name: name, When: b.lab.digests})
	}
	jobs, err := schedule.New(b.lab.log, nil, schedule.Job{Name: "digest", Spec: "* * * * *", Timeout: time.Minute, Run: func(context.Context) error {
		outlook := func(channel string) *incident.Outlook { return b.lab.outlook(channel, time.Now()) }
		for _, m := range plan.Due([]*incident.Store{b.store}, nil, outlook, time.Now()) {
			b.syncer.PostDigest(m.Channel, m.Digest, time.Now())
		}
		return nil
	}})
	if err != nil {
		return err
	}
	b.ended.Go(func() { jobs.Run(ctx) })
	return nil
}

// window gives a project of Argo CD a sync window.
func (l *lab) window(step story.Step) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.windows = append(l.windows, evidence.ProjectWindow{
		Project: step.Args[0], SyncWindow: evidence.SyncWindow{Kind: step.Args[1], Duration: step.Args[2], Schedule: step.Rest(3)},
	})
}

// outlook is what Argo CD says of sync windows and hooks.
func (l *lab) outlook(channel string, now time.Time) *incident.Outlook {
	l.mu.Lock()
	defer l.mu.Unlock()
	o := &incident.Outlook{At: now, Until: now.Add(digest.OutlookFor), Windows: digest.Windows("prod", l.windows, now, digest.OutlookFor)}
	for _, app := range slices.SortedFunc(maps.Keys(l.simulated), incident.Compare) {
		if l.seen.route(app, "") != channel {
			continue
		}
		for _, task := range l.simulated[app].Application.Status.OperationState.Results() {
			at := slices.IndexFunc(l.simulated[app].Resources, func(o evidence.Object) bool { return o.Ref() == task.Ref() })
			if !task.IsHook() || at < 0 {
				continue
			}
			live := l.simulated[app].Resources[at]
			h := incident.DigestHook{App: app, Kind: task.Kind, Name: task.Name, NoDeadline: !live.HasDeadline(), NoDeletePolicy: len(live.DeletePolicies()) == 0}
			if h.NoDeadline || h.NoDeletePolicy {
				o.Hooks = append(o.Hooks, h)
			}
		}
	}
	return o
}
