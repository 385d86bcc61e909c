package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/digest"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/bolt"
)

// DigestOptions say what `bot digest` is about.
type DigestOptions struct {
	// Period is how long it looks back.
	Period time.Duration
	// Channel is the one whose incidents it is about, as the configuration gives it; "" is all.
	Channel string
	Version string
	Now     time.Time
}

// ReadDigest makes the figures of a digest from the journal, without a bot. It changes nothing. What is damaged in the journal is an error
// beside the figures of the rest.
func ReadDigest(ctx context.Context, c *config.Config, o DigestOptions) (incident.Digest, error) {
	if j := c.Journal.Resolve(); j.Kind == config.JournalFile {
		if _, err := os.Stat(j.Path); errors.Is(err, fs.ErrNotExist) {
			return incident.Digest{}, fmt.Errorf("journal %s not found: the bot has not run with this configuration here; run this where it does, or correct journal.path", j.Path)
		}
	}
	journals, err := openJournals(ctx, c.Journal, Options{Version: o.Version, DryRun: true})
	switch {
	case errors.Is(err, bolt.ErrInUse):
		return incident.Digest{}, fmt.Errorf("journal %s is in use by the running bot: ask the bot in Slack, or stop it first", c.Journal.Path)
	case err != nil:
		return incident.Digest{}, err
	}
	held, err := journals.incidents.List(ctx)
	damaged, partly := errors.AsType[incident.Damaged](err)
	if err != nil && !partly {
		return incident.Digest{}, errors.Join(err, journals.close())
	}
	store := incident.NewStore(incidentPolicy(c), held)
	since, until := store.Watched(o.Now)
	d := digest.Of(store.Failing(), store.All(), digest.Options{
		Now: o.Now, Since: o.Now.Add(-o.Period), Period: o.Period, OutOfSyncAfter: c.Digest.OutOfSyncAfter, Channel: o.Channel, Titles: ruleTitles(), Watched: since,
	})
	d.WatchedUntil, d.Outlook = until, recordedOutlook(c, store, o)
	return d, errors.Join(damaged.AsError(), journals.close())
}

// recordedOutlook is what the last digests on record say beside the incidents, in all channels or the one asked for: as long as they look ahead.
func recordedOutlook(c *config.Config, store *incident.Store, o DigestOptions) *incident.Outlook {
	var all *incident.Outlook
	for _, channel := range c.Channels() {
		digests := store.Digests(channel)
		if len(digests) == 0 || o.Channel != "" && o.Channel != channel {
			continue
		}
		if last := digests[len(digests)-1].Outlook; last != nil && last.Until.After(o.Now) {
			all = all.And(last, o.Now)
		}
	}
	return all
}
