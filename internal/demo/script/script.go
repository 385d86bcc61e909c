package script

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"

	"github.com/argo-why/argo-why/internal/demo/world"
	"github.com/argo-why/argo-why/internal/story"
)

// Options of a performance. Story and Bot are needed, and Out or Show.
type Options struct {
	Story *story.Story
	// Bot makes the command that runs the bot with these arguments, not started.
	Bot func(ctx context.Context, args ...string) *exec.Cmd
	// Out gets what the story shows, each part under its name; nil for nowhere.
	Out io.Writer
	// Show gets the same, with IDs replaced by names; may be nil.
	Show func(name, text string) error
	// Pictures is a folder for a picture of each part, NAME.png; "" for none.
	Pictures string
	// Look is that of the pictures.
	Look Look
	// Log gets what the bot logs; nil for nowhere.
	Log io.Writer
	// Waits is called before the story waits for long, as only a story does that was written for virtual time; may be nil.
	Waits func(time.Duration)
}

// Play plays a story from beginning to end. The error names the line that failed; what cannot be played in real time is found
// before the first step, and so is a missing browser.
func Play(ctx context.Context, o Options) (err error) {
	if err := playable(o.Story); err != nil {
		return err
	}
	var pictures *camera
	if o.Pictures != "" {
		if pictures, err = newCamera(ctx, o.Pictures, o.Look); err != nil {
			return err
		}
		defer pictures.close()
	}
	w, err := world.New(ctx, o.Log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	s := NewStage(w, o.Bot)
	if o.Waits != nil {
		s.waits = o.Waits
	}
	p := &story.Player{World: s, Slack: w.Slack, Bot: w.People.App, Channel: world.Channel}
	p.Show = func(ctx context.Context, shown story.Shown) error {
		text := story.Named(w.Slack, shown.Text)
		if o.Out != nil {
			fmt.Fprintf(o.Out, "-- %s --\n%s", shown.Name, text)
		}
		if o.Show != nil {
			if err := o.Show(shown.Name, text); err != nil {
				return err
			}
		}
		if pictures == nil {
			return nil
		}
		return pictures.take(ctx, w, shown)
	}
	s.show = p.Show
	return p.Play(ctx, o.Story.Steps)
}
