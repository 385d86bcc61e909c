package soak_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/argo-why/argo-why/internal/demo/world"
)

// apps are those that there are, as far as nobody has deleted them.
var apps = []string{"basket", "catalog", "checkout", "loyalty", "media", "offers", "reviews", "search", "stores", "wallet"}

// play is one step in the making: its dice, and the scene.
type play struct {
	*scene
	ctx context.Context //nolint:containedctx // a play is one step
	r   *rand.Rand
	n   int // the number of the step
}

func (p *play) any(of ...string) string { return of[p.r.IntN(len(of))] }

// some are a few of the applications.
func (p *play) some(n int) []string {
	var out []string
	for _, i := range p.r.Perm(len(apps))[:n] {
		out = append(out, apps[i])
	}
	return out
}

// broken are the applications that fail by a step and were not repaired, by name.
func (p *play) broken() (out []string) {
	for _, app := range apps {
		if p.FailureOf(named(app)) != nil && p.exists(app) {
			out = append(out, app)
		}
	}
	return out
}

func (p *play) exists(app string) bool {
	_, err := p.ArgoCD.State(named(app))
	return err == nil
}

// one is an application, mostly one that fails.
func (p *play) one() string {
	if broken := p.broken(); len(broken) > 0 && p.r.IntN(4) > 0 {
		return p.any(broken...)
	}
	return p.any(apps...)
}

// failure is one that can be caused, as a story calls it: one of the demo, whose repair is known, or any that was recorded.
func (p *play) failure() string {
	if p.r.IntN(3) == 0 {
		rule := p.any(slices.Sorted(maps.Keys(p.recorded))...) // of some there are hundreds
		return p.any(p.recorded[rule]...)
	}
	all := slices.DeleteFunc(p.Failures(), func(f *world.Failure) bool { return f.Rule == "" })
	return all[p.r.IntN(len(all))].App.Name
}

// fail makes applications fail, and remembers of what.
func (p *play) fail(failure string, apps ...string) {
	for _, app := range apps {
		p.failed[app] = failure
	}
	p.play(p.ctx, "fail", append(apps, failure)...)
}

// again makes one fail of what it failed of last.
func (p *play) again() {
	if app := p.one(); p.failed[app] != "" {
		p.fail(p.failed[app], app)
	}
}

// move is something that happens. Its weight is how often, among the others.
type move struct {
	name   string
	weight int
	do     func(*play)
}

// moves are what happens to applications and what people do.
var moves = []move{
	{"an application fails", 12, func(p *play) { p.fail(p.failure(), p.any(apps...)) }},
	{"one fails of something else", 2, func(p *play) { p.fail(p.failure(), p.one()) }},
	{"one fails again, of the same", 5, (*play).again},
	{"one fails, and nobody reports it", 1, func(p *play) { p.unheard(p.ctx, "fail", p.any(apps...), p.failure()) }},
	{"many fail alike", 1, func(p *play) { p.fail(p.failure(), p.some(3+p.r.IntN(4))...) }},
	{"an outage", 3, func(p *play) { p.fail(p.any(outageOf...), p.some(2+p.r.IntN(5))...) }},
	{"a hook fails after the sync", 3, func(p *play) { p.fail(p.any(afterSync...), p.any(apps...)) }},
	{"everything is repaired that was broken", 1, (*play).repairAll},
	{"one fails and is well at once", 1, blip},
	{"one is well by itself", 3, func(p *play) { p.play(p.ctx, "well", p.one()) }},
	{"one is well by itself, and nobody reports it", 1, func(p *play) { p.unheard(p.ctx, "well", p.one()) }},
	{"all are well by themselves", 1, func(p *play) {
		p.play(p.ctx, "well", slices.DeleteFunc(slices.Clone(apps), func(a string) bool { return !p.exists(a) })...)
	}},
	{"the cause is repaired", 4, func(p *play) { p.play(p.ctx, "fixed", p.one()) }},
	{"the cause is repaired, and somebody syncs", 4, repairAndSync},
	{"a commit that does not repair it", 2, func(p *play) { p.play(p.ctx, "git", p.one(), revision(p.n, 1)) }},
	{"a commit elsewhere in the repository", 4, func(p *play) { p.play(p.ctx, "elsewhere", revision(p.n, 2)) }},
	{"somebody syncs in Argo CD", 3, func(p *play) { p.play(p.ctx, "sync", p.one()) }},
	{"somebody syncs in Argo CD, with prune", 1, func(p *play) { p.play(p.ctx, "sync", p.one(), "prune") }},
	{"somebody refreshes in Argo CD", 2, func(p *play) { p.play(p.ctx, "refresh", p.one()) }},
	{"somebody refreshes hard", 2, func(p *play) { p.play(p.ctx, "refresh", p.one(), "hard") }},
	{"somebody ends the operation", 1, func(p *play) { p.play(p.ctx, "operation", p.one(), "ends") }},
	{"somebody deletes the failed Job", 2, func(p *play) { p.play(p.ctx, "job", p.one(), "gone") }},
	{"somebody edits a field", 2, func(p *play) { p.play(p.ctx, "edit", p.one()) }},
	{"somebody deletes a resource", 2, func(p *play) { p.play(p.ctx, "deletes", p.one(), fmt.Sprint(p.r.IntN(8))) }},
	{"an application is deleted", 2, func(p *play) { p.play(p.ctx, "gone", p.one()) }},
	{"webhooks storm", 1, func(p *play) { p.play(p.ctx, "hints", p.one(), "20") }},
	{"people ask", 4, ask},
	{"people click", 14, click},
	{"people mute", 1, func(p *play) { p.mute(p.any(people...), p.one(), p.any("1h", "0")) }},
}

// troubles are what strikes while the bot works on the moves of a step.
var troubles = []move{
	{"none", 6, func(*play) {}},
	{"Slack answers with an error", 4, func(p *play) {
		p.play(p.ctx, "slack", p.any("429", "500", "503", "lost", "lost", "drop"), p.any(slackCalls...), fmt.Sprint(1+p.r.IntN(3)))
	}},
	{"Slack does not answer", 1, func(p *play) { p.play(p.ctx, "slack", "hang", p.any(slackCalls...)) }},
	{"the socket is in trouble", 2, func(p *play) { p.play(p.ctx, "socket", p.any("twice", "silent", "cut", "refresh")) }},
	{"the bot is killed in a call of Slack", 4, func(p *play) {
		p.play(p.ctx, "kill", p.any("before", "after"), p.any(slackCalls...), fmt.Sprint(1+p.r.IntN(4)))
	}},
	{"the bot is killed in a call of Argo CD", 2, func(p *play) { p.play(p.ctx, "kill", p.any("before", "after"), p.any("sync", "delete", "terminate")) }},
	{"an answer of Argo CD is lost", 2, func(p *play) { p.play(p.ctx, "argocd", "lost", p.any("sync", "delete", "terminate")) }},
	{"Argo CD is down", 1, func(p *play) { p.play(p.ctx, "argocd", "down") }},
	{"Argo CD answers with errors", 1, func(p *play) { p.play(p.ctx, "argocd", "fails") }},
	{"the watch breaks", 1, func(p *play) { p.play(p.ctx, "argocd", "breaks") }},
}

// ends are what becomes of the bot after the moves, before things settle.
var ends = []move{
	{"nothing", 8, func(*play) {}},
	{"the bot is killed", 2, func(p *play) { p.play(p.ctx, "kill") }},
	{"the bot is stopped", 2, func(p *play) { p.play(p.ctx, "stop") }},
	{"the bot is killed, and started at once", 1, func(p *play) {
		p.play(p.ctx, "kill")
		p.play(p.ctx, "start")
	}},
}

// outageOf are failures that applications share, by the application of the demo that has each.
var outageOf = []string{"garage-api", "ideabox", "crm-sync", "batch-reports", "stock-sync", "lodging"}

// afterSync are failures of hooks that run when all is applied, synced and healthy.
var afterSync = []string{"hook/deadline-exceeded/own-02", "hook/image-pull/own-02", "hook/sidecar-never-exits/own-02", "hook/job-failed/drift-beside"}

// slackCalls are the calls that posting and answering is made of.
var slackCalls = []string{"chat.postMessage", "chat.postMessage", "chat.update", "chat.update", "chat.postEphemeral", "views.open", "conversations.history", "conversations.replies"}

// choose draws one by weight.
func choose(r *rand.Rand, of []move) move {
	sum := 0
	for _, m := range of {
		sum += m.weight
	}
	at := r.IntN(sum)
	for _, m := range of {
		if at -= m.weight; at < 0 {
			return m
		}
	}
	return of[0] // cannot be
}

// all plays the moves of a step.
func (p *play) all() {
	if p.replicas != nil {
		choose(p.r, replicaTroubles).do(p)
	} else {
		choose(p.r, troubles).do(p)
	}
	for range 1 + p.r.IntN(3) {
		choose(p.r, moves).do(p)
		if d := p.r.IntN(4); d > 0 {
			p.play(p.ctx, "wait", (time.Duration(d) * 600 * time.Millisecond).String())
		}
	}
	choose(p.r, ends).do(p)
}

func blip(p *play) {
	app := p.any(apps...)
	p.fail(p.failure(), app)
	p.play(p.ctx, "wait", "300ms")
	p.play(p.ctx, "well", app)
}

func (p *play) repairAll() {
	for _, app := range p.broken() {
		p.play(p.ctx, "fixed", app)
		p.play(p.ctx, "refresh", app, "hard")
		p.play(p.ctx, "sync", app)
	}
}

func repairAndSync(p *play) {
	app := p.one()
	p.play(p.ctx, "fixed", app)
	if p.r.IntN(2) == 0 {
		p.play(p.ctx, "wait", "1.5s")
	}
	if p.r.IntN(2) == 0 {
		p.play(p.ctx, "refresh", app, "hard")
	}
	if p.r.IntN(3) == 0 {
		p.play(p.ctx, "job", app, "gone")
	}
	p.play(p.ctx, "sync", app)
}
