// Package webhook is the bot's HTTP server: what Argo CD's notifications call, whether the bot is alive and ready, and its
// metrics.
//
//	POST /hooks/argocd/INSTANCE  Authorization: Bearer TOKEN, {"app": "shop", "namespace": "argocd"}
//	GET  /healthz                the process answers
//	GET  /readyz                 every check is good, or which one is not
//	GET  /metrics                Prometheus
//
// A hook is a hint: it carries the identity of an application and nothing else that is believed. It is authenticated, handed
// to the [Sink] and answered, all in milliseconds: Argo CD's notifications controller sends one at a time, to everybody, and
// has no time-out of its own, so that a slow receiver holds up all others. 202 is sent only after the Sink has noted it; on
// anything that may pass (503) Argo CD tries again. A hint that is lost all the same, in a crash after a Sink that keeps it
// in memory only, is not a failure lost: the watch and the sweep list all applications when the bot starts.
//
// Only /hooks/ is meant for others than the cluster: an Ingress should lead there and nowhere else.
package webhook
