package health

import (
	"cmp"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
	"github.com/argo-why/argo-why/internal/text"
)

// underWay are the words of operators for work that is not done.
var underWay = pattern.MustCompile(`(?i)upgrad|applying|rolling|updating|creating|scaling|pending|provision|progress|reconcil|initiali[sz]|deploying|setting up|restoring|switchover|bootstrap|configuring|waiting|starting`)

// withTrouble adds what helps against what an operator says of a resource.
func withTrouble(in *diagnose.In, s *unhealthy.Resource, c unhealthy.Complaint, f diagnose.Finding) diagnose.Finding {
	if c.Text == "" && f.Says.Text == "" && underWay.MatchString(c.Reason) {
		return stillWorking(s, c, f)
	}
	said := requestID.ReplaceAllString(rpcFrame.ReplaceAllString(provider.ReplaceAllString(f.Says.Text, "$1"), ""), "")
	w := knownTrouble(s, c.Text) // its event may say more, but not what that means to it
	f.Whole = w.what == "" || c.Text == f.Says.Text
	if w.what == "" {
		w = troubleOf(s, said, c.Reason)
	}
	if pod := namedPod(s, said); pod.what != "" && (w.what == "" || w.vague) {
		w = pod
	}
	if w.what == "" {
		f.Whole = false
		if w.fix == nil {
			w.fix = advice.OperatorSteps(s.Ref, false)
		}
		f.Fix = append(w.fix, f.Fix...)
		return f
	}
	f.Fix = append(w.fix, f.Fix...)
	f.Title = fmt.Sprintf("%s: %s", s.Ref, w.what)
	if verb, _, _ := strings.Cut(w.what, " "); verb == "cannot" || verb == "waits" {
		f.Title = fmt.Sprintf("%s %s", s.Ref, w.what)
	}
	if w.vague {
		f = withClause(in, s, said, f)
	}
	if strings.Contains(c.What, "=") {
		f.Why = text.Sentence("It reports " + c.What + inBrackets(c.Reason) + of(c))
	}
	return f
}

// rpcFrame is what gRPC puts in front of an error.
var rpcFrame = pattern.MustCompile(`rpc error: code = \w+ desc = `)

// requestID is what the SDK of AWS puts behind an error.
var requestID = pattern.MustCompile(`[.,]?\s*status code: \d+, request id: .*$`)

// podName is how operators name a pod of theirs.
var podName = pattern.MustCompile(`(?i)\bpods?(?: resource)?[ /"']+([a-z0-9]+(?:-[a-z0-9]+)*-[a-z0-9]+)\b(?: in namespace "?([a-z0-9-]+))?`)

// namedPod is the trouble of an object whose operator waits for a pod that it names.
func namedPod(s *unhealthy.Resource, said string) operatorTrouble {
	m := podName.FindStringSubmatch(said)
	if m == nil || s.Ref.Namespace == "" && m[2] == "" || !message.HasAny(strings.ToLower(said), "to be ready", "not ready", "unready", "nodes are available", "crash", "not running") {
		return operatorTrouble{}
	}
	return operatorTrouble{what: "waits for Pod/" + m[1], fix: []diagnose.Fix{{
		Text:    "Look at that pod: its events and containers hold the cause",
		Command: diagnose.Shell("kubectl -n %s describe pod %s", cmp.Or(m[2], s.Ref.Namespace), m[1]),
	}}}
}

// stillWorking is the finding about an object that names what is being done and no error.
func stillWorking(s *unhealthy.Resource, c unhealthy.Complaint, f diagnose.Finding) diagnose.Finding {
	state := c.What
	if strings.Contains(c.What, "=") {
		state = c.What + inBrackets(c.Reason)
	}
	if s.Since > time.Hour {
		f.Why = text.Paragraph("Its status names no error.", cmp.Or(calledDegraded(s), text.Sentence("It "+s.IsStill())))
		f.Fix = append(append(advice.Steps("Look at the pods that belong to it: the operator may be waiting for one of them. Then read the operator's log"), advice.OperatorSteps(s.Ref, false)...), f.Fix...)
		return f
	}
	f.Why = text.Paragraph("Its operator is still working on it: the status names no error.", cmp.Or(calledDegraded(s), text.Sentence(message.After("It ", s.IsStill()))))
	f.Fix = append(advice.Steps(fmt.Sprintf("Wait until its operator is done. If %s does not move on, read the operator's log", state)), f.Fix...)
	return f
}

// withClause puts the longest end of what an operator says into the title for which that has room: behind the resource, else behind its kind.
func withClause(in *diagnose.In, s *unhealthy.Resource, said string, f diagnose.Finding) diagnose.Finding {
	said = strings.TrimRight(said, ".;, ")
	for _, subject := range []string{s.Ref.String(), s.Ref.Kind} {
		for tail := range message.Ends(said) {
			if isClause(tail, tail == said) && in.Fits(subject+": "+tail) {
				f.Title, f.Short, f.Whole = fmt.Sprintf("%s: %s", s.Ref, tail), fmt.Sprintf("%s: %s", s.Ref.Kind, tail), true
				if f.Says.Text = strings.TrimRight(strings.TrimSuffix(said, tail), ": "); len(strings.Fields(f.Says.Text)) < 3 { // it says nothing of its own
					f.Says = diagnose.Said{}
				}
				return f
			}
		}
	}
	return f
}

// isClause reports whether the end of a chain of reasons, or the whole of it, says enough to stand alone.
func isClause(tail string, whole bool) bool {
	least := 4 // words
	if whole {
		least = 3
	}
	first, _ := utf8.DecodeRuneInString(tail)
	return len(strings.Fields(tail)) >= least && (unicode.IsLetter(first) || first == '"')
}

// calledDegraded says that a state which passes is shown as a failure.
func calledDegraded(s *unhealthy.Resource) string {
	if s.Status != "Degraded" {
		return ""
	}
	return "Argo CD's health check calls this state Degraded."
}
