package world

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"time"
)

// replica is one process of the bot, over all of its runs.
type replica struct {
	n        int
	process  *process   // the last one; nil before the first
	at       *addresses // others at each start
	problem  error      // why it could not be started, or how it ended by itself
	expected bool       // it was asked to end
}

// runs reports whether it does. With the bot's mu held, as all that changes it.
func (r *replica) runs() bool { return r.process != nil && !r.process.hasEnded() }

// run starts a process. With w.bot.mu held.
func (w *World) run(ctx context.Context, r *replica) error {
	o := w.bot.options
	at, err := freeAddresses(ctx)
	if err != nil {
		return err
	}
	r.at = at
	file, err := w.settings(o, r).write()
	if err != nil {
		return err
	}
	cmd := o.Command(ctx, "serve", "-c", file)
	said := &lastLine{to: w.log}
	cmd.Dir, cmd.Stdout, cmd.Stderr = w.dir, said, said
	cmd.Env = environment(w.dir, w.kubeconfig(o, r))
	p, err := launch(cmd)
	r.problem, r.expected = err, false
	w.botChanged()
	if err != nil {
		return err
	}
	r.process = p
	w.bot.runs++
	w.workers.Go(func() { w.watch(ctx, r, p, said) })
	return nil
}

// kubeconfig is none where the bot has no cluster.
func (w *World) kubeconfig(o BotOptions, r *replica) string {
	if o.Cluster == nil {
		return filepath.Join(w.dir, "no-cluster")
	}
	return o.Cluster.Kubeconfig(r.n)
}

// watch notes that a process has ended, and starts another one.
func (w *World) watch(ctx context.Context, r *replica, p *process, said *lastLine) {
	select {
	case <-p.ended:
	case <-w.closing:
		p.kill()
		return
	}
	w.bot.mu.Lock()
	if !r.expected {
		r.problem = &endedError{p.err, said.String()}
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
	if r.process == p {
		r.problem = w.run(ctx, r)
		w.botChanged()
	}
}

// Leader is the number of the replica that leads, or of the first that runs where none does.
func (w *World) Leader() int {
	if r := w.leader(); r != nil {
		return r.n
	}
	return 0
}

func (w *World) leader() *replica {
	w.bot.mu.Lock()
	var running []*replica
	var at []addresses
	for _, r := range w.bot.replicas {
		if r.runs() {
			running, at = append(running, r), append(at, *r.at)
		}
	}
	w.bot.mu.Unlock()
	for i := range running {
		if len(running) == 1 || w.leads(at[i]) {
			return running[i]
		}
	}
	if len(running) > 0 {
		return running[0]
	}
	return nil
}

// Leads reports whether that replica says that it leads.
func (w *World) Leads(replica int) bool {
	w.bot.mu.Lock()
	var at *addresses
	for _, r := range w.bot.replicas {
		if r.n == replica && r.runs() {
			at = r.at
		}
	}
	w.bot.mu.Unlock()
	return at != nil && w.leads(*at)
}

// leading is the metric of a replica that leads, all Argo CDs or this one.
var leading = regexp.MustCompile(`(?m)^argo_why_leading(\{[^}]*\})? 1$`)

// leads asks a replica. One that is stopped does not answer.
func (w *World) leads(at addresses) bool {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	metrics, err := w.get(ctx, at, "/metrics")
	return err == nil && leading.MatchString(metrics)
}

// get asks a bot for one of its pages.
func (w *World) get(ctx context.Context, at addresses, page string) (string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+at.metrics+page, nil)
	if err != nil {
		return "", err
	}
	answer, err := w.client.Do(r)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(answer.Body)
	if answer.StatusCode != http.StatusOK {
		err = errors.Join(err, fmt.Errorf("%s: %s", page, answer.Status))
	}
	return string(text), errors.Join(err, answer.Body.Close())
}

// ready asks all replicas.
func (w *World) ready(ctx context.Context) bool {
	w.bot.mu.Lock()
	all := len(w.bot.replicas) > 0
	var at []addresses
	for _, r := range w.bot.replicas {
		if all = all && r.at != nil; all {
			at = append(at, *r.at)
		}
	}
	w.bot.mu.Unlock()
	for i := range at {
		if _, err := w.get(ctx, at[i], "/readyz"); err != nil {
			return false
		}
	}
	return all
}

// KillReplica is KillBot of a certain replica.
func (w *World) KillReplica(replica int) {
	w.bot.mu.Lock()
	var p *process
	for _, r := range w.bot.replicas {
		if r.n == replica && r.runs() {
			p, r.expected = r.process, true
		}
	}
	w.bot.mu.Unlock()
	if p != nil {
		p.kill()
	}
}
