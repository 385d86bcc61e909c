package clean

import (
	"context"
	"encoding/json"
	"maps"

	"github.com/argo-why/argo-why/internal/foreign"
	"github.com/argo-why/argo-why/internal/redact"
)

// Text returns a text without its secrets, and whether it had any. If the context is done before all of it was searched, nothing of it
// is returned, see [redact.NotShown].
func Text(ctx context.Context, s string) (clean string, changed bool) {
	if len(s) < shortest {
		return s, false
	}
	key := hash(s)
	if known.has(key) {
		return s, false
	}
	if clean = redact.StringContext(ctx, s); clean != s {
		return clean, true
	}
	known.add(key)
	return s, false
}

// shortest is the length of the shortest text that is looked at: nothing tells a shorter secret from a word.
const shortest = 4

// Named returns a value without its secrets, where its name may say that all of it is one.
func Named(ctx context.Context, name, value string) (clean string, changed bool) {
	key := pairHash(hash(name), hash(value))
	if known.has(key) {
		return value, false
	}
	if redact.Named(name, value) {
		return redact.Replacement, value != redact.Replacement
	}
	if clean, changed = Text(ctx, value); !changed {
		known.add(key)
	}
	return clean, changed
}

// entries cleans labels or annotations.
func entries(ctx context.Context, m map[string]string) (clean map[string]string, changed bool) {
	clean = m
	for name, value := range m {
		c, differs := Named(ctx, name, value)
		if !differs {
			continue
		}
		if !changed {
			clean, changed = maps.Clone(m), true
		}
		clean[name] = c
	}
	return clean, changed
}

// document cleans JSON. One that cannot be read is treated as text.
func document(ctx context.Context, raw json.RawMessage) (clean json.RawMessage, changed bool) {
	if len(raw) == 0 || known.has(hash(string(raw))) {
		return raw, false
	}
	var v any
	if foreign.Answer.JSON(raw, &v) != nil {
		s, changed := Text(ctx, string(raw))
		return json.RawMessage(s), changed
	}
	if v, changed = redact.ValueContext(ctx, v); !changed {
		known.add(hash(string(raw)))
		return raw, false
	}
	clean, err := json.Marshal(v)
	if err != nil { // cannot be: it was just read
		return nil, true
	}
	return clean, true
}
