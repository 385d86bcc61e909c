package app

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/bolt"
	"github.com/argo-why/argo-why/internal/kube"
	"github.com/argo-why/argo-why/internal/slack/button"
)

var silent = slog.New(slog.DiscardHandler)

// start is the key of a process that starts with a file and a bot token.
func start(t *testing.T, file, botToken string, replace bool) button.Key {
	t.Helper()
	j, err := bolt.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	key, err := buttonKey(t.Context(), j, botToken, replace, silent)
	if err := errors.Join(err, j.Close()); err != nil {
		t.Fatal(err)
	}
	return key
}

// TestButtonsWorkAfterTheBotTokenIsReplaced: also those that the version before signed, with a key made from the token.
func TestButtonsWorkAfterTheBotTokenIsReplaced(t *testing.T) {
	file, value := filepath.Join(t.TempDir(), "journal.db"), button.Value{Do: button.Deny, Record: "r1"}
	before := button.NewKey("xoxb-old").Encode("argo_why_deny", value)
	first := start(t, file, "xoxb-old", false).Encode("argo_why_deny", value)
	if first == before {
		t.Error("buttons are still signed with a key made from the token")
	}
	key := start(t, file, "xoxb-new", false)
	for name, text := range map[string]string{"of the version before": before, "of the first start": first} {
		if got, err := key.Decode("argo_why_deny", text); err != nil || got != value {
			t.Errorf("with a new bot token, a button %s: %v", name, err)
		}
	}
	replaced := start(t, file, "xoxb-new", true)
	if got, err := replaced.Decode("argo_why_deny", first); err != nil || got != value {
		t.Errorf("after a new key: %v", err)
	}
	if _, err := replaced.Decode("argo_why_deny", before); !errors.Is(err, button.ErrForged) {
		t.Errorf("two keys later: %v", err)
	}
}

// kept is a store in memory that others write to as well.
type kept struct {
	keys    []byte
	err     error
	theirs  []byte // put there between our read and our write, once
	written int
}

func (k *kept) ButtonKeys(context.Context) (keys []byte, version string, err error) {
	return bytes.Clone(k.keys), "1", k.err
}

func (k *kept) PutButtonKeys(_ context.Context, keys []byte, _ string) error {
	if k.theirs != nil {
		k.keys, k.theirs = k.theirs, nil
		return incident.ErrConflict
	}
	k.keys, k.written = keys, k.written+1
	return nil
}

// TestTwoProcessesAgreeOnAKey: the one that comes second takes what the first has made.
func TestTwoProcessesAgreeOnAKey(t *testing.T) {
	theirs := button.FirstKeys(bytes.Repeat([]byte{7}, 32), "xoxb-1", time.Now())
	text, err := theirs.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	store := &kept{theirs: text}
	key, err := buttonKey(t.Context(), store, "xoxb-1", false, silent)
	if err != nil {
		t.Fatal(err)
	}
	if v := (button.Value{Do: button.Open}); key.Encode("argo_why_deny", v) != theirs.Key(time.Now()).Encode("argo_why_deny", v) || store.written != 0 {
		t.Error("they sign with different keys")
	}
}

// TestAKeyThatAnotherReplicaReplaced: whoever clicks does not know which replica gets the click.
func TestAKeyThatAnotherReplicaReplaced(t *testing.T) {
	store, value := &kept{}, button.Value{Do: button.Open}
	ours, err := buttonKey(t.Context(), store, "xoxb-1", false, silent)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := buttonKey(t.Context(), store, "xoxb-1", true, silent)
	if err != nil {
		t.Fatal(err)
	}
	if ours.Encode("argo_why_deny", value) == theirs.Encode("argo_why_deny", value) {
		t.Fatal("the key was not replaced")
	}
	copied := ours
	if err := readKey(t.Context(), store, ours); err != nil {
		t.Fatal(err)
	}
	if _, err := ours.Decode("argo_why_deny", theirs.Encode("argo_why_deny", value)); err != nil {
		t.Errorf("what the other replica signed: %v", err)
	}
	if copied.Encode("argo_why_deny", value) != theirs.Encode("argo_why_deny", value) {
		t.Error("the replicas still sign with different keys")
	}
}

func TestAnOldKeyIsReplacedAtAStart(t *testing.T) {
	old := button.FirstKeys(bytes.Repeat([]byte{7}, 32), "xoxb-1", time.Now().Add(-91*24*time.Hour))
	text, err := old.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	store, value := &kept{keys: text}, button.Value{Do: button.Open}
	for range 2 { // the second start finds a new one
		key, err := buttonKey(t.Context(), store, "xoxb-1", false, silent)
		if err != nil {
			t.Fatal(err)
		}
		if key.Encode("argo_why_deny", value) == old.Key(time.Now()).Encode("argo_why_deny", value) {
			t.Error("it signs with the old key")
		}
		if _, err := key.Decode("argo_why_deny", old.Key(time.Now()).Encode("argo_why_deny", value)); err != nil {
			t.Errorf("what the old key signed: %v", err)
		}
	}
	if store.written != 1 {
		t.Errorf("replaced %d times, want once", store.written)
	}
}

// TestWithoutRightsButtonsWorkAsBefore: an update of the bot without its new rights must not stop it.
func TestWithoutRightsButtonsWorkAsBefore(t *testing.T) {
	var log bytes.Buffer
	store := &kept{err: &kube.Error{Problem: kube.Forbidden}}
	key, err := buttonKey(t.Context(), store, "xoxb-1", false, slog.New(slog.NewTextHandler(&log, nil)))
	if v := (button.Value{Do: button.Open}); err != nil || key.Encode("argo_why_deny", v) != button.NewKey("xoxb-1").Encode("argo_why_deny", v) {
		t.Errorf("%v", err)
	}
	if !strings.Contains(log.String(), "will stop working when it is replaced") {
		t.Errorf("it is not in the log: %s", log.String())
	}
	for _, err := range []error{&kube.Error{Problem: kube.Unreachable}, errors.New("disk")} {
		if _, got := buttonKey(t.Context(), &kept{err: err}, "xoxb-1", false, silent); got == nil {
			t.Errorf("%v is ignored: two processes could sign with different keys", err)
		}
	}
	if _, err := buttonKey(t.Context(), &kept{keys: []byte("{}")}, "xoxb-1", false, silent); err == nil || !strings.Contains(err.Error(), "delete its content to start over") {
		t.Errorf("damaged: %v", err)
	}
}
