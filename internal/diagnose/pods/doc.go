// Package pods reads the state of pods: in the tree, their containers, their events. It uses only the evidence and names no
// rule: a pod waiting for an image is read in the same way whether a hook, a wave or a workload is waiting for it.
package pods
