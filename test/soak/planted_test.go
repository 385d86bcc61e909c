package soak_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/simulator"
	"github.com/argo-why/argo-why/internal/workspace"
)

// truth is a picture in which everything is right: one application is well and was not, one fails of its own cause, three fail of one
// that they share, and another outage is over.
func truth() *picture {
	p := &picture{operations: map[string]int{"request-1": 1}, before: map[string]remembered{"5": {state: open}}}
	p.add("wallet", "", "")
	p.add("media", "hook/job-failed", "")
	for _, app := range []string{"basket", "offers", "search"} {
		p.add(app, "render/git-unreachable", "git host git.example.com")
	}
	p.threads = []thread{
		{root: workspace.Message{TS: "1", Text: "🟢 prod/wallet: recovered after 2 min"}, state: over, rule: "hook/job-failed", apps: []string{"wallet"}},
		{root: workspace.Message{TS: "2", Text: "🔴 prod/media: it fails\nThis is why."}, state: open, rule: "hook/job-failed", apps: []string{"media"}},
		{root: workspace.Message{TS: "3", Text: "↪️ prod/basket: part of a larger failure"}, state: joined, rule: "render/git-unreachable", apps: []string{"basket"}},
		{
			root:  workspace.Message{TS: "4", Text: "🔴 3 applications: it fails\nGit host git.example.com"},
			state: open, rule: "render/git-unreachable", apps: []string{"basket", "offers"}, members: 3, failing: 3,
		},
		{root: workspace.Message{TS: "5", Text: "🟢 3 applications: recovered after 2 min"}, state: over, rule: "apply/quota-exceeded", members: 3},
		{root: workspace.Message{TS: "6", Text: "⚪ 3 applications: no longer failing for this cause"}, state: over, rule: "render/timeout", members: 3},
	}
	return p
}

func (p *picture) add(name, rule, shared string) {
	a := application{State: simulator.State{Name: named(name), Sync: "Synced", Health: "Healthy", Operation: "Succeeded"}}
	a.report = &diagnose.Report{Verdict: diagnose.VerdictHealthy}
	if rule != "" {
		a.Operation = "Failed"
		a.report = &diagnose.Report{
			Verdict: diagnose.VerdictFailing, Headline: "prod/" + name + ": it fails",
			Findings: []diagnose.Finding{{Rule: rule, Role: diagnose.RoleCause, Shared: shared}},
		}
	}
	a.cause = incident.CauseOf(a.report)
	p.apps = append(p.apps, a)
}

// planted are the ways in which a picture can be wrong, by what the finding says.
var planted = map[string]func(*picture){
	`media (hook/job-failed) has 0 open threads`:   func(p *picture) { p.threads = append(p.threads[:1], p.threads[2:]...) },
	`media (hook/job-failed) has 2 open threads`:   func(p *picture) { p.threads = append(p.threads, p.threads[1]) },
	`offers (render/git-unreachable) has 0`:        func(p *picture) { p.threads = p.threads[:3] },
	`basket (render/git-unreachable) has 2`:        func(p *picture) { p.threads[2].state = open },
	`the thread says "hook/stuck"`:                 func(p *picture) { p.threads[1].rule = "hook/stuck" },
	`the thread begins with "🔴 prod/media: other"`: func(p *picture) { p.threads[1].root.Text = "🔴 prod/media: other" },
	`wallet is well, "🔴 prod/wallet: it fails"`:    func(p *picture) { p.threads[0].state, p.threads[0].root.Text = open, "🔴 prod/wallet: it fails" },
	`wallet is gone, "🔴 prod/wallet: it fails"`: func(p *picture) {
		p.threads[0].state, p.threads[0].root.Text, p.apps = open, "🔴 prod/wallet: it fails", p.apps[1:]
	},
	`3 fail of it, "🔴 3 applications: it fails" says 2`:                 func(p *picture) { p.threads[3].failing = 2 },
	`wallet has no open thread, and Argo CD says Synced, Healthy, oper`: func(p *picture) { p.apps[0].Operation = "Failed" },
	`1 message is there twice`:                                          func(p *picture) { p.twice = 1 },
	`chat.update: message_not_found`:                                    func(p *picture) { p.refused = []workspace.Call{{Method: "chat.update", Error: "message_not_found"}} },
	`request "request-1" was executed 2 times`:                          func(p *picture) { p.operations["request-1"] = 2 },
	`interactive argo_why_confirm: invalid_view_response`: func(p *picture) {
		p.senseless = []workspace.Failure{{Kind: "interactive", Name: "argo_why_confirm", Reason: "invalid_view_response"}}
	},
	`"🟢 prod/wallet: fine"`: func(p *picture) { p.threads[0].root.Text = "🟢 prod/wallet: fine" },
	`was about hook/stuck, and now says hook/job-failed`: func(p *picture) {
		p.before = map[string]remembered{"1": {app: "wallet", state: open, cause: incident.Cause{Rule: "hook/stuck"}}}
	},
	`which "🟢 prod/media: recovered" was about, in a second thread`: func(p *picture) {
		p.before = map[string]remembered{"0": {app: "media", state: over, headline: "🟢 prod/media: recovered", cause: p.apps[1].cause, step: 1}}
	},
	`has 1 button for 0 requests`: func(p *picture) {
		p.threads[1].replies = []workspace.Message{{Blocks: []byte(`[{"action_id":"argo_why_approve"}]`)}}
	},
	`"run it"`: func(p *picture) {
		p.threads[1].replies = []workspace.Message{{Text: "run it", Blocks: []byte(`[{"text":"run bot why media"}]`)}}
	},
	`the bot stopped`: func(p *picture) { p.ended = errors.New("the bot stopped: panic") },
}

func TestClaimsFindWhatIsWrong(t *testing.T) {
	t.Parallel()
	if wrong := problems(truth()); wrong != nil {
		t.Fatalf("nothing is wrong: %q", wrong)
	}
	for want, plant := range planted {
		p := truth()
		plant(p)
		if wrong := strings.Join(problems(p), "\n"); !strings.Contains(wrong, want) {
			t.Errorf("%q was not found, but %q", want, wrong)
		}
	}
}
