package sanitize

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/foreign"
	"github.com/argo-why/argo-why/internal/redact"
	"github.com/argo-why/argo-why/internal/text"
)

// withoutSecretPatch is a step whose patch, or command that patches, is left out if it has a secret in it: with a placeholder
// in its place, whoever pastes it would write the placeholder. The step says what to set instead.
func withoutSecretPatch(f diagnose.Fix) diagnose.Fix {
	if tooLarge(f.Patch) { // to look for secrets in it
		f.Text += " (the patch is not shown, because it is too large to read)"
		f.Patch = ""
	}
	if !survives(f.Patch) {
		f.Text += " (" + whatToSet(f.Patch) + ")"
		f.Patch = ""
	}
	if isPatch(f.Command) && !survives(f.Command) {
		f.Text += " (the command is not shown, because it has a secret in it)"
		f.Command = ""
	}
	return f
}

// survives reports whether a patch has no secret in it, neither for its form nor for the name of its field.
func survives(patch string) bool {
	return !strings.Contains(patch, redact.Replacement) && redact.String(patch) == patch && len(secretFields(patch)) == 0
}

// tooLarge reports whether a patch is more than is read of YAML.
func tooLarge(patch string) bool {
	return slices.ContainsFunc(documents(patch), func(document string) bool {
		_, err := foreign.Field.FromYAML([]byte(document))
		return foreign.IsTooLarge(err)
	})
}

// documents are those of a patch in YAML.
func documents(patch string) []string { return strings.Split(patch, "\n---\n") }

// isPatch recognises a command that writes values into an object.
func isPatch(command string) bool {
	for _, verb := range []string{" patch ", " annotate ", " label ", " set ", "create secret", " apply "} {
		if strings.Contains(command, verb) {
			return true
		}
	}
	return false
}

// whatToSet names the fields whose values are secret.
func whatToSet(patch string) string {
	fields := secretFields(patch)
	if len(fields) == 0 {
		return "the patch is not shown, because it has a secret in it"
	}
	shown := fields[:min(len(fields), 3)]
	said := "set " + strings.Join(shown, ", ")
	if more := len(fields) - len(shown); more > 0 {
		said += " and " + text.Count(more, "more field", "more fields")
	}
	return said + "; the patch is not shown, because it has a secret in it"
}

// secretFields are the paths of a patch in YAML whose values redaction changes.
func secretFields(patch string) []string {
	var out []string
	for _, document := range documents(patch) {
		raw, err := foreign.Field.FromYAML([]byte(document))
		if err != nil {
			continue
		}
		clean, err := redact.JSON(raw)
		if err != nil {
			continue
		}
		var before, after any
		if foreign.Field.JSON(raw, &before) != nil || foreign.Field.JSON(clean, &after) != nil {
			continue
		}
		out = append(out, changed("", before, after)...)
	}
	return out
}

// changed are the paths at which two documents of the same shape differ, or have a replacement already.
func changed(path string, before, after any) []string {
	switch a := after.(type) {
	case map[string]any:
		b, _ := before.(map[string]any)
		var out []string
		for _, key := range slices.Sorted(maps.Keys(a)) {
			out = append(out, changed(strings.TrimPrefix(path+"."+key, "."), b[key], a[key])...)
		}
		return out
	case []any:
		b, _ := before.([]any)
		var out []string
		for i := range min(len(a), len(b)) {
			out = append(out, changed(fmt.Sprintf("%s[%d]", path, i), b[i], a[i])...)
		}
		return out
	case string:
		if b, ok := before.(string); !ok || a != b || strings.Contains(a, redact.Replacement) {
			return []string{path}
		}
	}
	return nil
}
