// Package argo reads evidence about one application from a live Argo CD, through its API client. It is the only importer
// of argo-cd, so a move to another major version changes one package.
//
// [Connect] opens one connection, [Client.App] reads through it: each method of the evidence source is one request. Errors
// are classified once, here, as an [Error] that says in one line what happened and what to do.
//
// A call lasts as long as its context: the caller knows how long the answer is worth waiting for. Only what nobody asked for has
// a time of its own here: the list and the stream of [Client.Follow], and the look at a server that does not speak gRPC.
//
// Reading changes nothing. A change is requested by name: [App.Refresh], [App.Sync], [App.Terminate],
// [App.DeleteResource]; [Rights] are what Argo CD must permit for each.
package argo
