// Package compare has the rules about a desired state that could not be compared with the cluster.
package compare
