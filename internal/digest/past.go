package digest

import (
	"cmp"
	"slices"
	"time"

	"github.com/argo-why/argo-why/internal/incident"
)

// past is what made applications fail, and which failed more than once, of the failures that were in progress at that time or later.
func (o Options) past(all []*incident.Incident, from time.Time) ([]incident.DigestCause, []incident.DigestApp) {
	causes, took, apps := map[string]*incident.DigestCause{}, map[string][]time.Duration{}, map[incident.App]int{}
	count := func(s incident.Spell, failed []incident.App) {
		if !s.Until.IsZero() && s.Until.Before(from) {
			return
		}
		c := causes[s.Rule]
		if c == nil {
			c = &incident.DigestCause{Rule: s.Rule, Title: o.titleOf(s.Rule)}
			causes[s.Rule] = c
		}
		c.Failures++
		if s.Recovered() {
			c.Recovered++
			took[s.Rule] = append(took[s.Rule], s.Lasted())
		}
		for _, app := range failed {
			apps[app]++
		}
	}
	for _, i := range all {
		if o.about(i) {
			each(i, count)
		}
	}
	var list []incident.DigestCause
	for rule, c := range causes {
		c.Half = median(took[rule])
		list = append(list, *c)
	}
	slices.SortFunc(list, func(x, y incident.DigestCause) int {
		return cmp.Or(cmp.Compare(y.Failures, x.Failures), cmp.Compare(x.Rule, y.Rule))
	})
	return nonNil(list), nonNil(often(apps))
}

// each hands out the times that an incident failed for. The applications of one that many share are known for the last time only.
func each(i *incident.Incident, do func(incident.Spell, []incident.App)) {
	if i.Backlog() {
		for _, m := range i.Members {
			switch {
			case m.Note == "":
				do(incident.Spell{Rule: m.Cause.Rule, Since: m.Since}, []incident.App{m.App})
			case m.Note == incident.NoteRecovered:
				do(incident.Spell{Rule: m.Cause.Rule, Since: m.Since, Until: m.Well, End: incident.RecoveredNow}, []incident.App{m.App})
			} // all else goes on elsewhere, or was deleted
		}
		return
	}
	var apps []incident.App
	for _, m := range i.Members {
		apps = append(apps, m.App)
	}
	spells := i.Spells()
	for n, s := range spells {
		if i.Outage() && n < len(spells)-1 {
			do(s, nil)
			continue
		}
		do(s, apps)
	}
}

// often are the applications that failed more than once.
func often(apps map[incident.App]int) (list []incident.DigestApp) {
	for app, n := range apps {
		if n > 1 {
			list = append(list, incident.DigestApp{App: app, Failures: n})
		}
	}
	slices.SortFunc(list, func(x, y incident.DigestApp) int {
		return cmp.Or(cmp.Compare(y.Failures, x.Failures), incident.Compare(x.App, y.App))
	})
	return list
}

// median is the time within which half of them ended; of an even number the longer of the two in the middle.
func median(all []time.Duration) time.Duration {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// nonNil is an empty list in JSON, and not null.
func nonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
