// Package webhook is the bot's HTTP server. At one address it receives Argo CD's notifications:
//
//	POST /hooks/argocd/INSTANCE  Authorization: Bearer TOKEN, {"app": "shop", "namespace": "argocd"}
//
// At the other it answers the cluster, that is Kubernetes' probes and Prometheus:
//
//	GET  /healthz                the process is running
//	GET  /readyz                 every check passes; to a client on this machine, which one does not
//	GET  /metrics                Prometheus
//
// A hook is a hint: only the identity of an application in it is trusted. It is authenticated, handed to the [Sink] and answered,
// all within milliseconds: Argo CD's notifications controller sends one at a time, to all receivers, and has no time-out of its
// own, so a slow receiver holds up all others. 202 is sent only after the Sink has recorded it; after a temporary error (503)
// Argo CD tries again. A hint that is still lost, in a crash after a Sink that only keeps it in memory, does not lose the
// failure: the watch and the sweep list all applications when the bot starts.
//
// Only the first address is meant to be reachable from outside the cluster.
package webhook
