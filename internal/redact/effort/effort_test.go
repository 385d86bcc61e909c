package effort_test

import (
	"context"
	"testing"

	"github.com/argo-why/argo-why/internal/redact/effort"
)

func TestASearchEndsAtItsLimit(t *testing.T) {
	m := effort.New(t.Context(), 100)
	m.Look(100)
	if m.Done() {
		t.Error("it ended within its limit")
	}
	if m.Look(1); !m.Done() {
		t.Error("it went on behind its limit")
	}
	if m.Spent() != 101 {
		t.Errorf("%d steps were counted instead of 101", m.Spent())
	}
}

func TestASearchEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	m := effort.New(ctx, 1<<40)
	m.Look(1 << 21)
	if m.Done() {
		t.Error("it ended before its context")
	}
	cancel()
	if m.Look(1 << 21); !m.Done() {
		t.Error("it went on without its context")
	}
	if !effort.New(ctx, 1).Done() {
		t.Error("it began without its context")
	}
}

func TestNoMeterHasNoLimit(t *testing.T) {
	var m *effort.Meter
	m.Look(1 << 40)
	m.Stop()
	if m.Done() || m.Spent() != 0 {
		t.Error("a search without a meter ended")
	}
}
