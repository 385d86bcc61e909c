package audience

import (
	"cmp"
	"context"
	"strings"
	"sync"
)

// Channel is a channel as far as a decision needs it.
type Channel struct {
	ID, Name string
	// Others: people of other organizations read it, or are invited to.
	Others bool
}

// Channels knows the channels.
type Channels interface {
	// Channel is the one of that ID, or of that name as the configuration has it. An error says that nobody knows who reads it.
	Channel(ctx context.Context, channel string) (Channel, error)
}

// Viewer says what a person may see of an application when they ask in a channel: see [Policy.May].
type Viewer interface {
	May(ctx context.Context, user, channel string, app App, project string) Sight
}

// Places makes the audiences of all places where something is posted or asked.
type Places struct {
	// Policy is what access in the configuration says: a [Policy].
	Policy Viewer
	// Route is the channel that incidents of an application go to, as the configuration has it.
	Route func(app App, project string) string
	// Project is the project of an application; "" where that is not known.
	Project func(App) string
	// Channels is asked only where its answer matters.
	Channels Channels
	// Text is a text about an application without the others that an audience does not see; nil shows none.
	Text func(ctx context.Context, who Audience, about App, text string) string
}

// InChannel are all who read a channel, which is given as the configuration has it or by ID: for what is posted there by itself.
func (p *Places) InChannel(ctx context.Context, channel string) Audience {
	return p.audience(ctx, reader{channel: channel})
}

// Reported are all who read the channel where an application is reported. thread is the one where it is by now, "" where it is in none.
func (p *Places) Reported(ctx context.Context, app App, thread string) Audience {
	return p.InChannel(ctx, cmp.Or(thread, p.Route(app, p.Project(app))))
}

// Answer are all who read a channel, for the answer to a person there: it has what everybody there may see, and what that person may
// publish.
func (p *Places) Answer(ctx context.Context, user, channel string) Audience {
	return p.audience(ctx, reader{user: user, channel: channel})
}

// Person is one person who asks somewhere and is answered alone.
func (p *Places) Person(ctx context.Context, user, channel string) Audience {
	return p.audience(ctx, reader{user: user, channel: channel, alone: true})
}

// reader is who reads, and where.
type reader struct {
	user, channel string
	// alone: nobody but the user reads it.
	alone bool
}

// audience is the one decision. ctx lasts as long as what is read for that audience.
func (p *Places) audience(ctx context.Context, r reader) Audience {
	at := sync.OnceValue(func() Channel {
		c, err := p.Channels.Channel(ctx, r.channel)
		if err != nil {
			return Channel{ID: r.channel, Others: true}
		}
		return c
	})
	may := remembered(func(instance, project string) bool {
		if r.alone {
			return p.Policy.May(ctx, r.user, r.channel, App{Instance: instance}, project).May
		}
		return p.Policy.May(ctx, r.user, at().ID, App{Instance: instance}, project).Aloud(func() bool { return at().Others })
	})
	who := New(func(app App, project string) bool {
		// Of one whose project nobody knows, a route says nothing: it would be taken for one of the default channel.
		if !r.alone && p.Route != nil && project != "" {
			switch to := strings.TrimPrefix(p.Route(app, project), "#"); {
			case to == "":
			case to == strings.TrimPrefix(r.channel, "#"):
				return true
			case r.user != "" && (to == at().ID || to == at().Name): // who asks is in a channel that Slack names by ID
				return true
			}
		}
		return may(app.Instance, project)
	}, p.Project)
	if p.Text == nil {
		return who
	}
	names := who
	who.text = func(about App, text string) string { return p.Text(ctx, names, about, text) }
	return who
}
