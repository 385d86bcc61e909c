package evidence

import (
	"strconv"
	"time"
)

// Time is a moment as the APIs write it (RFC 3339, UTC). Null, an empty string and text that is no time become the zero
// moment: one odd timestamp must not cost the diagnosis.
type Time struct{ time.Time }

// UnmarshalJSON never fails on a string that is no time.
func (t *Time) UnmarshalJSON(b []byte) error {
	t.Time = time.Time{}
	s, err := strconv.Unquote(string(b))
	if err != nil {
		return nil //nolint:nilerr // null or a number: no time
	}
	if parsed, err := time.Parse(time.RFC3339, s); err == nil {
		t.Time = parsed.UTC()
	}
	return nil
}

// MarshalJSON writes RFC 3339, or null for the zero moment.
func (t Time) MarshalJSON() ([]byte, error) {
	if t.IsZero() {
		return []byte("null"), nil
	}
	return strconv.AppendQuote(nil, t.UTC().Format(time.RFC3339)), nil
}
