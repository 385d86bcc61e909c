// Package gateway reads one application, or a whole Argo CD with all of its applications, and acts on it: it combines
// internal/argo and internal/kube.
//
//	Connection  one Argo CD and the clusters that it deploys to
//	App         one of its applications: the evidence about it
//	Instance    an Argo CD of the configuration: watches and diagnoses its applications, and acts on them when internal/remedy asks
//
// A call has the deadline of its context: the caller knows what the answer is for. A call has a separate limit here only if it is
// optional and something else must still be done in the same time.
package gateway
