package remedy

import (
	"context"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/text"
)

func (x *execution) refresh(ctx context.Context) error {
	if err := x.step(ctx, action.StepRefresh); err != nil {
		return err
	}
	calling, cancel := context.WithTimeout(ctx, refreshTimeout)
	defer cancel()
	if err := x.gateway.HardRefresh(calling, x.record().App); err != nil {
		return refused(ctx, "The hard refresh failed", err)
	}
	return ends(action.Done, "Argo CD rendered the manifests again and compared them with the cluster.")
}

// silence mutes until a moment that counts from when it was asked for, so that it can be repeated.
func (x *execution) silence(ctx context.Context) error {
	if err := x.step(ctx, action.StepMute); err != nil {
		return err
	}
	r := x.record()
	until := time.Time{}
	if r.MuteFor > 0 {
		until = r.At.Add(r.MuteFor)
	}
	switch {
	case !x.mute(r.App, r.By, until):
		return ends(action.Failed, "The application has no open incident to mute.")
	case until.IsZero():
		return ends(action.Done, "Unmuted.")
	}
	return ends(action.Done, "Muted until %s.", text.Timestamp(until))
}
