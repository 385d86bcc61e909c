package clean

import (
	"context"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/redact"
)

// Object returns an object without secrets, and whether it had any: texts in its status and its configuration, values of
// environment variables and arguments by their names, everything in a Secret.
func Object(ctx context.Context, o evidence.Object) (clean evidence.Object, changed bool) {
	if o == nil {
		return nil, false
	}
	tree := map[string]any(o)
	key := treeHash(tree)
	if known.has(key) {
		return o, false
	}
	odd := oddWords("", tree)
	if cleaned, changed := redact.ValueContext(ctx, treeCopy(tree)); changed || odd {
		c, _ := cleaned.(map[string]any)
		if odd {
			wordsOf("", c)
		}
		return c, true
	}
	known.add(key)
	return o, false
}
