// Package app wires up the bot: it connects Argo CD, the diagnosis, incidents and Slack, runs them, and knows what to check
// before. [Run] has neither flags nor signals: the configuration says what to do, the context when to stop.
//
//	Argo CD webhook ─┐
//	Argo CD watch  ──┼─► reconciler ─► incidents ─► syncer ─► journal, then Slack
//	cron sweep     ──┤
//	/argo why      ──┘
//
//	button ─► slack ─► remedy ─► action log, then Argo CD or the cluster, then the incidents
package app
