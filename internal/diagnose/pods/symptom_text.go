package pods

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/text"
)

// Subject is the container in question for a sentence: "container web", "init container wait-for-db".
func (a *Symptom) Subject() string {
	switch {
	case a.Container == "" && a.Init:
		return "an init container"
	case a.Container == "":
		return "a container"
	case a.Init:
		return "init container " + a.Container
	}
	return "container " + a.Container
}

// Restarted says how many times the container was restarted.
func (a *Symptom) Restarted() string {
	switch {
	case a.Restarts == 1:
		return ", restarted once"
	case a.Restarts > 1:
		return fmt.Sprintf(", restarted %d times", a.Restarts)
	}
	return ""
}

// Clause is what Kubernetes says in one clause, with its reason in front where the text does not contain it.
func (a *Symptom) Clause() string { return Wait{Reason: a.Reason, Text: Unwrap(a.Text)}.Short() }

// quoted is how much of a text evidence shows: the decisive clause often comes after five wrappers.
const quoted = 600

// Quote is the symptom as evidence: nothing taken out of the text, and the exit code beside the reason.
func (a *Symptom) Quote() string {
	said := text.Clip(text.OneLine(a.Text), quoted)
	reason := a.Reason
	if a.Exited && reason != "" {
		reason += fmt.Sprintf(", exit code %d", a.Exit)
	}
	switch {
	case said == "" && reason == "" && a.Container != "":
		return a.Subject() + ": running, not ready"
	case said == "" || reason == "" || strings.Contains(said, reason):
		return cmp.Or(said, reason)
	}
	return reason + ": " + said
}
