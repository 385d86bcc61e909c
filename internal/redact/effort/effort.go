// Package effort measures what it costs to search a foreign text, and ends a search that costs too much or that nobody
// waits for any longer. The measure is a step, about the time for a look at one byte, and not a second: the same text costs the
// same on any machine, so what is shown of it does not depend on how busy the machine is.
package effort

import "context"

// Meter counts the steps of one search. A nil Meter counts nothing and has no limit. It is not for concurrent use.
type Meter struct {
	ctx   context.Context //nolint:containedctx // a meter lives as long as the call that has the context
	spent int
	limit int
	check int // when the context is looked at next
	done  bool
}

// every is how many steps are between two looks at the context: about a millisecond.
const every = 1 << 20

// New is a meter for a search that may take so many steps.
func New(ctx context.Context, limit int) *Meter {
	return &Meter{ctx: ctx, limit: limit, check: min(every, limit), done: ctx.Err() != nil}
}

// Look counts n steps.
func (m *Meter) Look(n int) {
	if m == nil {
		return
	}
	if m.spent += n; m.spent > m.check {
		m.done = m.done || m.spent > m.limit || m.ctx.Err() != nil
		m.check = min(m.spent+every, max(m.limit, m.spent))
	}
}

// Done reports whether the search must end: what it found until then is not all there is.
func (m *Meter) Done() bool { return m != nil && m.done }

// Stop ends the search.
func (m *Meter) Stop() {
	if m != nil {
		m.done = true
	}
}

// Spent is how many steps were counted.
func (m *Meter) Spent() int {
	if m == nil {
		return 0
	}
	return m.spent
}
