package redact

import "context"

// Value is [JSON] for a document that is decoded already. It changes v where it can, and says whether it did.
func Value(v any) (clean any, changed bool) { return ValueContext(context.Background(), v) }

// ValueContext is Value until its context is done: then the texts that are left are replaced by [NotShown].
func ValueContext(ctx context.Context, v any) (clean any, changed bool) {
	w := walker{ctx}
	return w.walk(v, outside)
}
