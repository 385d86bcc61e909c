package answer

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// TestTheHelpNamesWhatIsDoneAllTheTime, as far as the configuration has it done.
func TestTheHelpNamesWhatIsDoneAllTheTime(t *testing.T) {
	for want, jobs := range map[string][]Job{
		"Without being asked, the bot watches all applications.":              nil,
		"Without being asked, the bot watches all applications; warns of it.": {{What: "warns of it"}},
	} {
		raw, err := json.Marshal(help("/argo", jobs).Blocks)
		if err != nil || !strings.Contains(string(raw), want) {
			t.Errorf("no %q in %s, %v", want, raw, err)
		}
	}
}

func TestTheHelpNamesWhatIsPostedOnSchedule(t *testing.T) {
	at := time.Date(2026, 11, 24, 8, 0, 0, 0, time.UTC)
	for want, jobs := range map[string][]Job{"1795507200": {{What: "a digest in alerts", Next: at}}, "What you can ask": nil} {
		raw, err := json.Marshal(help("/argo", jobs).Blocks)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(raw); !strings.Contains(got, want) || strings.Contains(got, "on schedule") != (jobs != nil) {
			t.Errorf("no %s in %s", want, got)
		}
	}
}
