// Package pods reads what pods say: their state in the tree, their containers, their events. It knows the evidence and names
// no rule: a pod that waits for an image is read in the same way whether a hook, a wave or a workload waits for it.
package pods
