package soak_test

import (
	"net/url"
	"sync"
	"time"

	"github.com/argo-why/argo-why/internal/workspace"
)

// replicas are the processes of the bot where it is several. Each reaches the API server through a door of its own.
type replicas struct {
	doors []door
	// settled is done when no replica is paused or cut off.
	settled sync.WaitGroup
}

// door is the way of a replica to the API server: see cluster.Door.
type door interface{ Shut(shut bool) }

const (
	// longer is how long a replica is away so that another one takes over: longer than it holds its Lease.
	longer = 13 * time.Second
	// shorter is how long it may be away and lead on.
	shorter = 4 * time.Second
)

// replicaTroubles are what strikes one of several replicas. Each is at a random moment of what the bot does about the moves of a step.
var replicaTroubles = []move{
	{"the leader is killed", 3, func(p *play) { p.strike("kill leader", func() { p.KillReplica(p.Leader()) }) }},
	{"the other one is killed", 1, func(p *play) { p.strike("kill standby", func() { p.KillReplica(1 - p.Leader()) }) }},
	{"the leader is paused", 3, func(p *play) { p.strike("pause leader", func() { p.pauseFor(p.Leader(), longer) }) }},
	{"the leader is paused for a moment", 1, func(p *play) { p.strike("pause leader shortly", func() { p.pauseFor(p.Leader(), shorter) }) }},
	{"the leader is cut off", 3, func(p *play) { p.strike("cut off leader", func() { p.cutOff(p.Leader()) }) }},
	{"the other one is cut off", 1, func(p *play) { p.strike("cut off standby", func() { p.cutOff(1 - p.Leader()) }) }},
	{"both are cut off", 1, func(p *play) {
		p.strike("cut off both", func() { p.cutOff(0); p.cutOff(1) })
	}},
	{"the leader is paused in a call of Slack", 4, func(p *play) { p.inSlack("pause leader", func() { p.pauseFor(p.Leader(), longer) }) }},
	{"the leader is cut off in a call of Slack", 2, func(p *play) { p.inSlack("cut off leader", func() { p.cutOff(p.Leader()) }) }},
	{"the leader is killed in a call of Slack", 3, func(p *play) {
		p.play(p.ctx, "kill", p.any("before", "after"), p.any(slackCalls...), "1")
	}},
	{"the leader is paused in a call of Argo CD", 3, func(p *play) { p.inArgoCD("pause leader", func() { p.pauseFor(p.Leader(), longer) }) }},
	{"the leader is cut off in a call of Argo CD", 2, func(p *play) { p.inArgoCD("cut off leader", func() { p.cutOff(p.Leader()) }) }},
	{"the leader is killed in a call of Argo CD", 2, func(p *play) { p.play(p.ctx, "kill", p.any("before", "after"), p.any("sync", "delete", "terminate")) }},
}

// strike does something within the next two seconds, while the moves go on.
func (p *play) strike(what string, do func()) {
	after := time.Duration(p.r.IntN(2000)) * time.Millisecond
	p.replicas.settled.Go(func() {
		time.Sleep(after)
		p.told("# " + what)
		do()
	})
}

// pauseFor stops a replica for that long. It returns at once.
func (p *play) pauseFor(replica int, d time.Duration) {
	p.Pause(replica)
	p.replicas.settled.Go(func() {
		time.Sleep(d)
		p.Resume(replica)
	})
}

// cutOff keeps a replica from the API server until another one has taken over. It returns at once.
func (p *play) cutOff(replica int) {
	p.replicas.doors[replica].Shut(true)
	p.replicas.settled.Go(func() {
		time.Sleep(longer)
		p.replicas.doors[replica].Shut(false)
	})
}

// inSlack does something when the next message of a kind has reached Slack, and before the bot knows.
func (p *play) inSlack(what string, do func()) {
	method := p.any("chat.postMessage", "chat.postMessage", "chat.update")
	p.told("# " + what + " in " + method)
	var once sync.Once
	p.Slack.Fault(workspace.Fault{Method: method, Times: 1, LoseAnswer: true, Match: func(url.Values) bool {
		once.Do(do)
		return true
	}})
}

// inArgoCD does something when the bot's next call of a kind has had its effect, and before it knows.
func (p *play) inArgoCD(what string, do func()) {
	verb := p.any("sync", "delete", "terminate")
	p.told("# " + what + " in " + verb)
	p.ArgoCD.Interrupt(methods[verb], func(call func() error) error {
		do()
		return call()
	})
}
