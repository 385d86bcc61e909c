package render

import (
	"fmt"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/digest"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/slack/blocks"
	"github.com/argo-why/argo-why/internal/text"
)

const (
	// maxDigest is how high a digest may be on a phone, in pixels: one screen, as an outage.
	maxDigest = maxOutage
	// barWidth is that of the longest bar of its chart, in letters: a quarter of a line.
	barWidth = 6
	// maxDigestName and maxDigestTitle fit into two lines, with the time between them.
	maxDigestName  = 30
	maxDigestTitle = 44
	// longDigestTitle is for a digest that has few.
	longDigestTitle = 90
)

// room is how many entries of each list a digest shows, and how long what is wrong may be.
type room struct{ failing, outOfSync, windows, recovered, causes, often, hooks, title int }

// rooms are tried in this order: what people can act on goes last.
func rooms() (all []room) {
	r := room{failing: 8, outOfSync: 4, windows: 4, recovered: 5, causes: 5, often: 3, hooks: 3, title: longDigestTitle}
	for all = append(all, r); r != (room{failing: 1, outOfSync: 1, recovered: 1, causes: 1, title: maxDigestTitle}); all = append(all, r) {
		switch {
		case r.title > maxDigestTitle:
			r.title = maxDigestTitle
		case r.hooks > 1:
			r.hooks--
		case r.windows > 2:
			r.windows--
		case r.recovered > 3:
			r.recovered--
		case r.causes > 4:
			r.causes--
		case r.failing > 5:
			r.failing--
		case r.outOfSync > 2:
			r.outOfSync--
		case r.causes > 3:
			r.causes--
		case r.failing > 3:
			r.failing--
		case r.hooks > 0:
			r.hooks--
		case r.windows > 1:
			r.windows--
		case r.often > 1, r.failing == 1 && r.often > 0:
			r.often--
		case r.recovered > 1:
			r.recovered--
		case r.causes > 1:
			r.causes--
		case r.failing > 1:
			r.failing--
		case r.windows > 0:
			r.windows--
		default:
			r.outOfSync--
		}
	}
	return all
}

// digestRoot is a digest: a table of what people can act on, with a chart of the causes, on one screen of a phone. Where everything is fine it
// is one line.
func digestRoot(i *incident.Incident, l Links) Message {
	d, ok := sanitize.Any(i.Digest).(*incident.Digest)
	if !ok { // cannot be: the copy has the same type
		d = &incident.Digest{}
	}
	title := digest.Title(d)
	if digest.OneLine(d) {
		return message([]blocks.Block{blocks.Text(blocks.Plain(title))}, nil, "", title)
	}
	title += " · digest" // it stands between those of failures
	var body []blocks.Block
	for _, r := range rooms() {
		body = digestBody(d, title, r, l)
		if blocks.Height(body...) <= maxDigest && blocks.Fits(body...) {
			break
		}
	}
	return message(body, nil, "", digestNotice(d, title)...)
}

// digestNotice is what a notification and a screen reader say.
func digestNotice(d *incident.Digest, title string) []string {
	lines := []string{title, digest.Silent(d)}
	if n := len(d.OutOfSync) + d.Left.OutOfSync; n > 0 {
		lines = append(lines, digest.OutOfSync(d)+": "+text.Number(n))
	}
	if n := len(d.Recovered) + d.Left.Recovered; n > 0 {
		lines = append(lines, "Recovered: "+text.Number(n))
	}
	for _, c := range d.Causes[:min(3, len(d.Causes))] {
		lines = append(lines, fmt.Sprintf("%s: %s in %s, %s", c.Title, text.Count(c.Failures, "failure", "failures"), digest.Days(d), digest.Took(c)))
	}
	return lines
}

func digestBody(d *incident.Digest, title string, r room, l Links) []blocks.Block {
	several := digest.Several(d)
	body := []blocks.Block{blocks.Header(title)}
	if silent := digest.Silent(d); silent != "" {
		body = append(body, blocks.Text(blocks.Plain("⚠️ "+silent)))
	}
	list := func(title string, all []incident.DigestLine, left, limit int) {
		if len(all)+left == 0 {
			return
		}
		shown := all[:min(limit, len(all))]
		var lines [][]blocks.Span
		for _, line := range shown {
			lines = append(lines, digestLine(line, d.At, several, r.title))
		}
		body = append(body, blocks.Text(blocks.Bold(title)))
		if len(lines) > 0 {
			body = append(body, blocks.Bullets(lines...))
		}
		if more := len(all) - len(shown) + left; more > 0 {
			body = append(body, blocks.Context("and "+text.More(more)+": "+l.command()+" list", "", never))
		}
	}
	failing, warnings := digest.Split(d.Failures)
	list("Failing", failing, d.Left.Failures, r.failing)
	list("Connection problems", warnings, d.Left.Warnings, r.failing)
	list(digest.OutOfSync(d), d.OutOfSync, d.Left.OutOfSync, r.outOfSync)
	if lately := digest.Lately(d); lately != "" {
		body = append(body, blocks.Context(lately, "", never))
	}
	body = append(body, windowList(d, r.windows, several)...)
	body = append(body, recoveredLine(d, r.recovered, several)...)
	body = append(body, causeChart(d, r.causes)...)
	body = append(body, oftenLine(d, r.often, several)...)
	return append(body, hookLines(d, r.hooks)...)
}

// digestLine is something that people can act on, with the way to its thread.
func digestLine(line incident.DigestLine, at time.Time, several bool, title int) []blocks.Span {
	name, lasted := ShortLine(digest.Name(line, several), maxDigestName), text.Duration(at.Sub(line.Since))
	spans := []blocks.Span{blocks.Link(line.Thread, name), blocks.Plain(", " + lasted + ": " + ShortLine(line.Title, title))}
	if line.Subject != "" {
		name, behind, wrong := digest.Warning(line, several)
		spans = []blocks.Span{blocks.Link(line.Thread, ShortLine(name, maxDigestTitle)), blocks.Plain(behind + ShortLine(wrong, title) + ", for " + lasted)}
	}
	if line.NoAutoSync {
		spans = append(spans, blocks.Plain(" (auto-sync is off)"))
	}
	if !line.Muted.IsZero() {
		spans = append(spans, blocks.Plain(" 🔕 until "), blocks.Clock(line.Muted))
	}
	return spans
}

// recoveredLine names what recovered, with how long it had failed.
func recoveredLine(d *incident.Digest, limit int, several bool) []blocks.Block {
	n := len(d.Recovered) + d.Left.Recovered
	if n == 0 {
		return nil
	}
	spans := []blocks.Span{blocks.Bold(fmt.Sprintf("Recovered (%s) ", text.Number(n)))}
	shown := d.Recovered[:min(limit, len(d.Recovered))]
	for at, line := range shown {
		if at > 0 {
			spans = append(spans, blocks.Plain(", "))
		}
		spans = append(spans, blocks.Link(line.Thread, ShortLine(digest.Name(line, several), maxDigestName)), blocks.Plain(" after "+text.Duration(line.Lasted)))
	}
	if more := n - len(shown); more > 0 {
		spans = append(spans, blocks.Plain(" and "+text.More(more)))
	}
	return []blocks.Block{blocks.Text(spans...)}
}

// causeChart shows what made applications fail, each with a bar. Slack's own charts cut a label after 20 letters, and take a third of a phone
// for what three lines say.
func causeChart(d *incident.Digest, limit int) []blocks.Block {
	if len(d.Causes) == 0 || limit == 0 {
		return nil
	}
	spans := []blocks.Span{blocks.Bold("Causes in " + digest.Days(d)), blocks.Plain(" · median time to recovery")}
	shown := d.Causes[:min(limit, len(d.Causes))]
	for _, c := range shown {
		bar := strings.TrimRight(digest.Bar(c.Failures, d.Causes[0].Failures, barWidth), "░")
		spans = append(spans, blocks.Plain(fmt.Sprintf("\n%s %s %s%s", bar, text.Number(c.Failures), ShortLine(c.Title, maxDigestTitle), took(c))))
	}
	out := []blocks.Block{blocks.Text(spans...)}
	if more := len(d.Causes) - len(shown) + d.Left.Causes; more > 0 {
		out = append(out, blocks.Context("and "+text.Count(more, "more cause", "more causes"), "", never))
	}
	return out
}

// took is how soon it was over.
func took(c incident.DigestCause) string {
	if c.Recovered == 0 {
		return " · none recovered"
	}
	return " · " + text.Duration(c.Half)
}

// oftenLine names the applications that failed more than once.
func oftenLine(d *incident.Digest, limit int, several bool) []blocks.Block {
	switch {
	case limit == 0 || len(d.Often)+d.Left.Often == 0:
		return nil
	case len(d.Often) == 0: // none that the channel sees
		return []blocks.Block{labelLine("Failed most often", text.Count(d.Left.Often, "application that is", "applications that are")+" not shown here")}
	}
	var names []string
	for _, a := range d.Often {
		names = append(names, fmt.Sprintf("%s %s×", ShortLine(digest.AppName(a.App, several), maxDigestName), text.Number(a.Failures)))
	}
	for range d.Left.Often {
		names = append(names, "")
	}
	return []blocks.Block{labelLine("Failed most often", text.List(names, limit))}
}
