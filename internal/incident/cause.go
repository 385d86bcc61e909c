package incident

import (
	"crypto/sha256"
	"encoding/base32"
	"regexp"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
)

// Cause says what an incident is about, in a form that can be compared.
type Cause struct {
	// Rule is the id of the rule that found it, or "unknown".
	Rule string `json:"rule"`
	// Resource is what fails; empty where the application as a whole does.
	Resource evidence.Ref `json:"resource,omitzero"`
	// Key is what the cause is known by among those of one application: see [key].
	Key string `json:"key"`
	// Print is equal while the evidence is: the texts without numbers, ids, times and addresses of pods.
	Fingerprint string `json:"print"`
	// Group is equal for all applications that fail of one shared cause: "render/git-unreachable: git host git.example.com".
	// Empty where the cause is the application's own.
	Group string `json:"group,omitempty"`
	// Child is the child application whose failure this only shows; zero where the cause is none of a child.
	Child App `json:"child,omitzero"`
	// Subject is the shared thing in words: "git host git.example.com".
	Subject string `json:"subject,omitempty"`
}

// CauseOf is what a bad report is about, or what an application waits for that takes long, or for a person; the zero Cause for any other.
func CauseOf(r *diagnose.Report) Cause {
	if r == nil {
		return Cause{}
	}
	f := leading(r)
	if !r.Verdict.Bad() && (r.Verdict != diagnose.VerdictProgressing || f.Kind != diagnose.KindOverdue && !f.Held) {
		return Cause{}
	}
	c := Cause{Rule: f.Rule, Resource: f.Resource, Child: childOf(r.App, f)}
	c.Key = causeKey(&f, r.Findings)
	texts := []string{c.Rule, f.Resource.Namespace, f.Resource.String(), f.Title, f.Says.Text}
	for _, q := range f.Evidence {
		texts = append(texts, q.From, q.Text)
	}
	c.Fingerprint = digest(settled(strings.Join(texts, "\n")))
	if c.Subject = sharedThing(&f, r.Findings); c.Subject != "" {
		// Each Argo CD has its own repo-server, its own way to a git host, its own names for clusters.
		c.Group = strings.TrimSpace(r.App.Instance+" "+c.Rule) + ": " + c.Subject
	}
	return c
}

// leading is the finding that a report is about. One without any says at least what kind of trouble it is.
func leading(r *diagnose.Report) diagnose.Finding {
	if root := r.Root(); root != nil {
		return *root
	}
	if i := slices.IndexFunc(r.Findings, func(f diagnose.Finding) bool { return f.Kind == diagnose.KindOverdue || f.Held }); i >= 0 {
		return r.Findings[i]
	}
	if len(r.Findings) > 0 {
		return r.Findings[0]
	}
	return diagnose.Finding{Rule: "unknown", Title: string(r.Verdict)}
}

var (
	// suffix is what Kubernetes appends to a name that it generates: five of its 27 letters, which need not hold a digit.
	suffix = regexp.MustCompile(`-[bcdfghjklmnpqrstvwxz2456789]{5}\b`)
	// counted is a word with a digit in it: a time, an address, a hash, a request's id, a count.
	counted = regexp.MustCompile(`[\pL\pN_]*\pN[\pL\pN_]*`)
)

// settled leaves out what differs between two attempts that fail alike.
func settled(s string) string {
	return counted.ReplaceAllString(suffix.ReplaceAllString(s, "-#"), "#")
}

// digest is short, and equal for equal texts only.
func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:10])
}
