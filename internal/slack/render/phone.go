package render

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/reporttext"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/text"
)

// A root message is read on a phone, so these are its limits there, in pixels at a width of 360: how high the message of one failure
// may be (560), that of an outage (700), and where the buttons have to begin (440), which is on the first screen. They are a line or
// more less than that, because heights are estimated; test/browser measures them in Chromium.
const (
	maxFailure = 536
	maxOutage  = 682
	maxButtons = 422
)

// MaxList is how high a list may be on a phone, in pixels: two screens, which a person scans.
const MaxList = 1400

// How much of a text the root message has, in characters; all of it is in the details.
const (
	maxWhy = 200 // about five lines
	minWhy = 100 // three lines; a shorter cause is always whole
	maxFix = 130
	minFix = 70
	// longWrapping is the length from which a cause is shown without the wrapping of a clause that the headline has.
	longWrapping = 140
	maxCommand   = 60
	maxSteps     = 3
)

// screen is a root message on a phone while it is filled.
type screen struct {
	head     []blocks.Block // headline, where, and what people do about it
	controls blocks.Block
	tail     []blocks.Block // below the steps
	foot     []blocks.Block
	limit    int // how high it may be
}

// shown is what the message has of a report: the first reply does not repeat it.
type shown struct {
	// steps are those of the fix, or parts of them.
	steps []step
	// why: all of it. effect: the first one.
	why, effect bool
}

// layout is why it fails and the first steps of the fix, each as long as there is room for, and the effect if there is room.
func (s screen) layout(r *diagnose.Report) (above []blocks.Block, has shown) {
	f := reporttext.Subject(r)
	var steps []blocks.Block
	if f != nil {
		least := fixBlocks(f.Fix, leastFix(f.Fix))
		above, has.why = fittingWhy(f, func(why []blocks.Block) bool { return s.fits(r.Sync, why, least) })
		has.steps = firstFixes(f.Fix, func(steps []blocks.Block) bool { return s.fits(r.Sync, above, steps) })
		steps = fixBlocks(f.Fix, has.steps)
	}
	effect := effectLine(r.Effects)
	if with := append(above, effect...); len(effect) > 0 && s.fits(r.Sync, with, steps) {
		return with, shown{steps: has.steps, why: has.why, effect: true}
	}
	return above, has
}

// root is the message of a report: why, whether a sync helps, the buttons, and the first steps.
func (s screen) root(title string, r *diagnose.Report) Message {
	f := reporttext.Subject(r)
	above, has := s.layout(r)
	var steps []blocks.Block
	if f != nil {
		steps = fixBlocks(f.Fix, has.steps)
	}
	if f != nil || r.Verdict != diagnose.VerdictHealthy {
		above = append(above, syncNow(r.Sync))
	}
	body := slices.Concat(s.head, above, []blocks.Block{blocks.Keep(s.controls)}, steps, s.tail)
	return message(body, s.foot, inThread, notice(title, r)...)
}

// fits reports whether there is room for a cause and for steps.
func (s screen) fits(sync diagnose.Sync, cause, steps []blocks.Block) bool {
	above := slices.Concat(s.head, cause, []blocks.Block{syncNow(sync)})
	all := slices.Concat(above, []blocks.Block{s.controls}, steps, s.tail, s.foot)
	return blocks.Height(above...) <= maxButtons && blocks.Height(all...) <= s.limit
}

// fittingWhy says why, in as many words as there is room for; whole tells whether that is all of it.
func fittingWhy(f *diagnose.Finding, fits func([]blocks.Block) bool) (out []blocks.Block, whole bool) {
	content := text.OneLine(f.Why)
	for size := maxWhy; ; size -= 20 {
		out = why(f, size)
		if size <= minWhy || fits(out) {
			return out, withoutWrapping(content, longWrapping) == content && utf8.RuneCountInString(content) <= size
		}
	}
}

func why(f *diagnose.Finding, size int) []blocks.Block {
	content := withoutWrapping(text.OneLine(f.Why), longWrapping)
	if utf8.RuneCountInString(content) > size {
		content = reporttext.End(saidOnce(content, ""), size)
	}
	if content == "" {
		return nil
	}
	if n := len(f.Others); n > 0 && !strings.Contains(f.Title+" "+f.Why, fmt.Sprintf(" %d more", n)) {
		content = text.Sentence(content) + fmt.Sprintf(" Also on %s.", text.Count(n, "other resource", "other resources"))
	}
	out := []blocks.Block{labelLine("Why", content)}
	if f.Rule != reporttext.NoRule {
		return out
	}
	// No rule has read this text for the person, so they see it here.
	for _, q := range f.Evidence[:min(1, len(f.Evidence))] {
		out = append(out, blocks.Text(blocks.Bold("Says "), blocks.Plain(q.From+":")))
		out = append(out, blocks.Code(reporttext.End(text.OneLine(q.Text), size))...)
	}
	return out
}

// effectLine is the effect that matters most, where it is a short sentence.
func effectLine(effects []string) []blocks.Block {
	const longest = 120
	if len(effects) == 0 || len(effects[0]) > longest {
		return nil
	}
	return []blocks.Block{labelLine("Effect", text.OneLine(effects[0]))}
}

// firstFixes are the steps that come first, as many as there is room for, with commands that are short enough for a phone.
func firstFixes(fixes []diagnose.Fix, fits func([]blocks.Block) bool) (shown []step) {
	for _, f := range fixes[:min(len(fixes), maxSteps)] {
		next, ok := fitting(fixes, shown, f, fits)
		if !ok {
			break
		}
		shown = append(shown, next)
	}
	if least := leastFix(fixes); len(shown) == 0 && fits(fixBlocks(fixes, least)) {
		return least
	}
	return shown
}

// leastFix is the least of the steps that a root message shows.
func leastFix(fixes []diagnose.Fix) []step {
	if len(fixes) == 0 {
		return nil
	}
	return []step{{fix: fixes[0], size: minFix, bare: true}}
}

// fixBlocks shows some of the steps, or says where they are.
func fixBlocks(fixes []diagnose.Fix, shown []step) []blocks.Block {
	switch {
	case len(fixes) == 0:
		return nil
	case len(shown) == 0:
		return []blocks.Block{blocks.Context("Fix: "+text.Count(len(fixes), "step", "steps")+" in the thread", "", never)}
	}
	return stepBlocks(fixes, shown)
}

// step is a step of the fix as the root message shows it.
type step struct {
	fix  diagnose.Fix
	size int  // of its text
	bare bool // without its command
}

// whole reports whether the text is not shortened.
func (s step) whole() bool { return utf8.RuneCountInString(text.OneLine(s.fix.Text)) <= s.size }

// command reports whether the command is shown.
func (s step) command() bool { return !s.bare && fitsPhone(s.fix.Command) }

// fitting is the next step as it fits below those before it: with its command, or else without. The first is shortened if need be.
func fitting(fixes []diagnose.Fix, before []step, f diagnose.Fix, fits func([]blocks.Block) bool) (step, bool) {
	list := []step{{fix: f, size: maxFix}, {fix: f, size: maxFix, bare: true}}
	if len(before) == 0 {
		list = append(list, step{fix: f, size: minFix, bare: true})
	}
	for _, s := range list {
		if fits(stepBlocks(fixes, slices.Concat(before, []step{s}))) {
			return s, true
		}
	}
	return step{}, false
}

// stepBlocks shows some of the steps, and says what of them is in the thread.
func stepBlocks(fixes []diagnose.Fix, shown []step) []blocks.Block {
	var list [][]blocks.Span
	commands, yaml := 0, 0
	for _, s := range shown {
		line := []blocks.Span{blocks.Plain(reporttext.Start(text.OneLine(s.fix.Text), s.size))}
		switch {
		case s.command():
			line = append(line, blocks.Plain("\n"), blocks.Mono(s.fix.Command))
		case s.fix.Command != "":
			commands++
		}
		if s.fix.Patch != "" {
			yaml++
		}
		list = append(list, line)
	}
	out := []blocks.Block{blocks.Text(append([]blocks.Span{blocks.Bold("Fix ")}, list[0]...)...)}
	if len(list) > 1 {
		out = []blocks.Block{blocks.Text(blocks.Bold("Fix")), blocks.Steps(list...)}
	}
	if rest := restOfSteps(commands, yaml, len(fixes)-len(shown)); rest != "" {
		out = append(out, blocks.Context("In the thread: "+rest, "", never))
	}
	return out
}

// restOfSteps names what of the steps is in the thread alone.
func restOfSteps(commands, yaml, steps int) string {
	var parts []string
	switch {
	case commands > 1:
		parts = append(parts, "the commands")
	case commands == 1:
		parts = append(parts, "the command")
	}
	if yaml > 0 {
		parts = append(parts, "the YAML")
	}
	if steps > 0 {
		parts = append(parts, text.Count(steps, "more step", "more steps"))
	}
	return strings.Join(parts, ", ")
}

// fitsPhone reports whether a command is short enough for a phone.
func fitsPhone(command string) bool {
	return command != "" && len(command) <= maxCommand && !strings.Contains(command, "\n")
}
