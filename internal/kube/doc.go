// Package kube reads, from the cluster that an application is deployed to, what Argo CD's API cannot give: objects outside
// of the application, their events, and autoscalers. Everything else is read through Argo CD, which needs no access of
// its own.
//
// [Open] reads nothing yet. [Clusters.App] finds the cluster of one application when it is first asked something, and
// believes it only when it is shown to be the right one: the same names exist in every cluster, and evidence from another
// one would be worse than none. Whatever keeps the cluster from being asked is an [Error] of one line.
//
// It also keeps the journal of incidents in a cluster, as custom resources: [OpenJournal]. That is the cluster that the bot
// itself runs in, and has nothing to do with where applications are deployed to.
package kube
