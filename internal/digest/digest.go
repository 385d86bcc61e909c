package digest

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/text"
)

// noAutoSync is the rule of an application that is out of sync because nothing syncs it.
const noAutoSync = "drift/autosync-off"

// Options say what a digest is about.
type Options struct {
	// Now is the time of the digest, Since that of the one before. Period is how long Causes and Often look back.
	Now, Since time.Time
	Period     time.Duration
	// OutOfSyncAfter is how long an application must be out of sync to be named.
	OutOfSyncAfter time.Duration
	// Channel is the one whose incidents it is about; "" is all.
	Channel string
	// Other also takes incidents of that channel, which has no digest; nil is none.
	Other func(channel string) bool
	// Titles are those of the rules, by ID.
	Titles map[string]string
	// Silent are the Argo CDs that do not respond.
	Silent []string
	// Outlook is what else people should know; nil where nobody can say.
	Outlook *incident.Outlook
	// Watched is since when all Argo CDs have been watched; zero where that is not known.
	Watched time.Time
}

// Of makes a digest. live are the incidents in progress, as [incident.Store.Failing] has them, and all those that were posted, as
// [incident.Store.All] has them.
func Of(live, all []*incident.Incident, o Options) incident.Digest {
	d := incident.Digest{
		At: o.Now, Since: o.Since, From: o.Now.Add(-o.Period), OutOfSyncAfter: o.OutOfSyncAfter, Silent: o.Silent, Outlook: o.Outlook,
		Failures: []incident.DigestLine{}, OutOfSync: []incident.DigestLine{}, Recovered: []incident.DigestLine{},
	}
	failing, named := map[incident.App]bool{}, map[incident.App]bool{}
	for _, i := range live {
		apps := i.Failing()
		if !o.about(i) || len(apps)+len(i.Disconnected()) == 0 {
			continue
		}
		add(failing, apps)
		line, drift := o.line(i, apps), diagnose.GroupDrift.Has(i.Cause.Rule)
		switch {
		case !drift:
			d.Failures = append(d.Failures, line)
		case o.Now.Sub(line.Since) >= o.OutOfSyncAfter:
			d.OutOfSync = append(d.OutOfSync, line)
		default:
			continue
		}
		add(named, apps)
	}
	d.Failing, d.Lately = len(failing), len(failing)-len(named)
	for _, i := range all {
		if !o.about(i) {
			continue
		}
		if i.Phase == incident.Open && i.Failure() {
			d.Threads++
		}
		d.Recovered = append(d.Recovered, o.recovered(i)...)
	}
	slices.SortFunc(d.Failures, oldestFirst)
	slices.SortFunc(d.OutOfSync, oldestFirst)
	slices.SortFunc(d.Recovered, func(x, y incident.DigestLine) int {
		return cmp.Or(y.Until.Compare(x.Until), incident.Compare(x.App, y.App))
	})
	d.Causes, d.Often = o.past(all, d.From)
	if Fine(&d) { // for no longer than somebody has looked
		switch {
		case o.Watched.IsZero():
			d.From = d.At
		case o.Watched.After(d.From):
			d.From = o.Watched
		}
	}
	return d
}

func add(to map[incident.App]bool, members []incident.Member) {
	for _, m := range members {
		to[m.App] = true
	}
}

func oldestFirst(x, y incident.DigestLine) int {
	return cmp.Or(x.Since.Compare(y.Since), incident.Compare(x.App, y.App), cmp.Compare(x.Rule, y.Rule))
}

func (o Options) about(i *incident.Incident) bool {
	return o.Channel == "" || i.Channel == o.Channel || o.Other != nil && o.Other(i.Channel)
}

// line is an incident that these of its members fail of, or failed of.
func (o Options) line(i *incident.Incident, members []incident.Member) incident.DigestLine {
	line := incident.DigestLine{Rule: i.Cause.Rule, NoAutoSync: i.Cause.Rule == noAutoSync, Thread: i.Thread.Permalink}
	if len(members) > 0 {
		line.App, line.Others, line.Title, line.Since = members[0].App, len(members)-1, o.title(i, members[0]), since(i, members)
	} else { // a warning
		line.App.Instance, line.Subject, line.Since = i.Connections[0].Instance, text.UpperFirst(i.Cause.Subject), i.Begun()
		line.For = i.Connections[0].For
		line.Title = o.title(i, incident.Member{})
	}
	if mute := i.Silenced(); mute != nil && mute.Until.After(o.Now) {
		line.Muted = mute.Until
	}
	return line
}

// since is when the first of the members began to fail.
func since(i *incident.Incident, members []incident.Member) time.Time {
	first := members[0].Since
	for _, m := range members {
		if m.Since.Before(first) {
			first = m.Since
		}
	}
	if first.IsZero() {
		return i.Since
	}
	return first
}

// title says what is wrong, without the application.
func (o Options) title(i *incident.Incident, m incident.Member) string {
	if o.Channel != "" && i.Channel != o.Channel { // its words are for other readers
		return o.titleOf(i.Cause.Rule)
	}
	headline := m.Headline
	if i.Report != nil && (i.Outage() || headline == "") {
		headline = i.Report.Headline
	}
	if _, title, ok := strings.Cut(headline, ": "); ok {
		return title
	}
	return cmp.Or(headline, o.titleOf(i.Cause.Rule))
}

// titleOf is the title of a rule. A finding may name a finer one below a rule.
func (o Options) titleOf(rule string) string {
	for id := rule; id != "." && id != "/" && id != ""; id = path.Dir(id) {
		if title := o.Titles[id]; title != "" {
			return title
		}
	}
	return rule
}

// recovered are the lines of what recovered since the digest before.
func (o Options) recovered(i *incident.Incident) (lines []incident.DigestLine) {
	if i.Backlog() {
		for _, m := range i.Members {
			if m.Note == incident.NoteRecovered && o.lately(m.Well) {
				lines = append(lines, o.over(i.Part(m), []incident.Member{m}, m.Well))
			}
		}
		return lines
	}
	spells, well := i.Spells(), i.Well()
	switch {
	case i.Phase != incident.Recovered || !o.lately(i.RecoveredAt) || len(spells) == 0 || !spells[len(spells)-1].Recovered():
		return nil
	case len(well)+len(i.Connections) == 0:
		return nil
	}
	if i.ConnectedLast() {
		well = nil
	}
	return []incident.DigestLine{o.over(i, well, i.RecoveredAt)}
}

func (o Options) lately(at time.Time) bool { return at.After(o.Since) && !at.After(o.Now) }

func (o Options) over(i *incident.Incident, members []incident.Member, at time.Time) incident.DigestLine {
	line := o.line(i, members)
	line.Muted, line.NoAutoSync, line.Until, line.Lasted = time.Time{}, false, at, at.Sub(line.Since)
	return line
}
