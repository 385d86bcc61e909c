package world

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
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
}

// bot is the bot over all of its runs.
type bot struct {
	mu       sync.Mutex
	options  BotOptions
	process  *process // the last one; nil before the first
	runs     int
	problem  error // why it could not be started, or how it ended by itself
	expected bool  // it was asked to end
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

// StartBot starts the bot, and returns without waiting until it is ready: see AwaitBot. It is an error if it runs.
func (w *World) StartBot(ctx context.Context, o BotOptions) error {
	if (o.Timing == Timing{}) {
		o.Timing = DefaultTiming()
	}
	if o.Grants == nil {
		o.Grants = w.People.DefaultGrants()
	}
	w.bot.mu.Lock()
	defer w.bot.mu.Unlock()
	if w.bot.process != nil && !w.bot.process.hasEnded() {
		return errors.New("start the bot: it is already running")
	}
	w.bot.options = o
	return w.run(context.WithoutCancel(ctx))
}

// run starts a process. With w.bot.mu held.
func (w *World) run(ctx context.Context) error {
	o := w.bot.options
	at, err := freeAddresses(ctx)
	if err != nil {
		return err
	}
	w.botAddresses.Store(at)
	file, err := w.settings(o, at).write()
	if err != nil {
		return err
	}
	cmd := o.Command(ctx, "serve", "-c", file)
	said := &lastLine{to: w.log}
	cmd.Dir, cmd.Stdout, cmd.Stderr = w.dir, said, said
	cmd.Env = environment(w.dir)
	p, err := launch(cmd)
	w.bot.problem, w.bot.expected = err, false
	w.botChanged()
	if err != nil {
		return err
	}
	w.bot.process, w.bot.runs = p, w.bot.runs+1
	w.workers.Go(func() { w.watch(ctx, p, said) })
	return nil
}

// environment has nothing of the visitor's: no kubeconfig, no login, no proxy. The bot must reach the simulated Argo CD and nothing
// else.
func environment(dir string) []string {
	env := []string{"HOME=" + dir, "TMPDIR=" + dir, "KUBECONFIG=" + filepath.Join(dir, "no-cluster")}
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

// watch notes that a process has ended, and starts another one.
func (w *World) watch(ctx context.Context, p *process, said *lastLine) {
	select {
	case <-p.ended:
	case <-w.closing:
		p.kill()
		return
	}
	w.bot.mu.Lock()
	if !w.bot.expected {
		w.bot.problem = &endedError{p.err, said.String()}
	}
	again := w.bot.options.Restart
	w.botChanged()
	w.bot.mu.Unlock()
	if !again {
		return
	}
	select {
	case <-time.After(restartAfter):
	case <-w.closing:
		return
	}
	w.bot.mu.Lock()
	defer w.bot.mu.Unlock()
	if w.bot.process == p {
		w.bot.problem = w.run(ctx)
		w.botChanged()
	}
}

// botChanged wakes those who look. With w.bot.mu held.
func (w *World) botChanged() {
	close(w.bot.changed)
	w.bot.changed = make(chan struct{})
}

// Bot is what there is to see of the bot.
func (w *World) Bot() BotState {
	w.bot.mu.Lock()
	defer w.bot.mu.Unlock()
	return BotState{Running: w.bot.process != nil && !w.bot.process.hasEnded(), Runs: w.bot.runs, Problem: w.bot.problem}
}

// BotChanged is closed at the next change of what Bot returns.
func (w *World) BotChanged() <-chan struct{} {
	w.bot.mu.Lock()
	defer w.bot.mu.Unlock()
	return w.bot.changed
}

// KillBot ends the bot as a node that dies would, and returns once it is gone.
func (w *World) KillBot() { w.endBot((*process).kill) }

// stopTimeout is how long a bot may take to end that was asked to. It finishes what it has begun, which takes seconds.
const stopTimeout = time.Minute

// StopBot asks the bot to end, as Kubernetes does before an update, and returns once it has. One that does not is killed, as there.
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
	w.bot.mu.Lock()
	p := w.bot.process
	w.bot.expected = true
	w.bot.mu.Unlock()
	if p != nil {
		end(p)
	}
}

// AwaitBot returns once the bot is connected to everything, and the context's error if it does not come to that.
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

// hooksURL is where the bot receives hooks; "" before its first start.
func (w *World) hooksURL() string {
	if at := w.botAddresses.Load(); at != nil {
		return "http://" + at.hooks
	}
	return ""
}

// ready asks the bot.
func (w *World) ready(ctx context.Context) bool {
	at := w.botAddresses.Load()
	if at == nil {
		return false
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+at.metrics+"/readyz", nil)
	if err != nil {
		return false
	}
	answer, err := w.client.Do(r)
	if err != nil {
		return false
	}
	return answer.Body.Close() == nil && answer.StatusCode == http.StatusOK
}
