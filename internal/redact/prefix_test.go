package redact

import "testing"

// Most lines are known to have no prefix by their first byte. The expression says what one is.
func TestThePrefixOfALineIsWhatItsExpressionSays(t *testing.T) {
	for _, line := range []string{"", "2026-11-20T18:32:00.123Z stdout F x", "2026-11-20 18:32:00,1 +- x", "+  x", "> x", "| x", "' x", `"x`, "\tx", "12", "x"} {
		for b := range 256 {
			for _, line := range []string{line, string([]byte{byte(b)}) + line} {
				if got, want := prefix(line), linesOf().prefix.FindString(line); got != want {
					t.Errorf("%q: got %q, want %q", line, got, want)
				}
			}
		}
	}
}
