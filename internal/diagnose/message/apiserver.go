package message

import (
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose/pattern"
)

// The refusals of the Kubernetes API server have fixed forms (apimachinery's errors and validation/field packages). The
// functions here read them; each returns ok=false when the text has not that form.

// Invalid is `Kind.group "name" is invalid: field: reason`.
type Invalid struct {
	Kind, Group, Name string
	// Field is the first path that is wrong, e.g. "spec.selector"; Reason what is wrong with it.
	Field, Reason string
}

var (
	invalidHead  = pattern.MustCompile(`(?:([A-Z][A-Za-z0-9]*)((?:\.[a-z0-9\-]+)*)\s+)?"?([A-Za-z0-9][A-Za-z0-9.:_\-]*)"? is invalid: \[?`)
	invalidField = pattern.MustCompile(`^\s*([a-zA-Z][A-Za-z0-9_\-]*(?:\.[A-Za-z0-9_\-/]+|\[[^\]]*\])*): `)
)

// nextInvalid is where the reason for one field ends and that for another begins.
var nextInvalid = pattern.MustCompile(`,? ([a-zA-Z][A-Za-z0-9_\-]*(?:\.[A-Za-z0-9_\-/]+|\[[^\]]*\])*): (?:Required value|Invalid value|Unsupported value|Duplicate value|Forbidden|Not found|Too long|Too many)`)

// InvalidFields are all the fields that a validation error names, each with its reason: `[a: Required value, b.c: Forbidden: …]`.
func (f *Failure) InvalidFields() []Invalid {
	v, ok := f.Invalid()
	if !ok || v.Field == "" {
		return nil
	}
	var out []Invalid
	for {
		next := nextInvalid.FindStringSubmatchIndex(v.Reason)
		if next == nil {
			return append(out, v)
		}
		one := v
		one.Reason = strings.TrimRight(v.Reason[:next[0]], " ,")
		out = append(out, one)
		v.Field, v.Reason = v.Reason[next[2]:next[3]], v.Reason[next[3]+len(": "):]
	}
}

// Invalid is the validation error in it.
func (f *Failure) Invalid() (Invalid, bool) { return f.invalid, f.isInvalid }

func (f *Failure) readInvalid() (Invalid, bool) {
	if !strings.Contains(f.flat, " is invalid: ") {
		return Invalid{}, false
	}
	m := invalidHead.FindStringSubmatchIndex(f.flat)
	if m == nil {
		return Invalid{}, false
	}
	group := func(i int) string {
		if m[2*i] < 0 {
			return ""
		}
		return f.flat[m[2*i]:m[2*i+1]]
	}
	v := Invalid{Kind: group(1), Group: strings.TrimPrefix(group(2), "."), Name: group(3), Reason: f.flat[m[1]:]}
	if fm := invalidField.FindStringSubmatch(v.Reason); fm != nil {
		v.Field, v.Reason = fm[1], v.Reason[len(fm[0]):]
		if strings.HasSuffix(f.flat[:m[1]], "[") { // of a list
			v.Reason = strings.TrimSuffix(v.Reason, "]")
		}
	}
	return v, true
}

// Forbidden is `things.group is forbidden: User "u" cannot VERB resource "things" in API group "group" …`.
type Forbidden struct {
	User, Verb, Resource, Group string
	// Namespace is empty at the cluster scope.
	Namespace string
	// Authorizer is what an authorizer gives as its reason, behind the scope: RBAC gives none, those of cloud providers do.
	Authorizer string
}

// cannot is one refusal of an authorizer, of which a text may have several.
var cannot = pattern.MustCompile(`[Uu]ser "([^"]+)" cannot ([a-z]+) resource "([^"]+)" in API group "([^"]*)"(?: (?:in the namespace "([^"]+)"|at the cluster scope))?(?:: ([^:,;]*[^,;]*))?`)

// AllForbidden are all the refusals of an authorizer that the text has: one operation can run into several.
func (f *Failure) AllForbidden() []Forbidden {
	var out []Forbidden
	for _, m := range cannot.FindAllStringSubmatch(f.flat, -1) {
		out = append(out, Forbidden{User: m[1], Verb: m[2], Resource: m[3], Group: m[4], Namespace: m[5], Authorizer: reasonOf(m[6])})
	}
	if v, ok := f.Forbidden(); ok && len(out) == 0 {
		out = append(out, v)
	}
	return out
}

// reasonOf is the reason of an authorizer; empty where it only says that it has none.
func reasonOf(said string) string {
	said = strings.TrimSpace(said)
	if HasAny(lowerASCII(said), "rbac:", "does not have opinion", "no opinion", "requires one of [") || !strings.Contains(said, " ") {
		return ""
	}
	return said
}

var (
	forbiddenUser = pattern.MustCompile(`[Uu]ser "([^"]+)"(?: cannot ([a-z]+)(?: resource)?(?: "?([a-z0-9./\-]+)"?)?)?`)
	forbiddenIn   = pattern.MustCompile(`in API group "([^"]*)"`)
	forbiddenNS   = pattern.MustCompile(`in the namespace "([^"]+)"`)
	forbiddenHead = pattern.MustCompile(`([a-z0-9]+)((?:\.[a-z0-9\-]+)*)(?: "[^"]*")? is forbidden`)
)

// Forbidden reads what RBAC refused, and to which account.
func (f *Failure) Forbidden() (Forbidden, bool) {
	if !strings.Contains(f.lower, "forbidden") && !strings.Contains(f.lower, " cannot ") {
		return Forbidden{}, false
	}
	m := forbiddenUser.FindStringSubmatch(f.flat)
	if m == nil {
		return Forbidden{}, false
	}
	v := Forbidden{User: m[1], Verb: m[2], Resource: m[3]}
	if g := forbiddenIn.FindStringSubmatch(f.flat); g != nil {
		v.Group = g[1]
	} else if h := forbiddenHead.FindStringSubmatch(f.flat); h != nil && h[1] == v.Resource { // the text is cut off
		v.Group = strings.TrimPrefix(h[2], ".")
	}
	if n := forbiddenNS.FindStringSubmatch(f.flat); n != nil {
		v.Namespace = n[1]
	}
	if h := forbiddenHead.FindStringSubmatch(f.flat); h != nil && v.Resource == "" {
		v.Resource, v.Group = h[1], strings.TrimPrefix(h[2], ".")
	}
	if c := cannot.FindStringSubmatch(f.flat); c != nil {
		v.Authorizer = reasonOf(c[6])
	}
	return v, true
}

var (
	webhookName    = pattern.MustCompile(`(?:admission webhook|calling webhook|conversion webhook for) "?([A-Za-z0-9.\-/]+(?:, Kind=[A-Za-z]+)?)"?`)
	webhookService = pattern.MustCompile(`https://([a-z0-9\-]+)\.([a-z0-9\-]+)\.svc`)
)

// Webhook is the name of the webhook a message speaks of, empty without one; Service and Namespace are where it is served.
func (f *Failure) Webhook() (name, service, namespace string) {
	if m := webhookName.FindStringSubmatch(f.flat); m != nil {
		name = m[1]
	}
	for _, m := range webhookService.FindAllStringSubmatch(f.flat, -1) {
		if m[1] != "kubernetes" { // the API server itself, which the wrapping names
			service, namespace = m[1], m[2]
		}
	}
	return name, service, namespace
}

// Quoted is the first text in double quotes behind a word, e.g. the namespace in `namespaces "x" not found`.
func (f *Failure) Quoted(after string) string {
	i := strings.Index(f.lower, after)
	if i < 0 {
		return ""
	}
	rest := f.flat[i+len(after):]
	open := strings.IndexAny(rest, `"'`)
	if open < 0 || open > 40 {
		return ""
	}
	inner, _, ok := strings.Cut(rest[open+1:], rest[open:open+1])
	if !ok {
		return ""
	}
	return inner
}
