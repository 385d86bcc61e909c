package outofsync

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/drift"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/evidence"
)

const (
	// shownFields is how many fields a finding quotes: what a screen holds beside the rest of the report.
	shownFields = 6
	// shownValue is how much of a value is quoted, in bytes: half a line of a terminal.
	shownValue = 60
)

// first is the field to speak of.
func (g *explained) first() (*resource, drift.Field) {
	r := g.resources[0]
	return r, r.explainedBy(g.rule)[0]
}

// count is how many fields differ in all.
func (g *explained) count() int {
	n := 0
	for _, r := range g.resources {
		n += len(r.explainedBy(g.rule))
	}
	return n
}

// what names the fields for a title: "spec.replicas of Deployment/web", "3 fields of Deployment/web", "fields of 4
// resources".
func (g *explained) what() string {
	r, f := g.first()
	switch {
	case len(g.resources) > 1:
		return fmt.Sprintf("%d fields of %d resources (%s, …)", g.count(), len(g.resources), r.Ref)
	case g.count() > 1:
		return fmt.Sprintf("%d fields of %s", g.count(), r.Ref)
	}
	return fmt.Sprintf("%s of %s", f.Path.Short(), r.Ref)
}

// values tells the first field's two values: "is 3 in the cluster and 1 in Git".
func (g *explained) values() string {
	r, f := g.first()
	live, desired := sides(r, f)
	if live == hidden {
		return fmt.Sprintf("%s of %s differs", f.Path.Short(), r.Ref)
	}
	switch {
	case !f.InLive:
		return fmt.Sprintf("%s of %s is %s in Git and not there in the cluster", f.Path.Short(), r.Ref, desired)
	case !f.InDesired:
		return fmt.Sprintf("%s of %s is %s in the cluster and not there in Git", f.Path.Short(), r.Ref, live)
	}
	return fmt.Sprintf("%s of %s is %s in the cluster and %s in Git", f.Path.Short(), r.Ref, live, desired)
}

// quotes are the first fields, a line each, and how many more there are.
func (g *explained) quotes() []diagnose.Quote {
	var out []diagnose.Quote
	for _, r := range g.resources {
		for _, f := range r.explainedBy(g.rule) {
			if len(out) < shownFields {
				out = append(out, diagnose.Quote{From: "diff of " + r.Ref.String(), Text: line(g.in, r, f)})
			}
		}
	}
	if more := g.count() - len(out); more > 0 {
		out = append(out, diagnose.Quote{From: "diff", Text: fmt.Sprintf("and %d more; see them with %s", more, diagnose.Shell("argocd app diff %s", advice.AppName(g.in)))})
	}
	if left := g.all.left; left > 0 {
		out = append(out, diagnose.Quote{From: "status.resources", Text: fmt.Sprintf("%d more resources are out of sync and were not compared", left)})
	}
	return out
}

func line(in *diagnose.In, r *resource, f drift.Field) string {
	live, desired := sides(r, f)
	text := fmt.Sprintf("%s: Git %s, live %s", f.Path, desired, live)
	if live == hidden {
		text = fmt.Sprintf("%s: differs (secret values are not shown)", f.Path)
	}
	if o := ownerOf(f); o.Manager != "" {
		text += ", written by " + wrote(in, o)
	}
	return text
}

// hidden stands for what must not be seen.
const hidden = "(hidden)"

// sides are both values of a field, on one line each. Those of Secrets are hidden, and what is called like one elsewhere.
func sides(r *resource, f drift.Field) (live, desired string) {
	if confidential(r, f) {
		return hidden, hidden
	}
	return shown(f.InLive, f.Live), shown(f.InDesired, f.Desired)
}

func shown(there bool, v any) string {
	if !there {
		return "nothing"
	}
	return message.Clip(drift.Show(v), shownValue)
}

// confidential reports whether the values of a field must not be seen.
func confidential(r *resource, f drift.Field) bool {
	if secret(r.Ref) {
		return !f.Path.Under("metadata", "labels") && !f.Path.Under("type") && f.Path.Last() != "argocd.argoproj.io/tracking-id"
	}
	redacted := strings.Contains(drift.Show(f.Desired)+drift.Show(f.Live), "[redacted") // in a case file
	return redacted || saysSecret(f.Path.String()) || saysSecret(holds(f.Desired)) || saysSecret(holds(f.Live))
}

// saysSecret reports whether a text names a secret. secretName, secretRef and the like only point at one.
func saysSecret(text string) bool {
	return secretWord.MatchString(pointsAtSecret.ReplaceAllString(text, ""))
}

var (
	secretWord     = regexp.MustCompile(`(?i)passw(or)?d|passphrase|token|api[_-]?key|private[_-]?key|access[_-]?key|secret|credential|connection[_-]?string`)
	pointsAtSecret = regexp.MustCompile(`(?i)(existing)?(image[_-]?pull)?secrets?[_-]?(name|key[_-]?ref|ref|store|provider[_-]?class)s?\w*|image[_-]?pull[_-]?secrets|service[_-]?account[_-]?token|token[_-]?(expiration|ttl|audience)\w*|external[_-]?secrets?|sealed[_-]?secrets?|\.spec\.secrets?$`)
)

// holds are the names in a value that may say that it is a secret: the keys of what differs as a whole (an added
// variable), and the lines of a file (password: …).
func holds(v any) string {
	switch v := v.(type) {
	case map[string]any, []any:
		return drift.Show(v)
	case string:
		if strings.Contains(v, "\n") {
			return v
		}
	}
	return ""
}

func secret(ref evidence.Ref) bool { return ref.Kind == "Secret" && ref.Group == "" }

// ownerOf is who wrote the live value: the last to write it that is not Argo CD, else Argo CD.
func ownerOf(f drift.Field) drift.Owner {
	for _, o := range f.Owners {
		if !isArgo(o) {
			return o
		}
	}
	if len(f.Owners) > 0 {
		return f.Owners[0]
	}
	return drift.Owner{}
}

// stranger is the owner if it is not Argo CD's controller.
func stranger(f *drift.Field) (drift.Owner, bool) {
	o := ownerOf(*f)
	return o, o.Manager != "" && !isArgo(o)
}

// isArgo: the application controller, under the names it has had. argocd-server writes on behalf of people.
func isArgo(o drift.Owner) bool {
	switch o.Manager {
	case "argocd-controller", "argocd-application-controller", "argocd":
		return true
	}
	return false
}

// wrote is who and when.
func wrote(in *diagnose.In, o drift.Owner) string {
	out := o.Manager
	switch {
	case o.Subresource == "":
	case out == "kubectl": // kubectl scale
		out += " " + o.Subresource
	default:
		out += " (" + o.Subresource + ")"
	}
	return out + since(in, o.Time)
}

// since is how long ago a moment was, as the end of a clause.
func since(in *diagnose.In, t evidence.Time) string {
	if d := in.Since(t); d > 0 {
		return ", " + advice.Span(d) + " ago"
	}
	return ""
}

// overwrites is the verdict where a sync replaces the live values by Git's.
func overwrites(why string) diagnose.Advice {
	return diagnose.Advice{Verdict: diagnose.SyncOverwritesLive, Why: why}
}

// seeDiff is the command that shows the whole difference.
func seeDiff(in *diagnose.In) diagnose.Fix {
	return diagnose.Fix{Text: "See the whole difference", Command: diagnose.Shell("argocd app diff %s", advice.AppName(in))}
}

// inGit names the place where the manifests are, for a step that changes them.
func inGit(in *diagnose.In) string {
	s := in.App().Source(0)
	switch {
	case s.Chart != "":
		return fmt.Sprintf(" (chart %s)", s.Chart)
	case s.Path != "":
		return fmt.Sprintf(" (%s in %s)", s.Path, cmp.Or(s.RepoURL, "the repository"))
	}
	return ""
}

// lastField is the name of the field a path ends at, the list's name for a member of it.
func lastField(p drift.Path) string {
	for i := len(p) - 1; i >= 0; i-- {
		if !p[i].Member {
			return p[i].Field
		}
	}
	return strings.TrimSpace(p.String())
}
