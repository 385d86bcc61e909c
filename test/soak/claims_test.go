package soak_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/reporttext"
	"github.com/argo-why/argo-why/internal/slack/render"
	"github.com/argo-why/argo-why/internal/text"
	"github.com/argo-why/argo-why/internal/workspace"
)

// claim is something that must be so once things have settled. It returns what is not so, a line each.
type claim struct {
	name string
	of   func(*picture) []string
}

// claims are all of them.
var claims = []claim{
	{"every failing application has exactly one open thread", oneThread},
	{"the thread of a failing application says what bot why says", present},
	{"no open thread is about an application that is well or gone", noneTooMany},
	{"the thread of an outage counts those that fail", outages},
	{"green is what Argo CD calls well", green},
	{"a thread that is over says so, and of what it was about", recovered},
	{"what fails again goes on in its thread", reopened},
	{"what is decided has no buttons to decide it", decided},
	{"messages name no command that only a terminal has", inSlack},
	{"nothing is posted twice", once},
	{"Slack allowed every call", allowed},
	{"no action is done twice", doneOnce},
	{"Slack understands every answer", understood},
	{"the bot does not end by itself", lives},
}

// problems are what is wrong with a picture.
func problems(p *picture) (out []string) {
	for _, c := range claims {
		for _, what := range c.of(p) {
			out = append(out, c.name+": "+what)
		}
	}
	return out
}

// openOf are the open threads that an application belongs to: its own, and those of its outage.
func (p *picture) openOf(a *application) (out []*thread) {
	for i := range p.threads {
		t := &p.threads[i]
		if t.state == open && (t.about(a.name()) || t.outageOf(a)) {
			out = append(out, t)
		}
	}
	return out
}

// outageOf reports whether it is the thread of an outage with the cause of an application.
func (t *thread) outageOf(a *application) bool {
	return t.members > 0 && t.rule == a.cause.Rule && a.cause.Subject != "" && strings.Contains(t.root.Shown(), text.UpperFirst(a.cause.Subject))
}

func oneThread(p *picture) (out []string) {
	for _, a := range p.apps {
		if threads := p.openOf(&a); a.failing() && len(threads) != 1 {
			out = append(out, fmt.Sprintf("%s (%s) has %s%s", a.name(), a.cause.Rule, text.Count(len(threads), "open thread", "open threads"), headlines(threads)))
		}
	}
	return out
}

func headlines(threads []*thread) (out string) {
	for _, t := range threads {
		out += fmt.Sprintf(", %q", t.headline())
	}
	return out
}

func present(p *picture) (out []string) {
	for _, a := range p.apps {
		for _, t := range p.openOf(&a) {
			if !a.failing() || t.members > 0 || a.report.Context.DryRun && onlyTried(t.rule, a.cause.Rule) {
				continue
			}
			if f := reporttext.Subject(a.report); !strings.HasPrefix(reporttext.Basis(f), t.rule) || t.rule == "" {
				out = append(out, fmt.Sprintf("%s: the thread says %q, bot why says %q", a.name(), t.rule, reporttext.Basis(f)))
			}
			if want := reporttext.Icon(a.report.Verdict) + " " + a.report.Headline; !sameLine(t.headline(), want) {
				out = append(out, fmt.Sprintf("%s: the thread begins with %q, bot why with %q", a.name(), t.headline(), want))
			}
		}
	}
	return out
}

// onlyTried reports whether a thread still knows of a failed sync that Argo CD has written a dry run down over: all that can be seen of the
// application now is that it differs.
func onlyTried(told, seen string) bool {
	return diagnose.DuringSync.Has(told) && diagnose.GroupDrift.Has(seen)
}

// passing is what a headline says of the moment when it was written: how long something has lasted, which commit Git was at. That
// alone is no reason to write it again.
var passing = regexp.MustCompile(`\b(\d+ (s|min|h|days?)|[0-9a-f]{7,40})\b`)

// sameLine compares the first line, without what Slack's markup escapes and without the end of a long one.
func sameLine(shown, want string) bool {
	shown, _, _ = strings.Cut(shown, "\n")
	shown = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&").Replace(shown)
	shown, want = passing.ReplaceAllString(shown, "#"), passing.ReplaceAllString(want, "#")
	cut, shortened := strings.CutSuffix(shown, "…")
	return shown == want || shortened && strings.HasPrefix(want, strings.TrimSpace(cut))
}

func noneTooMany(p *picture) (out []string) {
	for _, t := range p.threads {
		if t.state != open || t.members > 0 {
			continue
		}
		for _, app := range t.apps {
			i := slices.IndexFunc(p.apps, func(a application) bool { return a.name() == app })
			switch {
			case i < 0:
				out = append(out, fmt.Sprintf("%s is gone, %q is open", app, t.headline()))
			case p.apps[i].report.Verdict == diagnose.VerdictHealthy && !p.apps[i].Running:
				out = append(out, fmt.Sprintf("%s is well, %q is open", app, t.headline()))
			}
		}
	}
	return out
}

func outages(p *picture) (out []string) {
	for _, t := range p.threads {
		if t.state != open || t.members == 0 {
			continue
		}
		n, moving := 0, 0 // one that a rollout or a sync runs in has neither recovered nor failed again
		for _, a := range p.apps {
			switch {
			case a.failing() && t.outageOf(&a):
				n++
			case !a.failing() && a.report.Verdict == diagnose.VerdictProgressing:
				moving++
			}
		}
		if t.failing < n || t.failing > n+moving {
			out = append(out, fmt.Sprintf("%d fail of it, %q says %d", n, t.headline(), t.failing))
		}
	}
	return out
}

// green looks only at Argo CD's own words: a diagnosis that is wrong must not make the thread right. An operation that ended with
// "Error" did not begin: what kept it from that may be over.
func green(p *picture) (out []string) {
	for _, a := range p.apps {
		bad := a.Operation == "Failed" || a.Health == "Degraded" || a.Health == "Missing" || a.Sync == "Unknown"
		if bad && len(p.openOf(&a)) == 0 {
			out = append(out, fmt.Sprintf("%s has no open thread, and Argo CD says %s, %s, operation %s", a.name(), a.Sync, a.Health, a.Operation))
		}
	}
	return out
}

// recovered: what an application passes through while somebody repairs it is not what it failed of.
func recovered(p *picture) (out []string) {
	for _, t := range p.threads {
		was, known := p.before[t.root.TS]
		if t.state != over {
			continue
		}
		says := func(words string) bool { return strings.Contains(t.headline(), words) }
		if !says("recovered") && !says("deleted") && !says("no longer failing for this cause") {
			out = append(out, fmt.Sprintf("%q", t.headline()))
		}
		if known && was.state == open && was.app != "" && was.cause.Rule != t.rule && !t.announced() && !onlyTried(t.rule, was.cause.Rule) {
			out = append(out, fmt.Sprintf("%q was about %s, and now says %s", t.headline(), was.cause.Rule, t.rule))
		}
	}
	return out
}

// announced reports whether a reply says that the cause is another one now.
func (t *thread) announced() bool {
	return slices.ContainsFunc(t.replies, func(m workspace.Message) bool { return strings.Contains(m.Text, "New cause") })
}

// reopened compares what was open when everything held the last time with what is open now.
func reopened(p *picture) (out []string) {
	for _, a := range p.apps {
		for _, t := range p.openOf(&a) {
			if _, known := p.before[t.root.TS]; known || t.members > 0 || t.announced() {
				continue
			}
			last := p.lastOf(a.name())
			if last.state == over && last.cause.Key == a.cause.Key {
				out = append(out, fmt.Sprintf("%s fails of %s again, which %q was about, in a second thread %q", a.name(), a.cause.Key, last.headline, t.headline()))
			}
		}
	}
	return out
}

// lastOf is the thread of an application that was open last.
func (p *picture) lastOf(app string) (last remembered) {
	for _, r := range p.before {
		if r.app == app && r.step > last.step {
			last = r
		}
	}
	return last
}

// decided: the root message names every request that waits for somebody.
func decided(p *picture) (out []string) {
	for _, t := range p.threads {
		buttons := 0
		for _, m := range t.replies {
			buttons += strings.Count(string(m.Blocks), quoted(render.ApproveID))
		}
		if waiting := strings.Count(t.root.Shown(), " requested by "); t.state == open && buttons > waiting {
			out = append(out, fmt.Sprintf("%q has %s for %s", t.headline(), text.Count(buttons, "button", "buttons"), text.Count(waiting, "request", "requests")))
		}
	}
	return out
}

func quoted(s string) string { return `"` + s + `"` }

func inSlack(p *picture) (out []string) {
	for _, t := range p.threads {
		for _, m := range append([]workspace.Message{t.root}, t.replies...) {
			if strings.Contains(m.Shown(), "bot why") || strings.Contains(m.Shown(), "argo-why why") {
				out = append(out, fmt.Sprintf("%q", m.Text))
			}
		}
	}
	return out
}

func once(p *picture) []string {
	if p.twice == 0 {
		return nil
	}
	return []string{text.Count(p.twice, "message is there twice", "messages are there twice")}
}

func allowed(p *picture) (out []string) {
	for _, c := range p.refused {
		out = append(out, fmt.Sprintf("%s: %s (%s)", c.Method, c.Error, c.At.Format("15:04:05.000")))
	}
	return out
}

func doneOnce(p *picture) (out []string) {
	for request, n := range p.operations {
		if n > 1 || request == "" {
			out = append(out, fmt.Sprintf("request %q was executed %s", request, text.Count(n, "time", "times")))
		}
	}
	slices.Sort(out)
	return out
}

func understood(p *picture) (out []string) {
	for _, f := range p.senseless {
		out = append(out, fmt.Sprintf("%s %s: %s", f.Kind, f.Name, f.Reason))
	}
	return out
}

func lives(p *picture) []string {
	if p.ended == nil {
		return nil
	}
	return []string{p.ended.Error()}
}
