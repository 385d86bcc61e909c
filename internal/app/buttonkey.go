package app

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/kube"
	"github.com/argo-why/argo-why/internal/slack/button"
)

// keyStore is where the keys of buttons are kept: beside the journal.
type keyStore interface {
	ButtonKeys(ctx context.Context) (keys []byte, version string, err error)
	// PutButtonKeys fails with incident.ErrConflict if they were replaced since that version.
	PutButtonKeys(ctx context.Context, keys []byte, version string) error
}

// attempts is how often to look again at what another process put there in the meantime.
const attempts = 3

// buttonKey reads the key that signs buttons, makes it where there is none, and replaces it when it is due or asked for. Where the
// cluster does not let the bot keep one, the key is made from the bot token, as before there was another: buttons work, until that
// token is replaced.
func buttonKey(ctx context.Context, store keyStore, botToken string, replace bool, log *slog.Logger) (button.Key, error) {
	ctx, cancel := context.WithTimeout(ctx, journalTimeout)
	defer cancel()
	for range attempts {
		keys, err := currentKeys(ctx, store, botToken, replace, log)
		var e *kube.Error
		switch {
		case err == nil:
			return keys.Key(time.Now()), nil
		case errors.As(err, &e) && e.Problem == kube.Forbidden:
			log.Warn("buttons are signed with a key made from slack.botToken, and will stop working when it is replaced", "error", err)
			return button.NewKey(botToken), nil
		case !errors.Is(err, incident.ErrConflict):
			return button.Key{}, err
		}
	}
	return button.Key{}, fmt.Errorf("write the key of buttons: %w", incident.ErrConflict)
}

// renewEvery is how often the key is read again. A replica that starts may replace it, and a click on what it signed goes to any of them: one
// that comes sooner than the others know is refused.
const renewEvery = 15 * time.Second

// renewKey reads the key again and again, until the context ends.
func renewKey(ctx context.Context, store keyStore, key button.Key, log *slog.Logger) {
	ticker := time.NewTicker(renewEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if err := readKey(ctx, store, key); err != nil && ctx.Err() == nil {
			log.Debug("key of buttons not read again, will try again", "error", err)
		}
	}
}

// readKey takes over the key that there is now.
func readKey(ctx context.Context, store keyStore, key button.Key) error {
	ctx, cancel := context.WithTimeout(ctx, renewEvery)
	defer cancel()
	stored, _, err := store.ButtonKeys(ctx)
	if err != nil {
		return err
	}
	keys, err := button.ReadKeys(stored)
	if err != nil {
		return err
	}
	key.Renew(keys.Key(time.Now()))
	return nil
}

func currentKeys(ctx context.Context, store keyStore, botToken string, replace bool, log *slog.Logger) (button.Keys, error) {
	stored, version, err := store.ButtonKeys(ctx)
	if err != nil {
		return button.Keys{}, err
	}
	fresh, now := make([]byte, 32), time.Now().UTC()
	if _, err := rand.Read(fresh); err != nil {
		return button.Keys{}, fmt.Errorf("draw a key of buttons: %w", err)
	}
	keys := button.FirstKeys(fresh, botToken, now)
	if stored != nil {
		if keys, err = button.ReadKeys(stored); err != nil {
			return button.Keys{}, fmt.Errorf("read the key of buttons: %w: delete its content to start over", err)
		}
		if !replace && !keys.Old(now) {
			return keys, nil
		}
		keys = keys.Replace(fresh, now)
		log.Info("replaced the key of buttons; those signed with the one before still work")
	}
	text, err := keys.Bytes()
	if err != nil {
		return button.Keys{}, fmt.Errorf("write the key of buttons: %w", err)
	}
	return keys, store.PutButtonKeys(ctx, text, version)
}
