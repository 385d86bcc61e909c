// Package slack is the bot as people meet it: it listens to Slack through Socket Mode, understands what it is asked and
// answers, and does what is clicked.
//
//	socket ─► read ─┬─ words ─► answer ─┬─► request (to the person alone)
//	                └─ clicks ─► act  ──┴─► deliver (to all)
//
// This package ties them. Each is a package of its own:
//
//	socket    the connection: acknowledge, take everything once, queue, workers
//	command   what people write, taken apart
//	answer    why, list, diff, history, access, audit, help
//	act       buttons, menus, modals; button is what they carry, dialog what modals show
//	request   who asks, and how that person alone hears what came of it
//	apps      finding the application that is meant; access is who may look at which
//	render    messages, out of blocks; deliver brings them into Slack
//	probe     what Slack grants, for bot check
package slack
