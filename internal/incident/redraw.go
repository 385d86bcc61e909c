package incident

// Redraw has the open incidents of an Argo CD told again, because something that their messages show and that is no part of
// them has changed: what people may do about them. Messages that come out the same are not sent. It returns what is to be
// told.
func (b *Book) Redraw(instance string) (touched []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for id, e := range b.entries {
		if e.dropped || e.Phase != Open || e.Members[0].App.Instance != instance {
			continue
		}
		e.generation++
		touched = append(touched, id)
	}
	return touched
}
