// Package simulator is an Argo CD without a cluster: real gRPC and its HTTP API on one real port, answering from recorded cases (the files of
// `bot why --save`) in the words and with the codes of Argo CD 2.14. Tests, benchmarks and the demo talk to it.
//
//	          ┌─────────────── Server ───────────────┐
//	gRPC ───► │ calls: count, delay, fail, authorize  │
//	          │   read, list, watch ◄── applications  │ ◄── Put, Push, Repair, Settle, Edit, Remove
//	          │   refresh, sync, … ───► reactions     │ ◄── React
//	          └──▲─────────────────────────────┬──────┘
//	 Refresh, Sync, Terminate, Delete     States, Changed
//
// What it does:
//   - It answers the bot's calls: applications, their tree, managed resources, live objects, events, logs, sync windows,
//     projects, repositories, the account and its rights. For what a case does not contain it answers as Argo CD does for what
//     it does not have, and for a project as for one that the account may not read.
//   - It reacts: a refresh compares with what was pushed to Git, a sync ends with the result of that commit, terminating ends
//     the operation, deleting an object removes it and what it owns. See [Commit] for what is in Git, and [Reactions] for
//     changing what happens.
//   - It leaves an application alone that has the annotation skip-reconcile: what is requested of that stays pending.
//   - A person can act in its own web interface, independently of the bot: Refresh, Sync, Terminate, Delete. States and Changed
//     are what that interface would show.
//   - It can be slow (Delay, Options.SyncTakes), wrong (Fail, Deny, Mute, Break) or absent (Stop, Start).
//   - Applications created from the same case share it. One of 10,000 costs its name and about 150 bytes until it is changed;
//     BenchmarkTenThousandApplications measures it.
//
// What it does not do:
//   - It has no controller: nothing happens by itself. There is no self-heal and no automated sync, no hook runs, no rollout
//     progresses and nothing is retried. After a successful sync the unhealthy pods are gone and no new ones appear.
//   - It renders no manifests and compares no objects. The result of a commit is in a case; a commit without one changes an
//     image, or a label of a resource that has no image.
//   - Its rights have neither users nor projects: there is one account, which has every right except those denied.
//   - It speaks only plaintext gRPC: no TLS, no gRPC-web, no HTTP API, no web interface. It keeps no deployment history.
package simulator
