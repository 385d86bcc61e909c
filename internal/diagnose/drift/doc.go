// Package drift compares the desired state of a resource with the live one, as Argo CD sees both: which fields differ, what
// the two values are, who wrote the live one, and whether the two mean the same. It does not know why they differ.
package drift
