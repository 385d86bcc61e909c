// Package gateway is one application, or one Argo CD with all of its applications, through internal/argo and internal/kube: what
// reading and acting need of both.
//
//	Connection  one Argo CD and the clusters that it deploys to
//	App         one application of it: the evidence about it
//	Instance    an Argo CD of the configuration, followed: diagnoses its applications, and acts on them as internal/remedy asks
//
// A call has the time of the context that it is given: whoever asks knows what the answer is for. A call has a limit of its own
// here only where it can be done without, and something else must still be done in the same time.
package gateway
