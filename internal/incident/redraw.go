package incident

// Redraw has the open incidents of an Argo CD told again, because something that their messages show and that is no part of
// them has changed: what people may do about them. Messages that come out the same are not sent. It returns what is to be
// told.
func (s *Store) Redraw(instance string) (touched []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, e := range s.entries {
		if e.dropped || e.Phase != Open || !e.Failure() || e.instance() != instance {
			continue
		}
		e.generation++
		touched = append(touched, id)
	}
	return touched
}
