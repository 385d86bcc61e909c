// Package message parses what Argo CD, the tools it runs and the Kubernetes API server say when something fails.
//
// Argo CD wraps an error in layer upon layer ("Failed to load target state: failed to generate manifest for source 1 of
// 1: rpc error: code = Unknown desc = Manifest generation error (cached): …"). [Parse] removes the layers, keeps the
// facts in them (the stage, the source, whether it is cached, the gRPC code, the command that was run) and leaves the cause.
//
// Everything here is text in, values out: no rules, no I/O, and no panic whatever the text.
package message
