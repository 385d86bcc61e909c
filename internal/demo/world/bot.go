package world

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"
)

// restartAfter is how long a bot that was killed stays away: as long as Kubernetes needs to start a container again.
const restartAfter = 3 * time.Second

// BotOptions are how the bot is run. Command is needed.
type BotOptions struct {
	// Command makes the command that runs the bot with these arguments, not started. Its environment is replaced.
	Command func(ctx context.Context, args ...string) *exec.Cmd
	// ArgoCDPages is the address that links to Argo CD begin with.
	ArgoCDPages string
	// Timing is that of DefaultTiming if zero.
	Timing Timing
	// Grants are the `actions` of the configuration; nil for People.DefaultGrants.
	Grants []Grant
	// Restart starts a bot again that has ended, after a few seconds.
	Restart bool
	// Replicas are how many processes the bot runs as; 0 is one. Several share their journal in a Cluster.
	Replicas int
	// Cluster is where the journal is; nil: in a file.
	Cluster *Cluster
}

// Cluster is a namespace with the definitions of deploy/crd.
type Cluster struct {
	Namespace string
	// Leaders is that of the configuration; "" for its default.
	Leaders string
	// Kubeconfig is the file that a replica reaches it with; they count from 0.
	Kubeconfig func(replica int) string
}

// bot is the bot over all of its runs.
type bot struct {
	mu       sync.Mutex
	options  BotOptions
	replicas []*replica // none before the first start
	runs     int
	changed  chan struct{}
}

// BotState is what there is to see of the bot.
type BotState struct {
	Running bool
	// Runs counts how often it was started.
	Runs int
	// Problem is why it could not be started, or how it ended by itself; nil after KillBot and StopBot.
	Problem error
}

// StartBot starts the bot, and returns without waiting until it is ready: see AwaitBot. Of several replicas it starts those that do not run. It is
// an error if all do.
func (w *World) StartBot(ctx context.Context, o BotOptions) error {
	if (o.Timing == Timing{}) {
		o.Timing = DefaultTiming()
	}
	if o.Grants == nil {
		o.Grants = w.People.DefaultGrants()
	}
	w.bot.mu.Lock()
	defer w.bot.mu.Unlock()
	w.bot.options = o
	for len(w.bot.replicas) < max(1, o.Replicas) {
		w.bot.replicas = append(w.bot.replicas, &replica{n: len(w.bot.replicas)})
	}
	started := false
	for _, r := range w.bot.replicas {
		if r.runs() {
			continue
		}
		started = true
		if err := w.run(context.WithoutCancel(ctx), r); err != nil {
			return err
		}
	}
	if !started {
		return errors.New("start the bot: it is already running")
	}
	return nil
}

// Bot is what there is to see of the bot: it is running when all replicas are.
func (w *World) Bot() BotState {
	w.bot.mu.Lock()
	defer w.bot.mu.Unlock()
	s := BotState{Running: len(w.bot.replicas) > 0, Runs: w.bot.runs}
	for _, r := range w.bot.replicas {
		s.Running = s.Running && r.runs()
		if s.Problem == nil {
			s.Problem = r.problem
		}
	}
	return s
}

// BotChanged is closed at the next change of what Bot returns.
func (w *World) BotChanged() <-chan struct{} {
	w.bot.mu.Lock()
	defer w.bot.mu.Unlock()
	return w.bot.changed
}

// KillBot ends the bot as a node that dies would, and returns once it is gone. Of several replicas it is the one that leads.
func (w *World) KillBot() { w.endBot((*process).kill) }

// stopTimeout is how long a bot may take to end that was asked to. It finishes what it has begun, which takes seconds.
const stopTimeout = time.Minute

// StopBot asks the bot to end, as Kubernetes does before an update, and returns once it has. One that does not is killed, as there. Of several
// replicas it is the one that leads.
func (w *World) StopBot() {
	w.endBot(func(p *process) {
		if p.cmd.Process.Signal(os.Interrupt) != nil {
			p.kill()
		}
		select {
		case <-p.ended:
		case <-time.After(stopTimeout):
			p.kill()
		}
	})
}

func (w *World) endBot(end func(*process)) {
	r := w.leader()
	if r == nil {
		return
	}
	w.bot.mu.Lock()
	p := r.process
	r.expected = true
	w.bot.mu.Unlock()
	if p != nil {
		end(p)
	}
}

// AwaitBot returns once all replicas are connected to everything, and the context's error if it does not come to that.
func (w *World) AwaitBot(ctx context.Context) error {
	for {
		if w.ready(ctx) {
			return nil
		}
		if s := w.Bot(); s.Problem != nil && !s.Running {
			return s.Problem
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for the bot: %w", context.Cause(ctx))
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// hooksURL is where a replica receives hooks that runs, each in turn; "" where none does.
func (w *World) hooksURL() string {
	w.bot.mu.Lock()
	defer w.bot.mu.Unlock()
	for range w.bot.replicas {
		w.bot.replicas = append(w.bot.replicas[1:], w.bot.replicas[0])
		if r := w.bot.replicas[0]; r.at != nil && r.runs() {
			return "http://" + r.at.hooks
		}
	}
	return ""
}

// environment has nothing of the visitor's: no kubeconfig, no login, no proxy. The bot must reach the simulated Argo CD and nothing
// else.
func environment(dir, kubeconfig string) []string {
	env := []string{"HOME=" + dir, "TMPDIR=" + dir, "KUBECONFIG=" + kubeconfig}
	if zone, set := os.LookupEnv("TZ"); set { // an empty one is UTC
		env = append(env, "TZ="+zone)
	}
	return env
}

// endedError is a bot that ended although nobody asked it to.
type endedError struct {
	how  error  // nil: as if asked to
	said string // its last line
}

func (e *endedError) Error() string {
	out := "the bot stopped"
	if e.how != nil {
		out += ": " + e.how.Error()
	}
	if e.said != "" {
		out += ": " + e.said
	}
	return out
}

// botChanged wakes those who look. With w.bot.mu held.
func (w *World) botChanged() {
	close(w.bot.changed)
	w.bot.changed = make(chan struct{})
}
