package incident

import "time"

// Spell is a time that an incident failed for. One that came back after its recovery has several.
type Spell struct {
	// Rule is that of the cause that it ended with.
	Rule  string    `json:"rule"`
	Since time.Time `json:"since"`
	// Until is when it ended, End how: recovered, deleted, over, unwatched. Both are empty while it goes on.
	Until time.Time `json:"until,omitzero"`
	End   Reason    `json:"end,omitempty"`
}

// keepSpells are remembered of one incident, the newest: one that flaps comes back for as long as it does so within reopenWithin.
const keepSpells = 50

// Recovered reports whether it ended because the failure was gone, rather than the application.
func (s Spell) Recovered() bool { return s.End == RecoveredNow }

// Lasted is how long it lasted; 0 while it goes on.
func (s Spell) Lasted() time.Duration {
	if s.Until.IsZero() {
		return 0
	}
	return s.Until.Sub(s.Since)
}

// spellEnds remembers the spell that ends now.
func (i *Incident) spellEnds(end Reason, at time.Time) {
	i.Past = append(i.Past, Spell{Rule: i.Cause.Rule, Since: at.Add(-i.Lasted(at)), Until: at, End: end})
	i.Past = i.Past[max(0, len(i.Past)-keepSpells):]
}

// Spells are the times that it failed for, the present one last. A journal that an older release wrote knows only the last one.
func (i *Incident) Spells() []Spell {
	all := i.Past[:len(i.Past):len(i.Past)]
	now := Spell{Rule: i.Cause.Rule, Since: i.Begun()}
	switch {
	case !i.Failure():
		return nil
	case i.Phase == Open:
		return append(all, now)
	case i.Phase == Recovered && (len(all) == 0 || !all[len(all)-1].Until.Equal(i.RecoveredAt)):
		now.Since, now.Until, now.End = i.RecoveredAt.Add(-i.Lasted(i.RecoveredAt)), i.RecoveredAt, i.howOver()
		return append(all, now)
	}
	return all
}
