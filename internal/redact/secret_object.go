package redact

import (
	"strings"

	"github.com/argo-why/argo-why/internal/foreign"
)

// lastApplied is the annotation in which kubectl keeps the whole object, a Secret's data included.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// isSecret recognises a Secret by its kind or, in a patch, by the last applied configuration in it.
func isSecret(o map[string]any) bool {
	if o["kind"] == "Secret" {
		return true
	}
	metadata, _ := o["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	applied, _ := annotations[lastApplied].(string)
	if applied == "" {
		return false
	}
	v, err := foreign.Field.Value([]byte(applied))
	if err != nil {
		return false
	}
	inner, _ := v.(map[string]any)
	return inner["kind"] == "Secret"
}

// blank replaces every value in v and keeps the keys. A null stays: it says that there is no value. So does Argo CD's own
// mask, see isMask, and a template.
func blank(v any) (clean any, changed bool) {
	switch v := v.(type) {
	case nil:
		return v, false
	case map[string]any:
		for key, value := range v {
			c, differs := blank(value)
			v[key], changed = c, changed || differs
		}
		return v, changed
	case []any:
		for i, value := range v {
			c, differs := blank(value)
			v[i], changed = c, changed || differs
		}
		return v, changed
	case string:
		if isMask(v) || strings.HasPrefix(v, "{{") && strings.HasSuffix(v, "}}") && strings.Count(v, "{{") == 1 {
			return v, false
		}
	}
	return Replacement, v != Replacement
}

// isMask recognises what Argo CD shows for a value of a Secret: eight or more pluses, one more where the live and the wanted
// value differ. That difference is the only sign of the drift, so it must survive.
func isMask(s string) bool { return len(s) >= 8 && strings.Trim(s, "+") == "" }
