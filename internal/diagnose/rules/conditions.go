package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
)

// complaint is what an object says about its own trouble: the condition that decides, or a field of its status.
type complaint struct {
	// what is "Ready=False", or the path of the field; reason and text are its words.
	what, reason, text string
	// firm: a condition or field that means trouble; else only that it is not there yet.
	firm bool
}

// complaintOf reads conditions of any kind of object. Some types mean trouble when they are True, most when they are
// False; the general ones (Ready) repeat the special ones, so the special come first, and of two the one with words.
func complaintOf(o evidence.Object) (complaint, bool) {
	var found []complaint
	for _, c := range o.List("status", "conditions") {
		kind, status := c.Text("type"), c.Text("status")
		bad := troubleWhenTrue(kind)
		switch {
		case bad && status == "True":
		case !bad && status == "False" && (troubleWhenFalse(kind) || troubled(c.Text("reason"))):
		case !bad && status == "Unknown" && troubleWhenFalse(kind) && c.Text("message") != "":
		default:
			continue
		}
		found = append(found, complaint{what: kind + "=" + status, reason: c.Text("reason"), text: message.OneLine(c.Text("message")), firm: status != "Unknown"})
	}
	for _, path := range [][]string{{"status", "error"}, {"status", "errorMessage"}, {"status", "failureMessage"}, {"status", "lastError"}} {
		if text := o.Text(path...); text != "" {
			found = append(found, complaint{what: strings.Join(path, "."), text: message.OneLine(text), firm: true})
		}
	}
	if len(found) == 0 {
		return stateOf(o)
	}
	slices.SortStableFunc(found, func(a, b complaint) int { return cmp.Compare(b.weight(), a.weight()) })
	return found[0], true
}

// stateOf is the word in which objects without conditions say how they are.
func stateOf(o evidence.Object) (complaint, bool) {
	for _, field := range []string{"phase", "state", "health", "healthStatus", "status", "synchronized"} {
		word := o.Text("status", field)
		switch lower := strings.ToLower(word); {
		case word == "":
		case message.HasAny(lower, "fail", "error", "degrad", "unhealthy", "invalid", "stall", "red", "lost"):
			return complaint{what: "status." + field, reason: word, text: stateWords(o), firm: true}, true
		case !message.HasAny(lower, "ready", "running", "healthy", "active", "succeeded", "bound", "available", "complete", "green", "true", "ok", "synced"), message.HasAny(lower, "not ready", "notready"):
			return complaint{what: "status." + field, reason: word, text: stateWords(o)}, true
		}
	}
	return complaint{}, false
}

func stateWords(o evidence.Object) string {
	return message.OneLine(cmp.Or(o.Text("status", "message"), o.Text("status", "phaseReason"), o.Text("status", "reason")))
}

// troubleWhenTrue are the types of conditions that speak of trouble.
func troubleWhenTrue(kind string) bool {
	switch kind {
	case "Stalled", "Degraded", "NotReady", "ReconcileError", "Failure", "Error", "Fallback":
		return true
	}
	return strings.HasSuffix(kind, "Failed") || strings.HasSuffix(kind, "Failure") || strings.HasSuffix(kind, "Error") || strings.HasSuffix(kind, "Errored") || strings.HasPrefix(kind, "Error")
}

// troubleWhenFalse are the types of conditions that a working object has as True. Others (Active, Paused, Progressing) say
// what it does, not how it is.
func troubleWhenFalse(kind string) bool {
	for _, suffix := range []string{"Ready", "Available", "Synced", "Healthy", "Established", "Accepted", "Reconciled", "Succeeded", "Programmed", "ResolvedRefs", "Valid", "Initialized", "Provisioned", "Installed", "Released", "Applied", "Deployed", "Connected", "Success"} {
		if strings.HasSuffix(kind, suffix) && !strings.HasPrefix(kind, "Not") {
			return true
		}
	}
	return false
}

func troubled(reason string) bool {
	return message.HasAny(strings.ToLower(reason), "fail", "error", "invalid", "denied", "notfound", "missing", "unauthorized", "conflict", "timeout", "unavailable", "exceeded")
}

func (c complaint) weight() int {
	n := 0
	if c.firm {
		n += 8
	}
	if kind, _, _ := strings.Cut(c.what, "="); kind != "Ready" && kind != "Available" && kind != "Healthy" {
		n += 2
	}
	if c.text != "" {
		n += 4
	}
	return n
}

// words is the complaint in one clause.
func (c complaint) words() string {
	return message.Clip(cmp.Or(c.text, c.reason, c.what), clause)
}

func (c complaint) quote() string {
	words := strings.Trim(c.reason+": "+c.text, ": ")
	if c.what == byHealthCheck {
		return words
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s", c.what, words))
}
