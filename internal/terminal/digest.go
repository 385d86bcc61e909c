package terminal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/argo-why/argo-why/internal/digest"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/text"
)

// barWidth is that of a bar of the chart of causes.
const barWidth = 12

// DigestText writes a digest for a person: what fails first, then what recovered, then the chart of causes.
func DigestText(w io.Writer, d *incident.Digest, opt Options) error {
	p := newPage(opt)
	d = cleanDigest(d)
	p.hang(lead{}, digest.Title(d), bold)
	p.hang(at(3), "as of "+text.Timestamp(d.At), dim)
	if silent := digest.Silent(d); silent != "" {
		p.hang(lead{}, "⚠️ "+silent, yellow)
	}
	failing, warnings := digest.Split(d.Failures)
	p.lines("Failing", failing, d, since)
	p.lines("Connection problems", warnings, d, since)
	p.lines(digest.OutOfSync(d), d.OutOfSync, d, since)
	if lately := digest.Lately(d); lately != "" {
		p.gap()
		p.hang(lead{}, lately, plain)
	}
	p.windows(d)
	p.lines("Recovered since "+text.Timestamp(d.Since), d.Recovered, d, func(l incident.DigestLine, _ time.Time) string {
		return "failed for " + text.Duration(l.Lasted)
	})
	p.chart(d)
	p.often(d)
	p.hooks(d)
	return write(w, []byte(p.b.String()))
}

// since is how long something has failed.
func since(l incident.DigestLine, now time.Time) string {
	out := "for " + text.Duration(now.Sub(l.Since))
	if l.NoAutoSync {
		out += ", auto-sync is off"
	}
	if !l.Muted.IsZero() {
		out += ", muted until " + text.Moment(l.Muted, now)
	}
	return out
}

func (p *page) lines(title string, list []incident.DigestLine, d *incident.Digest, how func(incident.DigestLine, time.Time) string) {
	if len(list) == 0 {
		return
	}
	p.gap()
	about := 0
	for _, l := range list {
		about += 1 + l.Others
	}
	p.raw(p.paint(bold, fmt.Sprintf("%s (%s)", title, text.Number(about))))
	several := digest.Several(d)
	for _, l := range list {
		name, behind, wrong := digest.Name(l, several), ": ", l.Title
		if l.Subject != "" {
			name, behind, wrong = digest.Warning(l, several)
		}
		p.hang(lead{bullet: "  "}, text.OneLine(name+behind+wrong)+", "+how(l, d.At), plain)
	}
}

// chart shows what made applications fail, and how soon that was over.
func (p *page) chart(d *incident.Digest) {
	if len(d.Causes) == 0 {
		return
	}
	p.gap()
	p.raw(p.paint(bold, "Causes in "+digest.Days(d)))
	for _, c := range d.Causes {
		bullet := fmt.Sprintf("  %s %3d  ", digest.Bar(c.Failures, d.Causes[0].Failures, barWidth), c.Failures)
		p.hang(lead{bullet: bullet}, fmt.Sprintf("%s, %s", text.OneLine(c.Title), digest.Took(c)), plain)
	}
}

func (p *page) often(d *incident.Digest) {
	if len(d.Often) == 0 {
		return
	}
	p.gap()
	p.raw(p.paint(bold, "Failed most often in "+digest.Days(d)))
	for _, a := range d.Often[:min(len(d.Often), maxListed)] {
		p.hang(lead{bullet: "  "}, fmt.Sprintf("%s: %s", digest.AppName(a.App, digest.Several(d)), text.Count(a.Failures, "time", "times")), plain)
	}
	if more := len(d.Often) - maxListed; more > 0 {
		p.hang(lead{bullet: "  "}, "and "+text.More(more), plain)
	}
}

func (p *page) windows(d *incident.Digest) {
	o := d.Outlook
	if o == nil || len(o.Windows)+o.Left.Windows == 0 {
		return
	}
	p.gap()
	p.raw(p.paint(bold, digest.WindowsHeading(o)) + p.paint(dim, " (as of "+text.Timestamp(o.At)+")"))
	for _, w := range o.Windows {
		when := "active until " + text.Timestamp(w.Ends)
		if w.Begins.After(o.At) {
			when = text.Timestamp(w.Begins) + " to " + text.Timestamp(w.Ends)
		}
		p.hang(lead{bullet: "  "}, digest.WindowName(w, digest.Several(d))+" "+when+digest.WindowNote(w), plain)
	}
	p.left(o.Left.Windows)
}

// left prints how many entries a list leaves out.
func (p *page) left(n int) {
	if n > 0 {
		p.hang(lead{bullet: "  "}, "and "+text.More(n), plain)
	}
}

func (p *page) hooks(d *incident.Digest) {
	for _, l := range digest.HookLists(d) {
		p.gap()
		p.raw(p.paint(bold, fmt.Sprintf("%s (%s)", l.Heading, text.Number(l.All()))) + p.paint(dim, " (as of "+text.Timestamp(d.Outlook.At)+")"))
		for _, h := range l.Hooks {
			p.hang(lead{bullet: "  "}, h, plain)
		}
		p.left(l.Left)
	}
	if unread := digest.Unread(d); unread != "" {
		p.gap()
		p.hang(lead{}, unread, dim)
	}
}

// DigestJSON writes the same figures for programs.
func DigestJSON(w io.Writer, d *incident.Digest) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(cleanDigest(d)); err != nil {
		return fmt.Errorf("encode digest: %w", err)
	}
	return write(w, b.Bytes())
}

// cleanDigest is a copy with every text in it made harmless.
func cleanDigest(d *incident.Digest) *incident.Digest {
	clean, ok := sanitize.Any(d).(*incident.Digest)
	if !ok { // cannot be: the copy has the same type
		return &incident.Digest{}
	}
	return clean
}
