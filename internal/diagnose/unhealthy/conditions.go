package unhealthy

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// Complaint is what an object says about its own trouble: the condition that decides, or a field of its status.
type Complaint struct {
	// What is "Ready=False", or the path of the field; reason and text are its words.
	What, Reason, Text string
	// Firm: a condition or field that means trouble; else it only is not ready yet.
	Firm bool
	// since is when the condition became what it is; zero where it does not say.
	since evidence.Time
	// About is the generation of the object that it is about; 0 where it does not say.
	About int
	// Of is the part of the object that the condition is of: "Gateway/main" of a route, "listener https" of a Gateway. Empty for the whole.
	Of string
}

// Began is when the condition became what it is; zero where it does not say.
func (c Complaint) Began() evidence.Time { return c.since }

// ComplaintOf reads conditions of any kind of object. Some types mean trouble when they are True, most when they are
// False; the general ones (Ready) repeat the special ones, so the special come first, and of two the one with words.
func ComplaintOf(o evidence.Object) (Complaint, bool) {
	var found []Complaint
	for c, of := range conditionsOf(o) {
		kind, status := c.Text("type"), c.Text("status")
		bad := troubleWhenTrue(kind)
		switch {
		case bad && status == "True":
		case !bad && status == "False" && (troubleWhenFalse(kind) || isTroubleReason(c.Text("reason"))):
		case !bad && status == "Unknown" && troubleWhenFalse(kind) && c.Text("message") != "":
		default:
			continue
		}
		about, _ := c.Number("observedGeneration")
		found = append(found, Complaint{What: kind + "=" + status, Reason: c.Text("reason"), Text: informative(c), Firm: status != "Unknown" && c.Text("severity") != "Info", since: c.Time("lastTransitionTime"), About: int(about), Of: of})
	}
	for _, path := range [][]string{{"status", "error"}, {"status", "error", "message"}, {"status", "errorMessage"}, {"status", "failureMessage"}, {"status", "lastError"}, {"status", "lastError", "message"}} {
		if said := o.Text(path...); said != "" {
			found = append(found, Complaint{What: strings.Join(path, "."), Text: text.OneLine(said), Firm: true})
		}
	}
	if c, ok := cephOf(o); ok {
		found = append(found, c)
	}
	if len(found) == 0 {
		return stateOf(o)
	}
	slices.SortStableFunc(found, func(a, b Complaint) int { return cmp.Compare(b.weight(), a.weight()) })
	c := innermost(found)
	if state, ok := stateOf(o); ok && c.Text == "" && state.Text != "" {
		state.Firm = c.Firm
		return state, true
	}
	return c, true
}

// informative is what a condition says, empty where that only repeats its reason: "Cluster Is Not Ready" of ClusterIsNotReady.
func informative(c evidence.Object) string {
	said := text.OneLine(c.Text("message"))
	if strings.EqualFold(said, "not ready") || strings.EqualFold(strings.ReplaceAll(strings.TrimRight(said, "."), " ", ""), c.Text("reason")) {
		return ""
	}
	return said
}

// innermost is the first of some complaints, or the one that it only passes on: "not ready: kserve" beside KserveReady, which says why.
func innermost(found []Complaint) Complaint {
	said := strings.ToLower(found[0].Text)
	for _, c := range found[1:] {
		if part := c.part(); part != "" && c.Firm && c.Text != "" && slices.Contains(words(said), part) {
			return c
		}
	}
	return found[0]
}

// part is what a condition is about that speaks of a part of the object: "kserve" of KserveReady; empty for one about the whole.
func (c Complaint) part() string {
	kind, _, _ := strings.Cut(c.What, "=")
	for _, suffix := range []string{"Ready", "Available", "Healthy", "Synced", "Reconciled"} {
		if part, ok := strings.CutSuffix(kind, suffix); ok {
			return strings.ToLower(part)
		}
	}
	return ""
}

func words(said string) []string {
	return strings.FieldsFunc(said, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// conditionsOf are the conditions of an object, each with what it is of. Gateway API has those of a route in its parents, those of a policy
// in its ancestors, and more of a Gateway in its listeners.
func conditionsOf(o evidence.Object) iter.Seq2[evidence.Object, string] {
	return func(yield func(evidence.Object, string) bool) {
		for _, c := range o.List("status", "conditions") {
			if !yield(c, "") {
				return
			}
		}
		for _, list := range []string{"listeners", "parents", "ancestors"} {
			for _, part := range o.List("status", list) {
				of := "listener " + part.Text("name")
				for _, ref := range []string{"parentRef", "ancestorRef"} {
					if name := part.Text(ref, "name"); name != "" {
						of = cmp.Or(part.Text(ref, "kind"), "Gateway") + "/" + name
					}
				}
				for _, c := range part.List("conditions") {
					if !yield(c, of) {
						return
					}
				}
			}
		}
	}
}

// cephOf is what Ceph says of a CephCluster. Its state only says how far Rook has got.
func cephOf(o evidence.Object) (Complaint, bool) {
	health := o.Text("status", "ceph", "health")
	if health != "HEALTH_WARN" && health != "HEALTH_ERR" {
		return Complaint{}, false
	}
	details, _ := o.At("status", "ceph", "details").(map[string]any)
	var said []string
	for _, code := range slices.Sorted(maps.Keys(details)) {
		said = append(said, strings.Trim(code+": "+o.Text("status", "ceph", "details", code, "message"), ": "))
	}
	return Complaint{What: "status.ceph.health", Reason: health, Text: text.OneLine(strings.Join(said, "; ")), Firm: true}, true
}

// stateOf is the word in which objects without conditions say how they are.
func stateOf(o evidence.Object) (Complaint, bool) {
	for _, field := range []string{"phase", "state", "health", "healthStatus", "status", "synchronized", "PostgresClusterStatus", "updateStatus"} {
		word := o.Text("status", field)
		switch lower := strings.ToLower(word); {
		case word == "":
		case message.HasAny(lower, "fail", "error", "degrad", "unhealthy", "invalid", "stall", "lost", "unavailable", "unreachable", "rejected", "denied", "expired", "abort"), lower == "red":
			return Complaint{What: "status." + field, Reason: word, Text: stateWords(o), Firm: true}, true
		case !message.HasAny(lower, "ready", "running", "healthy", "active", "succeeded", "bound", "available", "complete", "green", "true", "ok", "synced", "operational", "created", "deployed", "installed", "connected", "configured", "provisioned", "enabled", "online", "established", "accepted", "reconciled", "success", "normal", "finished", "stable"), message.HasAny(lower, "not ready", "notready", "unready", "inactive", "incomplete", "unsynced", "outofsync", "unbound", "notcreated", "not created", "disconnected", "abnormal", "unstable", "not connected", "not installed", "not deployed"):
			return Complaint{What: "status." + field, Reason: word, Text: stateWords(o)}, true
		}
	}
	return Complaint{}, false
}

func stateWords(o evidence.Object) string {
	return text.OneLine(cmp.Or(o.Text("status", "message"), o.Text("status", "phaseReason"), o.Text("status", "reason")))
}

// troubleWhenTrue are the types of conditions that speak of trouble.
func troubleWhenTrue(kind string) bool {
	switch kind {
	case "Stalled", "Degraded", "NotReady", "ReconcileError", "Failure", "Error", "Fallback", "ACK.Terminal", "ACK.Recoverable":
		return true
	}
	return strings.HasSuffix(kind, "Failed") || strings.HasSuffix(kind, "Unhealthy") || strings.HasSuffix(kind, "Degraded") || strings.HasSuffix(kind, "Unavailable") || strings.HasSuffix(kind, "Failure") || strings.HasSuffix(kind, "Error") || strings.HasSuffix(kind, "Errors") || strings.HasSuffix(kind, "Errored") || strings.HasPrefix(kind, "Error")
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

func isTroubleReason(reason string) bool {
	return message.HasAny(strings.ToLower(reason), "fail", "error", "invalid", "denied", "notfound", "missing", "unauthorized", "conflict", "timeout", "unavailable", "exceeded")
}

func (c Complaint) weight() int {
	n := 0
	if c.Firm {
		n += 8
	}
	if kind, _, _ := strings.Cut(c.What, "="); kind != "Ready" && kind != "Available" && kind != "Healthy" {
		n += 2
	}
	if c.Text != "" {
		n += 4
	}
	if c.Of != "" { // the whole only says that a part is wrong
		n++
	}
	if strings.Contains(c.Text, ": ") { // it passes on what went wrong inside
		n += 3
	}
	return n
}

// Says quotes the complaint; without words where the object has none.
func (c Complaint) Says() diagnose.Said {
	who := "Its status says"
	switch {
	case c.What == ByHealthCheck:
		who = "Argo CD's health check says"
	case strings.HasPrefix(c.What, "event "):
		who = "Its last warning says"
	}
	return diagnose.Said{Who: who, Text: c.Text}
}

func (c Complaint) Quote() string {
	words := strings.Trim(c.Reason+": "+c.Text, ": ")
	if c.What == ByHealthCheck {
		return words
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s", c.What, words))
}

// freeHealth is how a resource is by its own word, where neither the application nor a tree shows the health of any: newer
// versions of Argo CD do not write it into the Application. "" where its object does not say or was not read.
func freeHealth(in *diagnose.In, ref evidence.Ref) string {
	o, ok := diagnose.Peek(in, evidence.FactObject(evidence.ObjectQuery{Ref: ref}))
	if !ok {
		return ""
	}
	if len(o.List("status", "pauseConditions")) > 0 {
		return "Suspended" // a Rollout at a pause
	}
	if c, complains := ComplaintOf(o); complains && c.Firm {
		return in.App().Status.Health.Status
	}
	return ""
}

// ByHealthCheck marks words that come from Argo CD's health check, which read them from the object.
const ByHealthCheck = "health check"
