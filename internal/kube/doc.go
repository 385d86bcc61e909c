// Package kube reads, from the cluster that an application is deployed to, what Argo CD's API does not have: objects outside
// the application, their events, and autoscalers. Everything else is read through Argo CD, which needs no separate access.
//
// [Open] reads nothing yet. [Clusters.App] finds the cluster of one application when it is first asked something, and
// believes it only when it is shown to be the right one: the same names exist in every cluster, and evidence from another
// one would be worse than none. Whatever keeps the cluster from being asked is an [Error] of one line.
//
// There it deletes a hook Job by its UID, too, and in the cluster of Argo CD it writes events on Applications, where the account
// may: deploy/rbac/actions.yaml. It changes nothing else that is not its own.
//
// A request lasts as long as its context: the caller knows how long the answer is worth waiting for. Only dialling and finding
// the cluster have times of their own.
//
// It also keeps the journal of incidents and of actions in a cluster, as custom resources: [OpenJournal]. That is the cluster
// that the bot itself runs in, and has nothing to do with where applications are deployed to.
package kube
