package health

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// keys are those of the Secret or ConfigMap that a pod asks for another one. known: it was read.
type keys struct {
	all   []string
	known bool
}

// keysOf reads the keys for a person who asks. Of an object outside of the application that takes a right of its own: see docs/rights.md.
func keysOf(in *diagnose.In, namespace string, l lack) keys {
	if l.key == "" || l.name == "" || l.kind != "Secret" && l.kind != "ConfigMap" {
		return keys{}
	}
	o, ok := diagnose.Look(in, evidence.FactObject(evidence.ObjectQuery{Ref: evidence.Ref{Kind: l.kind, Namespace: namespace, Name: l.name}}))
	if !ok || o == nil {
		return keys{}
	}
	all := map[string]bool{}
	for _, field := range []string{"data", "binaryData", "stringData"} {
		values, _ := o.At(field).(map[string]any)
		for key := range values {
			all[key] = true
		}
	}
	return keys{slices.Sorted(maps.Keys(all)), !all[l.key]} // it may have got the key since
}

// name adds to a finding which keys there are, and the one that was most likely meant.
func (k keys) name(f *diagnose.Finding, l lack) {
	const few = 8
	if !k.known {
		return
	}
	if len(k.all) == 0 {
		f.Why += " It has no keys at all."
		return
	}
	f.Why += fmt.Sprintf(" Its keys are %s.", text.List(k.all, few))
	for _, key := range k.all {
		if plainKey(key) == plainKey(l.key) {
			f.Fix = append([]diagnose.Fix{{Text: fmt.Sprintf("In Git, correct the key that the pod asks for: %s/%s has %s, not %s", l.kind, l.name, key, l.key)}}, f.Fix...)
			return
		}
	}
}

// plainKey is a key without what people spell in several ways: DB_PASSWORD, db-password, dbPassword.
func plainKey(key string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "", ".", "").Replace(key))
}
