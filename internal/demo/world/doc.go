// Package world is the world of the demo: a Slack workspace (internal/workspace), an Argo CD (internal/simulator) that calls the
// bot's webhook as Argo CD's notifications do, and the bot between them. The bot is the real one: `bot serve` as a separate
// process with its own configuration, over real ports of this machine.
//
//	 Slack ◄───────── bot serve ─────────► ArgoCD
//	people,          a child process,     applications that
//	channels         killed and started   fail, as recorded
//	                       ▲                  │
//	                       └──── webhook ─────┘
//
// A [World] is empty at first; Populate adds healthy applications, Break makes one fail, Repair removes the cause. What people
// do in Slack goes through World.Slack, what someone does in Argo CD's own interface through World.ArgoCD.
package world
