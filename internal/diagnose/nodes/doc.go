// Package nodes says what keeps a pod off each node of a cluster, checked as the scheduler does it: is the node cordoned, does the pod
// tolerate its taints, does it have the labels that the pod requires. What a node has left is not looked at.
package nodes
