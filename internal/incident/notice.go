package incident

import "time"

// notice reports whether it is a message that stands for itself: a digest or an announcement.
func (i *Incident) notice() bool { return i.Digest != nil || i.Expiry != nil }

// addNotice adds the entry of a message that stands for itself: without members, and over from the first. Its ID is made of the seed, so there
// is one for each; until is how long it is kept at least. It returns what is to be saved and posted: nothing if there is such an entry.
func (s *Store) addNotice(seed string, now, until time.Time, i *Incident) (touched []string) {
	i.ID = name(i.Cause.Rule, seed)
	if s.entries[i.ID] != nil || s.taken[i.ID] {
		return nil
	}
	i.Phase, i.Seen, i.OpenedAt, i.RecoveredAt, i.NudgedAt, i.Changed = Recovered, now, now, now, now, now
	i.Expires = later(now.Add(s.policy.KeepFor), until)
	s.entries[i.ID] = &entry{Incident: i, generation: 1}
	return []string{i.ID}
}
