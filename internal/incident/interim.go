package incident

import (
	"cmp"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
)

// Interim is another failure that is seen of an application whose incident is open. While somebody fixes it, an application says many
// things: that its Deployment is missing, that something differs, that a pod starts. None of them is what it failed of.
type Interim struct {
	Key   string `json:"key"`
	Title string `json:"title"`
	// Since is when it was seen first, outside of an operation that may have brought it about: then it begins when that ends.
	Since  time.Time `json:"since"`
	During bool      `json:"during,omitempty"`
	// Away is since when the cause that was announced is not seen, whatever else is.
	Away time.Time `json:"away"`
}

// settleFor is how long an application that somebody fixes may take: what an operation brings about meanwhile is not announced. It is as
// long as it takes by default until an operation that does not end is a failure itself.
const settleFor = 15 * time.Minute

// meanwhile: an open incident is seen to fail of something else. That becomes its cause when it has lasted; until then the root message
// says that it is seen.
func (d *deciding) meanwhile() Decision {
	i := d.next
	was := i.Interim
	now := &Interim{Key: d.cause.Key, Title: d.seen.Report.Title(), Since: d.now, During: d.underWay(), Away: d.now}
	if was != nil {
		now.Away = was.Away
		if sameKey(was.Key, now.Key) && (now.During || !was.During) {
			now.Since = was.Since
		}
	}
	wait := d.mustLast() - d.now.Sub(now.Since)
	// One that fails of something else each time no longer fails of what was announced, either.
	wait = min(wait, settleFor+d.p.OpenAfter(d.cause.Rule)-d.now.Sub(now.Away))
	switch {
	case wait <= 0:
		i.changeCause(d.cause, d.seen, now.Since, d.now)
		return d.result(CauseChanged, d.p.RemindAfter)
	case was == nil || *was != *now:
		i.Interim, i.Changed = now, d.now
		return d.result(SeenMeanwhile, wait)
	case d.p.RemindAfter > 0 && d.remindIn() <= 0 && i.Silenced() == nil:
		d.remind()
		return d.result(Reminder, wait)
	}
	return d.result(Nothing, wait)
}

// changeCause announces another cause of an open incident.
func (i *Incident) changeCause(c Cause, seen Seen, since, now time.Time) {
	was := cmp.Or(i.Announced.Headline, headline(i.Report)) // an older release stored none
	i.Cause, i.Report, i.Interim = c, seen.Report, nil
	i.Members[0].Since = since
	i.reply(Reply{Reason: CauseChanged, At: now, Headline: headline(i.Report), Was: was, Rule: c.Rule})
	i.announce(now)
}

// forgetInterim: what was seen meanwhile has passed.
func (i *Incident) forgetInterim(now time.Time) {
	if i.Interim != nil {
		i.Interim, i.Changed = nil, now
	}
}

// mustLast is how long an application that people know to fail, or to have failed, must fail of something else before they hear of it.
func (d *deciding) mustLast() time.Duration {
	wait := d.p.OpenAfter(d.cause.Rule)
	if d.underWay() {
		wait = max(wait, settleFor)
	}
	return wait
}

// underWay reports whether an operation runs, or is about to, that may have brought about what is seen. What fails in the operation
// itself, or keeps it from running, was not brought about by it.
func (d *deciding) underWay() bool {
	return d.seen.Report.Progress != "" && !diagnose.BeforeSync.Has(d.cause.Rule) && !diagnose.DuringSync.Has(d.cause.Rule)
}
