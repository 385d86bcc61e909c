package story_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/story"
)

// entries counts what the journal holds.
func (s *script) entries(want string) error {
	all, err := s.bot.journal.List(s.t.Context())
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(i *incident.Incident) bool { return i.Phase == incident.Watching })
	if got := strconv.Itoa(len(all)); got != want {
		return fmt.Errorf("%s entries", got)
	}
	return nil
}

// show compares what people see with a section of the file.
func (s *script) show(_ context.Context, shown story.Shown) error {
	return s.compare(shown.Name, shown.Text)
}

func (s *script) compare(name, got string) error {
	want, found := s.story.Section(name)
	switch {
	case *update && !s.again:
		s.story.SetSection(name, got)
	case !found:
		return fmt.Errorf("the file has no section %s: -update writes it", name)
	case got != want:
		return fmt.Errorf("it shows\n%s\nwant\n%s", got, want)
	}
	return nil
}
