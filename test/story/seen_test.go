package story_test

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/argo-why/argo-why/internal/text"
	"github.com/argo-why/argo-why/internal/workspace"
)

func (s *script) calls(args []string) error {
	if s.again { // a bot that was killed looks before it speaks
		return nil
	}
	want, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	if s.counted == nil {
		s.counted = map[string]int{}
	}
	n := s.slack.Calls(args[0])
	if got := n - s.counted[args[0]]; got != want {
		return fmt.Errorf("%d calls", got)
	}
	s.counted[args[0]] = n
	return nil
}

// entries counts what the journal holds.
func (s *script) entries(want string) error {
	all, err := s.bot.journal.List(s.t.Context())
	if err != nil {
		return err
	}
	if got := strconv.Itoa(len(all)); got != want {
		return fmt.Errorf("%s entries", got)
	}
	return nil
}

// show compares what stands in the channel.
func (s *script) show(name, channel string) error {
	return s.compare(name, seen(s.slack.Channel(channel), s.people()))
}

// compare compares what people see with a section of the file.
func (s *script) compare(name, got string) error {
	for i, f := range s.archive.Files {
		if f.Name != name {
			continue
		}
		if *update && !s.again {
			s.archive.Files[i].Data = []byte(got)
		} else if !bytes.Equal(f.Data, []byte(got)) {
			return fmt.Errorf("it shows\n%s\nwant\n%s", got, f.Data)
		}
		return nil
	}
	if *update {
		s.archive.Files = append(s.archive.Files, txtar.File{Name: name, Data: []byte(got)})
		return nil
	}
	return fmt.Errorf("the file has no section %s: -update writes it", name)
}

// seen is the channel as a person skims it: of each thread the first line of the root message and of its replies. The
// threads are sorted, because those that begin at the same moment stand in any order.
func seen(c *workspace.Channel, people []string) string {
	var threads []string
	for _, root := range c.Messages() {
		thread := firstLine(root.Text) + "\n"
		for _, reply := range c.Thread(root.TS)[1:] {
			thread += "  │ " + firstLine(reply.Text) + "\n"
		}
		threads = append(threads, thread)
	}
	for _, who := range people {
		for _, m := range c.Ephemerals(who) {
			threads = append(threads, "(only "+who+") "+text.OneLine(m.Shown())+"\n")
		}
	}
	if len(threads) == 0 {
		return "(nothing)\n"
	}
	slices.Sort(threads)
	return strings.Join(threads, "")
}

// people are those who are there, sorted.
func (l *lab) people() []string {
	names := slices.Sorted(maps.Keys(l.ids))
	return slices.DeleteFunc(names, func(name string) bool { return strings.HasPrefix(name, "@") })
}

func firstLine(content string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(content), "\n")
	return line
}
