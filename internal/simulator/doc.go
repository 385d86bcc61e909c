// Package simulator is an Argo CD without a cluster: real gRPC over a real port, answering from recorded cases (the files of
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
//   - It answers what the bot asks: applications, their tree, managed resources, live objects, events, logs, sync windows,
//     projects, repositories, the account and its rights. What a case does not hold it answers as Argo CD answers what it does
//     not have.
//   - It reacts: a refresh compares with what was pushed to Git, a sync ends as that commit makes it end, terminating ends the
//     operation, deleting an object takes it and what it owns away. See [Commit] for what is in Git, and [Reactions] for
//     changing what happens.
//   - Somebody acts in its own web interface, beside the bot: Refresh, Sync, Terminate, Delete. States and Changed are what that
//     interface would show.
//   - It can be slow (Delay, Options.SyncTakes), wrong (Fail, Deny, Mute, Break) or absent (Stop, Start).
//   - Applications made of one case share it. One of 10,000 costs its name and about 150 bytes until it is changed;
//     BenchmarkTenThousandApplications measures it.
//
// What it does not do:
//   - It has no controller: nothing happens by itself. There is no self-heal and no automated sync, no hook runs, no rollout
//     progresses and nothing is retried. After a sync that succeeds the unhealthy pods are gone and no new ones appear.
//   - It renders no manifests and compares no objects. What a commit leads to stands in a case; a commit without one changes an
//     image, or a label of what has none.
//   - It knows neither users nor projects in its rights: there is one account, which has every right but those denied.
//   - It speaks plaintext gRPC alone: no TLS, no gRPC-web, no HTTP API, no web interface. It keeps no deployment history.
package simulator
