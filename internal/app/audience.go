package app

import (
	"context"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/gateway"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/remedy"
)

// newPlaces makes the audiences of what is posted and answered.
func (b *bot) newPlaces(c *config.Config, policy audience.Viewer, channels audience.Channels) *audience.Places {
	return &audience.Places{Policy: policy, Route: c.Channel, Channels: channels, Project: func(app incident.App) string {
		if in := instanceOf(b.instances, app.Instance); in != nil {
			return in.Project(app)
		}
		return ""
	}, Text: func(ctx context.Context, who audience.Audience, app incident.App, text string) string {
		if in := instanceOf(b.instances, app.Instance); in != nil {
			return in.Others(who).Text(ctx, app, text)
		}
		return "" // nobody knows whom it names
	}}
}

// unshared are the channels of a dry run, which posts nothing that others could read.
type unshared struct{}

// Channel implements audience.Channels.
func (unshared) Channel(_ context.Context, channel string) (audience.Channel, error) {
	return audience.Channel{ID: channel, Name: channel}, nil
}

// channelReader reads applications for the channels where they are reported: it implements incident.Reader.
type channelReader struct {
	in        *instance
	incidents *incident.Store
	places    *audience.Places
}

// Read implements incident.Reader.
func (r channelReader) Read(ctx context.Context, app incident.App) (*diagnose.Report, error) {
	return r.in.Read(ctx, app, r.of(ctx, app))
}

// of are the readers of the channel where an application is reported.
func (r channelReader) of(ctx context.Context, app incident.App) audience.Audience {
	return r.places.Reported(ctx, app, r.incidents.ChannelOf(app))
}

// channelGateway says in plans what the thread says: it implements remedy.Gateway.
type channelGateway struct {
	*gateway.Instance
	reader channelReader
}

// newChannelGateway is one whose words those may read who read the thread.
func newChannelGateway(in *gateway.Instance, reader channelReader) remedy.Gateway {
	return gateway.Concealed{Gateway: channelGateway{in, reader}, Others: func(ctx context.Context, app incident.App) *gateway.Others {
		return in.Others(reader.of(ctx, app))
	}}
}

// Look implements remedy.Gateway.
func (g channelGateway) Look(ctx context.Context, req action.Request) (*action.Situation, error) {
	return g.Situation(ctx, req, g.reader.of(ctx, req.App))
}
