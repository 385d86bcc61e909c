package remedy

import (
	"testing"

	"github.com/argo-why/argo-why/internal/action"
)

// TestNothingBreaksOffAnEffectButItsOwnTimeout: neither the end of the process nor that of a fresh lease.
func TestNothingBreaksOffAnEffectButItsOwnTimeout(t *testing.T) {
	if effectTimeout > drainFor {
		t.Errorf("an effect may take %s, and the process waits %s for it", effectTimeout, drainFor)
	}
	if fence := action.LeaseFor - fenceBefore; effectTimeout > fence {
		t.Errorf("an effect may take %s, and the fence of its claim falls after %s", effectTimeout, fence)
	}
}
