// Package drift compares what Git wants of a resource with what is live, as Argo CD sees both: which fields differ, what
// the two values are, who wrote the live one, and whether the two mean the same. It knows nothing of why.
package drift
