package redact

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/foreign"
)

// walkArray also redacts the argument after a flag: ["--password", "x"], and what else a command line of these words would hide.
func (w walker) walkArray(list []any, in place) bool {
	changed := w.commandLine(list)
	for i, value := range list {
		clean, differs := w.walk(value, in)
		if s, ok := value.(string); ok && i > 0 {
			if flag, ok := list[i-1].(string); ok && strings.HasPrefix(flag, "-") && Named(strings.TrimLeft(flag, "-"), s) {
				clean, differs = Replacement, s != Replacement
			}
		}
		if differs {
			list[i], changed = clean, true
		}
	}
	return changed
}

// commandLine redacts the words of a command, of which each alone says nothing: ["redis-cli", "-a", "x"].
func (w walker) commandLine(list []any) bool {
	if len(list) < 2 || slices.ContainsFunc(list, func(v any) bool { _, ok := v.(string); return !ok }) {
		return false
	}
	whole, err := encode(list)
	if err != nil {
		return false
	}
	clean := StringContext(w.ctx, string(whole))
	if clean == NotShown {
		for i := range list {
			list[i] = NotShown
		}
		return true
	}
	var words []any
	if clean == string(whole) || foreign.File.JSON([]byte(clean), &words) != nil || len(words) != len(list) {
		return false
	}
	copy(list, words)
	return true
}

func isNumber(v any) bool {
	switch v.(type) {
	case json.Number, float64:
		return true
	}
	return false
}
