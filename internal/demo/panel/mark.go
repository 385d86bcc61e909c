package panel

import "github.com/argo-why/argo-why/internal/simulator"

// mark is a state as Argo CD shows it: a shape with a colour, and a word.
type mark struct {
	// Kind is "sync", "health" or "operation": what the word is about.
	Kind, Word string
	// Shape and Tone are classes of the style sheet and parts of the templates.
	Shape, Tone string
	// Count is of how many applications; 0 for one.
	Count int
}

// marks are those of an application in Argo CD's order. The operation is shown where it says something.
func marks(s simulator.State) []mark {
	out := []mark{markOf("health", s.Health), markOf("sync", s.Sync)}
	switch {
	case s.Running:
		out = append(out, mark{Kind: "operation", Word: "Syncing", Shape: "ring", Tone: "blue"})
	case s.Operation == "Failed":
		out = append(out, mark{Kind: "operation", Word: "Sync failed", Shape: "cross", Tone: "red"})
	case s.Operation == "Error":
		out = append(out, mark{Kind: "operation", Word: "Sync error", Shape: "cross", Tone: "red"})
	}
	return out
}

// shapes are those of Argo CD's words; what is not among them is unknown.
var shapes = map[string]mark{
	"Synced": {Shape: "check", Tone: "green"}, "OutOfSync": {Shape: "arrow", Tone: "yellow"},
	"Healthy": {Shape: "heart", Tone: "green"}, "Progressing": {Shape: "ring", Tone: "blue"}, "Degraded": {Shape: "broken", Tone: "red"},
	"Suspended": {Shape: "pause", Tone: "purple"}, "Missing": {Shape: "hole", Tone: "yellow"},
	"Running": {Shape: "ring", Tone: "blue"}, "Succeeded": {Shape: "check", Tone: "green"}, "Failed": {Shape: "cross", Tone: "red"},
	"Error": {Shape: "cross", Tone: "red"}, "Terminating": {Shape: "ring", Tone: "blue"},
	"SyncFailed": {Shape: "cross", Tone: "red"}, "Pruned": {Shape: "hole", Tone: "yellow"}, "PruneSkipped": {Shape: "hole", Tone: "yellow"},
}

func markOf(kind, word string) mark {
	if word == "" {
		word = "Unknown"
	}
	m, known := shapes[word]
	if !known {
		m = mark{Shape: "question", Tone: "grey"}
	}
	m.Kind, m.Word = kind, word
	return m
}
