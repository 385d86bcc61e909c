// Package planted plants secrets in everything that the bot reads, and looks for them in everything that it writes.
//
//	go test ./test/planted                    2,000 secrets of one seed, as CI does; -v prints what came out, by kind and output
//	PLANTEDSEED=7 go test ./test/planted      other secrets, in other forms and places
//	PLANTEDLEAKS=DIR go test ./test/planted   also writes what came out, with the texts, into a file for each output
//
// A secret is one of a kind (tokens of services, values that are recognised by their name in the notations of many languages, URLs,
// commands, headers and others), in a form, at a place:
//
//	kinds    tokens.go, named.go, written.go
//	forms    forms.go: ordinary (before a full stop, in brackets, across the length at which a text is cut) and disguised (a zero-width
//	         character, colors, base64, escapes, a line that is wrapped)
//	places   places.go: what Argo CD and Kubernetes answer, such as the message of an operation, a log, an event, a field that differs
//
// Six characters in a row of a secret's random part are a leak, also where it takes somebody to undo escapes, base64 or wrapped lines to
// read them (views.go). The secrets are made so that no such run is there by chance. A harmless text at each place shows that
// what stands there comes out: see TestEveryPlaceShows.
//
// Two tests look at what is written. One runs `bot why` on a case for each secret. The other runs two bots as processes, with a pack of
// secrets at each place, lets people ask and act, makes Argo CD refuse, and reads what reached Slack, the cluster and the log.
//
// How much may come out is in limits.go.
package planted
