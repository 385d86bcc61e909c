package evidence

import "strings"

// At is the revision that was compared: of several sources theirs, in their order.
func (s SyncStatus) At() string { return joined(s.Revision, s.Revisions) }

// At is the revision that was deployed: of several sources theirs, in their order.
func (d Deployment) At() string { return joined(d.Revision, d.Revisions) }

// Revision is what the operation syncs or synced: of several sources theirs, in their order.
func (o *OperationState) Revision() string {
	if o == nil {
		return ""
	}
	if r := o.SyncResult; r != nil {
		if done := joined(r.Revision, r.Revisions); done != "" {
			return done
		}
	}
	if s := o.Operation.Sync; s != nil {
		return s.At()
	}
	return ""
}

// At is the revision that was asked for: of several sources theirs, in their order.
func (s *SyncOperation) At() string { return joined(s.Revision, s.Revisions) }

// between separates the revisions of several sources, in texts and in what Argo CD is asked for.
const between = ", "

// joined is one revision as it is, and several as one text. Argo CD leaves those of sources open that it did not resolve.
func joined(one string, several []string) string {
	if strings.Join(several, "") == "" {
		return one
	}
	return strings.Join(several, between)
}

// Differing are two revisions without those of sources that did not change: what a sentence about a change names. Where the number of sources
// changed, nobody can say which belong together.
func Differing(before, after string) (was, is string) {
	b, a := strings.Split(before, between), strings.Split(after, between)
	if len(b) != len(a) || before == after {
		return before, after
	}
	var old, now []string
	for i := range b {
		if b[i] != a[i] {
			old, now = append(old, b[i]), append(now, a[i])
		}
	}
	return strings.Join(old, between), strings.Join(now, between)
}

// Moved are the sources of the application whose revision is not that of before; ok is false where the number of sources changed.
func (a *Application) Moved(before, after string) (moved []ApplicationSource, ok bool) {
	was, is := strings.Split(before, between), strings.Split(after, between)
	for i := range is {
		if len(was) == len(is) && was[i] != is[i] {
			moved = append(moved, a.Source(i+1))
		}
	}
	return moved, len(was) == len(is)
}
