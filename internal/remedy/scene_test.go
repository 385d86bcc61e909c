package remedy_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/remedy"
)

func cloned(l *action.Log) *action.Log {
	raw, err := json.Marshal(l)
	if err != nil {
		panic(err)
	}
	out := &action.Log{Version: l.Version}
	if err := json.Unmarshal(raw, out); err != nil {
		panic(err)
	}
	return out
}

// thread is the chat: what people see, in order. It takes each note once, as the bot's own does.
type thread struct {
	mu     sync.Mutex
	said   []action.Note
	seen   map[string]bool
	shown  int
	looked int
	// atOnce: two have told the same at once. Neither could have seen the other's message.
	telling map[string]bool
	atOnce  bool
	// redrawn counts how often the buttons were drawn anew.
	redrawn int
	muted   time.Time
	// calm: there is no incident to mute.
	calm bool
	down error
}

func (h *thread) Notify(_ context.Context, r *action.Record, n action.Note) error {
	key := fmt.Sprint(r.ID, n.Number)
	h.mu.Lock()
	h.atOnce = h.atOnce || h.telling[key]
	h.telling[key] = true
	h.mu.Unlock()
	time.Sleep(300 * time.Millisecond) // Slack takes its time
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.telling, key)
	if h.down != nil {
		return h.down
	}
	if !h.seen[key] {
		h.seen[key] = true
		h.said = append(h.said, n)
	}
	return nil
}

func (h *thread) Show(*action.Record) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.shown++
}

func (h *thread) Mute(_ action.App, _ action.Person, until time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.muted = until
	return !h.calm
}

func (h *thread) Look(action.App) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.looked++
}

func (h *thread) Redraw() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.redrawn++
}

func (h *thread) fails(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.down = err
}

// states are those of what was said.
func (h *thread) states() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []string
	for _, n := range h.said {
		state := string(n.State)
		if n.Log != "" || strings.Contains(n.Text, "log of") && n.State == action.Running {
			state = "log"
		}
		out = append(out, state)
	}
	return strings.Join(out, " ")
}

// scene is a world, and the replicas of the bot in it.
type scene struct {
	*testing.T
	*cluster
	journal *journal
	thread  *thread
	rules   []action.Grant
	members groups
	clicks  int
	// options are further ones of the replicas; instance is that of a report, where it is not prod's.
	options  remedy.Options
	instance string
	// removed: the configuration does not name the Argo CD.
	removed bool
	// journalOf is the journal of the replicas, if it is not all that it could be.
	journalOf func(action.Journal) action.Journal
}

// play plays a scene in virtual time.
func play(t *testing.T, rules []action.Grant, act func(s *scene)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		act(&scene{T: t, cluster: newCluster(), journal: newJournal(), thread: &thread{seen: map[string]bool{}, telling: map[string]bool{}}, rules: rules,
			members: groups{"SONCALL": {dana.ID, "U9"}, "SLEADS": {erin.ID, "U3"}}})
	})
}

// Rules: everybody may, on-call may, on-call may if a lead agrees.
var (
	everybodyMay = []action.Grant{{Kinds: action.Kinds, Everybody: true}}
	oncallMay    = []action.Grant{{Kinds: action.Kinds, Who: action.Who{Groups: []string{"SONCALL"}}}}
	leadsAgree   = []action.Grant{{Kinds: action.Kinds, Everybody: true, Approval: &action.ApprovalRule{From: action.Who{Groups: []string{"SLEADS"}}, ExpireAfter: 15 * time.Minute}}}
)

// replica is one process of the bot. All that it does to the outside goes through call, where it can be killed.
type replica struct {
	*scene
	*remedy.Service
	name string

	mu   sync.Mutex
	dead bool
	// calls are the changes of the world that it has tried; it dies at the one of that number, before or after it is done.
	calls, dieAt int
	after        bool
	// before is called before each, with how many of them were tried.
	before func(what string, calls int)
	// cutOff: the journal does not answer this process.
	cutOff atomic.Bool
	trace  []string
	cancel context.CancelFunc
	ended  sync.WaitGroup
}

// start brings up a replica, which runs until stop or its death.
func (s *scene) start(name string) *replica {
	r := s.open(name)
	r.run()
	return r
}

// open makes a replica that takes what people ask for, and does nothing yet.
func (s *scene) open(name string) *replica {
	r := &replica{scene: s, name: name}
	o := s.options
	o.Gateways, o.Policy = map[string]remedy.Gateway{prod.Instance: gateway{r}}, action.NewPolicy(s.rules, s.members, noGuests{})
	o.Journal, o.Notifier, o.Holder = records{r}, voice{r}, name
	o.Mute, o.Look = voice{r}.Mute, s.thread.Look
	if s.removed {
		o.Gateways = nil
	}
	if s.journalOf != nil {
		o.Journal = s.journalOf(o.Journal)
	}
	r.Service = remedy.New(o)
	r.cancel = func() {}
	return r
}

func (r *replica) run() {
	ctx, cancel := context.WithCancel(r.Context())
	r.cancel = cancel
	r.ended.Go(func() {
		if err := r.Run(ctx); err != nil {
			r.Error(err)
		}
	})
}

func (r *replica) stop() { r.cancel(); r.ended.Wait() }

var errKilled = errors.New("the process is dead")

// call lets a change of the world through, as long as the process lives.
func (r *replica) call(what string, do func() error) error {
	r.mu.Lock()
	if r.dead {
		r.mu.Unlock()
		return errKilled
	}
	r.calls++
	r.trace = append(r.trace, what)
	dies := r.calls == r.dieAt
	r.dead = dies
	n := r.calls
	r.mu.Unlock()
	if r.before != nil {
		r.before(what, n)
	}
	if !dies {
		return do()
	}
	if r.after {
		_ = do()
	}
	r.cancel()
	return errKilled
}

func (r *replica) alive() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.dead {
		return errKilled
	}
	return nil
}

// gateway, records and voice are what a replica sees of the cluster, the journal and the chat.
type gateway struct{ r *replica }

func (w gateway) Look(ctx context.Context, want action.Request) (*action.Situation, error) {
	if err := w.r.alive(); err != nil {
		return nil, err
	}
	return w.r.cluster.Look(ctx, want)
}

func (w gateway) Application(ctx context.Context, app action.App) (*evidence.Application, error) {
	if err := w.r.alive(); err != nil {
		return nil, err
	}
	return w.r.cluster.Application(ctx, app)
}

func (w gateway) HardRefresh(ctx context.Context, app action.App) error {
	return w.r.call("refresh", func() error { return w.r.cluster.HardRefresh(ctx, app) })
}

func (w gateway) Terminate(ctx context.Context, app action.App, at time.Time) error {
	return w.r.call("terminate", func() error { return w.r.cluster.Terminate(ctx, app, at) })
}

func (w gateway) Sync(ctx context.Context, app action.App, c remedy.SyncCall) (revision string, err error) {
	err = w.r.call("sync", func() error { revision, err = w.r.cluster.Sync(ctx, app, c); return err })
	return revision, err
}

func (w gateway) JobLog(ctx context.Context, app action.App, job action.Job) (string, error) {
	if err := w.r.alive(); err != nil {
		return "", err
	}
	return w.r.cluster.JobLog(ctx, app, job)
}

func (w gateway) DeleteJob(ctx context.Context, app action.App, job action.Job) (way string, err error) {
	err = w.r.call("delete", func() error { way, err = w.r.cluster.DeleteJob(ctx, app, job); return err })
	return way, err
}

func (w gateway) Job(ctx context.Context, app action.App, job action.Job) (*action.Job, error) {
	if err := w.r.alive(); err != nil {
		return nil, err
	}
	return w.r.cluster.Job(ctx, app, job)
}

func (w gateway) Announce(ctx context.Context, app action.App, e action.Event) error {
	return w.r.call("announce", func() error { return w.r.cluster.Announce(ctx, app, e) })
}

func (w gateway) Lacks(ctx context.Context, kind action.Kind, app action.App, project string) (string, error) {
	return w.r.cluster.Lacks(ctx, kind, app, project)
}

type records struct{ r *replica }

// reaches says why the journal cannot be reached.
func (r *replica) reaches() error {
	if r.cutOff.Load() {
		return errors.New("no route to the journal")
	}
	return r.alive()
}

func (j records) Get(ctx context.Context, app action.App) (*action.Log, error) {
	if err := j.r.reaches(); err != nil {
		return nil, err
	}
	return j.r.journal.Get(ctx, app)
}

func (j records) Put(ctx context.Context, l *action.Log) error {
	return j.r.call("write", func() error { return j.r.journal.Put(ctx, l) })
}

func (j records) Delete(ctx context.Context, l *action.Log) error {
	if err := j.r.reaches(); err != nil {
		return err
	}
	return j.r.journal.Delete(ctx, l)
}

func (j records) List(ctx context.Context) ([]*action.Log, error) {
	if err := j.r.reaches(); err != nil {
		return nil, err
	}
	return j.r.journal.List(ctx)
}

type voice struct{ r *replica }

func (v voice) Notify(ctx context.Context, r *action.Record, n action.Note) error {
	return v.r.call("tell", func() error { return v.r.thread.Notify(ctx, r, n) })
}

func (v voice) Show(r *action.Record) { v.r.thread.Show(r) }

func (v voice) Mute(app action.App, by action.Person, until time.Time) (ok bool) {
	_ = v.r.call("mute", func() error { ok = v.r.thread.Mute(app, by, until); return nil })
	return ok
}

func (v voice) Redraw(string) { v.r.thread.Redraw() }

// wish is what somebody wants of that kind.
func wish(kind action.Kind) action.Request {
	w := action.Request{Kind: kind, App: prod}
	switch kind {
	case action.DeleteHookJob:
		w.Target = hookJob
	case action.Mute:
		w.MuteFor = time.Hour
	case action.HardRefresh, action.Terminate, action.Sync:
	}
	return w
}

// shown is the wish of somebody who was shown the plan. Nothing is said of the plan where there is none.
func (r *replica) shown(by action.Person, w action.Request) action.ConfirmedRequest {
	r.clicks++
	a := action.ConfirmedRequest{Request: w, By: by, Place: action.Place{Channel: "C1", Thread: "1.0"}, Click: fmt.Sprintf("click-%d", r.clicks)}
	if p, err := r.Plan(r.Context(), by, w); err == nil {
		a.Fingerprint = p.Fingerprint
	}
	return a
}

// press shows the plan and confirms it.
func (r *replica) press(by action.Person, w action.Request) (*action.Record, error) {
	return r.Request(r.Context(), r.shown(by, w))
}

// pressed is press that must be taken.
func (r *replica) pressed(by action.Person, w action.Request) *action.Record {
	r.Helper()
	rec, err := r.press(by, w)
	if err != nil {
		r.Fatal(err)
	}
	return rec
}

// pass lets time pass.
func (s *scene) pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// only is the one record there is.
func (s *scene) only() *action.Record {
	s.Helper()
	l, err := s.journal.Get(s.Context(), prod)
	if err != nil || len(l.Records) != 1 {
		s.Fatalf("%d records, %v", len(l.Records), err)
	}
	return l.Records[0]
}

// endsAs checks how the one record has ended, and that this was told once and as the last.
func (s *scene) endsAs(state action.State, result string) *action.Record {
	s.Helper()
	r := s.only()
	if r.State != state || !strings.Contains(r.Result, result) {
		s.Errorf("%s: %s\nwant %s: %s", r.State, r.Result, state, result)
	}
	if len(r.Notes) > 0 {
		s.Errorf("not told: %+v", r.Notes)
	}
	s.thread.mu.Lock()
	defer s.thread.mu.Unlock()
	if s.thread.atOnce {
		s.Error("told by two at once")
	}
	last := 0
	for _, n := range s.thread.said {
		if n.State.Over() {
			last++
		}
	}
	if n := len(s.thread.said); last != 1 || s.thread.said[n-1].State != r.State || s.thread.said[n-1].Text != r.Result {
		s.Errorf("the end was told %d times: %+v", last, s.thread.said)
	}
	return r
}

// code is that of a refusal.
func code(err error) action.Code {
	var refusal *action.Refusal
	if errors.As(err, &refusal) {
		return refusal.Code
	}
	return action.Code(fmt.Sprint(err))
}

// noGuests knows no guest.
type noGuests struct{}

func (noGuests) Guest(context.Context, string) (bool, error) { return false, nil }
