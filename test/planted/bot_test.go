package planted_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/argo-why/argo-why/internal/simulator"
	"github.com/argo-why/argo-why/internal/slack/dialog"
	"github.com/argo-why/argo-why/internal/workspace"
	"github.com/argo-why/argo-why/test/planted"
)

// perBot is how many applications a bot is told of, a pack of each place: it may post about five messages a second.
const perBot = 33

// TestNothingPlantedComesOutOfTheBot: not in Slack, the journal, the cluster, the log or on its port.
func TestNothingPlantedComesOutOfTheBot(t *testing.T) {
	t.Parallel()
	corpus := planted.New(planted.Seed(t))
	table := planted.NewTable(corpus)
	var packs []planted.Pack
	answers := map[string][]planted.Pack{}
	for _, p := range corpus.Packs() {
		switch {
		case p.Case() == nil:
			answers[p.Place()] = append(answers[p.Place()], p)
		case p.Place() != planted.Refused:
			packs = append(packs, p)
		}
	}
	t.Run("bots", func(t *testing.T) {
		for i, j := range []journal{{"file", "text"}, {"kubernetes", "json"}} {
			t.Run(j.kind, func(t *testing.T) {
				t.Parallel()
				s := newScene(t, table, packs[i*perBot:(i+1)*perBot], j)
				s.await()
				s.ask()
				s.act(half(answers[planted.DryRun], i))
				s.fail(half(answers[planted.Refusal], i)[:1])
				s.look()
				table.Look("metrics", s.get("/metrics"))
				s.stop()
				table.Look("log", s.log.String())
				if j.kind == "file" {
					text, err := os.ReadFile(s.file)
					if err != nil {
						t.Fatal(err)
					}
					table.Look("journal file", string(text))
				}
			})
		}
	})
	table.Shows(t, "Slack message", "Slack thread", "Slack answer", "Incident", "ActionLog", "Event", "journal file", "log", "readyz", "errors")
	table.Check(t)
}

// half are those of one of two bots.
func half(all []planted.Pack, i int) (out []planted.Pack) {
	for n, p := range all {
		if n%2 == i {
			out = append(out, p)
		}
	}
	return out
}

// await waits until the threads are there.
func (s *scene) await() {
	for _, p := range s.packs {
		s.mustEventually(p.App+" ("+p.Place()+") is posted", func() bool { return s.posted(p.App) })
	}
}

// ask asks about the applications.
func (s *scene) ask() {
	questions := []string{"list", "list 2", "audit", "access"}
	for i, p := range s.packs {
		if strings.Contains(p.Place(), "differ") {
			questions = append(questions, "diff "+p.App)
		} else if i%6 == 0 { // it reads the thread, and Slack has a limit for that
			questions = append(questions, "why "+p.App)
		}
	}
	before := s.answered.Load()
	for _, q := range questions {
		if err := s.Command("alice", elsewhere, "/argo", q); err != nil {
			s.Fatal(err)
		}
	}
	s.mustEventually("the answers", func() bool { return int(s.answered.Load()-before) >= len(questions) })
}

// posted reports whether there is a thread of the application, or of its child.
func (s *scene) posted(app string) bool {
	for _, in := range s.Channels() {
		if slices.ContainsFunc(in.Messages(), func(m workspace.Message) bool {
			return strings.Contains(m.Text, app+":") || strings.Contains(m.Text, app+"-leaf:")
		}) {
			return true
		}
	}
	return false
}

// act has people act on the applications. Their dry runs end with what is planted.
func (s *scene) act(outcomes []planted.Pack) {
	s.argo.React(simulator.Reactions{Sync: func(o simulator.Operation) simulator.Outcome {
		return simulator.Outcome{Phase: "Failed", Message: outcomes[len(o.App)%len(outcomes)].Text()}
	}})
	started := 0
	for _, p := range s.packs {
		for _, label := range []string{"Sync…", "Sync (", "Delete failed"} {
			if s.press("alice", p.App, label) {
				s.submit("alice")
				if label[0] == 'S' {
					started++
				}
			}
		}
		s.press("alice", p.App, "Hard refresh") // it needs the approval of bob
	}
	for _, p := range s.packs {
		if s.press("bob", p.App, "Approve") {
			s.submit("bob")
		}
	}
	s.maybe(func() bool { return strings.Count(s.shown(), "❌ Sync") >= started })
	if err := s.Command("alice", elsewhere, "/argo", "audit "+s.packs[0].App); err != nil {
		s.Fatal(err)
	}
}

// submit confirms the dialog that opens, if there is anything to confirm.
func (s *scene) submit(who string) {
	var view workspace.View
	if !s.eventually(func() (open bool) {
		view, open = s.front(who)
		return open && !strings.Contains(string(view.Raw), "Checking")
	}) {
		s.Errorf("%s sees no dialog", who)
		return
	}
	s.chat.look()
	values, err := view.State(dialog.InputConfirm)
	if err != nil {
		values, err = view.State()
	}
	if err == nil {
		err = s.Submit(who, view.ID, values)
	}
	if err != nil {
		s.T.Logf("%v:\n%s", err, view.Shown())
	}
	for range 3 {
		if view, open := s.front(who); open {
			_ = s.CloseView(who, view.ID)
		}
	}
}

func (s *scene) shown() string {
	var b strings.Builder
	for _, in := range s.Channels() {
		for _, m := range in.All() {
			b.WriteString(m.Text + string(m.Blocks) + "\n")
		}
	}
	return b.String()
}

// fail has Argo CD refuse everything, with what is planted, and asks again: in Slack, with the command, and the bot's own port.
func (s *scene) fail(refusals []planted.Pack) {
	for _, p := range refusals {
		s.argo.Fail("", status.Error(codes.Unknown, p.Text()))
		s.argo.Break()
		before := s.answered.Load()
		if err := s.Command("alice", elsewhere, "/argo", "why "+s.packs[0].App); err != nil {
			s.Fatal(err)
		}
		s.mustEventually("an answer", func() bool { return s.answered.Load() > before })
		s.maybe(func() bool {
			text := s.get("/readyz")
			s.table.Look("readyz", text)
			return strings.Contains(text, p.App)
		})
		out, _ := command(s.T, "why", "anything", "--server", s.argo.Address(), "--plaintext", "--auth-token", argoToken)
		s.table.Look("errors", out)
		s.argo.Fail("", nil)
	}
}
