// Package slack is the bot in Slack: it connects through Socket Mode, answers questions and handles clicks.
//
//	socket ─► read ─┬─ words ─► answer ─┬─► request (to the person alone)
//	                └─ clicks ─► act  ──┴─► deliver (to all)
//
// This package connects these packages:
//
//	socket    the connection: acknowledge, deduplicate, queue, workers
//	command   parses what people write
//	answer    why, list, diff, history, access, audit, help
//	act       buttons, menus, modals; button is their signed value, dialog the content of modals
//	request   who asked, and private replies to that person
//	apps      finds the application that is meant; access is who can see which
//	render    messages, built from blocks; deliver posts them to Slack
//	probe     what Slack permits, for bot check
package slack
