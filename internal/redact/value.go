package redact

// Value is [JSON] for a document that is decoded already. It changes v where it can, and says whether it did.
func Value(v any) (clean any, changed bool) { return walk(v, outside) }
