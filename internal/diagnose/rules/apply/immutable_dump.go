package apply

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
)

// change is a field in the difference that the API server prints of a spec. live and git are its values, empty where they are none or
// no plain ones.
type change struct {
	field, live, git string
	// unset: Git has no value for it.
	unset bool
}

var (
	// dumpHead is where the difference begins: "core.PersistentVolumeClaimSpec{".
	dumpHead = pattern.MustCompile(`(?:Spec|VolumeSource)\s*\{`)
	// dumpLine is a line of it: `-  StorageClassName: &"gp2",`. It mixes in spaces that do not break.
	dumpLine = pattern.MustCompile(`(?m)^([-+])[\s\x{a0}]+([A-Z][A-Za-z]+):[\s\x{a0}]+(.*?),?$`)
	// dumpString is a value that is a text.
	dumpString = pattern.MustCompile(`^&?"([^"]*)"$`)
)

// dumped are the fields that differ, in the order of the text.
func dumped(said string) []change {
	at := dumpHead.FindStringIndex(said)
	if at == nil {
		return nil
	}
	var out []change
	for _, m := range dumpLine.FindAllStringSubmatch(said[at[1]:], -1) {
		field, value, git := jsonName(m[2]), "", m[1] == "+"
		if s := dumpString.FindStringSubmatch(strings.TrimSpace(m[3])); s != nil {
			value = s[1]
		}
		i := len(out) - 1
		for ; i >= 0 && out[i].field != field; i-- {
		}
		if i < 0 {
			out, i = append(out, change{field: field}), len(out)
		}
		if git {
			out[i].git, out[i].unset = value, value == "" && (m[3] == "nil" || dumpString.MatchString(m[3]))
		} else {
			out[i].live = value
		}
	}
	return out
}

// jsonName is the name that a field of a Go structure has in a manifest: "dnsPolicy" of "DNSPolicy".
func jsonName(field string) string {
	r := []rune(field)
	for i := range r {
		if i > 0 && i+1 < len(r) && unicode.IsLower(r[i+1]) {
			break
		}
		if !unicode.IsUpper(r[i]) {
			break
		}
		r[i] = unicode.ToLower(r[i])
	}
	return string(r)
}

// keepUnset helps where Git leaves out what the cluster has set: the value is known then, and a sync that replaces the object is to blame.
func keepUnset(in *diagnose.In, f *diagnose.Finding, said *message.Failure) {
	changes := dumped(said.Text)
	if len(changes) == 0 {
		return
	}
	var names, lines []string
	for _, c := range changes {
		if !c.unset || c.live == "" {
			return
		}
		names, lines = append(names, c.field), append(lines, fmt.Sprintf("  %s: %s\n", c.field, c.live))
	}
	f.Why = fmt.Sprintf("The live object has a value in %s, and what the sync sends has none. A value cannot be removed after creation.", list(names))
	f.Fix[0] = diagnose.Fix{Text: "Set the live value in Git, then push", Patch: "spec:\n" + strings.Join(lines, "")}
	if len(names) > 1 {
		f.Fix[0].Text = "Set the live values in Git, then push"
	}
	if replaces(in, said) {
		f.Fix = append([]diagnose.Fix{{Text: "Sync it without Replace=true, which removes what Git does not set"}}, f.Fix...)
		f.Fix[1].Text = "Or s" + strings.TrimPrefix(f.Fix[1].Text, "S")
	}
}

// replaces reports whether the sync replaced whole objects instead of patching them.
func replaces(in *diagnose.In, said *message.Failure) bool {
	return said.Mentions("error when replacing") || in.App().HasSyncOption("Replace=true")
}
