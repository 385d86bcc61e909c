package text

// TakenBack is the state of an action that was denied by its requester. The record says Denied.
const TakenBack = "TakenBack"

// states are the states of an action in words that follow its name ("Sync of 3f2a91c failed"), each with its icon.
var states = map[string]struct{ icon, words string }{
	"Waiting":     {"⏳", "waiting for approval"},
	"Ready":       {"⏳", "about to start"},
	"Running":     {"⏳", "running"},
	"Done":        {"✅", "done"},
	"Failed":      {"❌", "failed"},
	"Changed":     {"⚠️", "not done: something changed"},
	"Denied":      {"🚫", "denied"},
	TakenBack:     {"↩️", "withdrawn"},
	"Expired":     {"⌛", "not approved in time"},
	"Withdrawn":   {"↩️", "withdrawn"},
	"Interrupted": {"❔", "interrupted"},
}

// State is a state of an action as people read it, in a thread and in the audit list. A state that is not known is shown as it
// is: a newer version of the bot may have written it.
func State(state string) (icon, words string) {
	if s, ok := states[state]; ok {
		return s.icon, s.words
	}
	return "❔", state
}
