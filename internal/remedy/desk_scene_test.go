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

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/remedy"
)

func cloned(l *remedy.ActionLog) *remedy.ActionLog {
	raw, err := json.Marshal(l)
	if err != nil {
		panic(err)
	}
	out := &remedy.ActionLog{Version: l.Version}
	if err := json.Unmarshal(raw, out); err != nil {
		panic(err)
	}
	return out
}

// thread is the chat: what people see, in order. It takes each note once, as the bot's own does.
type thread struct {
	mu     sync.Mutex
	said   []remedy.Note
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

func (h *thread) Tell(_ context.Context, r *remedy.Record, n remedy.Note) error {
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

func (h *thread) Show(*remedy.Record) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.shown++
}

func (h *thread) Mute(_ remedy.App, _ remedy.Person, until time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.muted = until
	return !h.calm
}

func (h *thread) Look(remedy.App) {
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
		if n.Log != "" || strings.Contains(n.Text, "log of") && n.State == remedy.Running {
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
	rules   []remedy.Rule
	members groups
	clicks  int
	// options are further ones of the replicas; instance is that of a report, where it is not prod's.
	options  remedy.Options
	instance string
	// journalOf is the journal of the replicas, if it is not all that it could be.
	journalOf func(remedy.Journal) remedy.Journal
}

// play plays a scene in virtual time.
func play(t *testing.T, rules []remedy.Rule, act func(s *scene)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		act(&scene{T: t, cluster: newCluster(), journal: newJournal(), thread: &thread{seen: map[string]bool{}, telling: map[string]bool{}}, rules: rules,
			members: groups{"SONCALL": {dana.ID, "U9"}, "SLEADS": {erin.ID, "U3"}}})
	})
}

// Rules: everybody may, on-call may, on-call may if a lead agrees.
var (
	everybodyMay = []remedy.Rule{{Kinds: remedy.Kinds}}
	oncallMay    = []remedy.Rule{{Kinds: remedy.Kinds, Who: remedy.Who{Groups: []string{"SONCALL"}}}}
	leadsAgree   = []remedy.Rule{{Kinds: remedy.Kinds, Approval: &remedy.ApprovalRule{From: remedy.Who{Groups: []string{"SLEADS"}}, ExpireAfter: 15 * time.Minute}}}
)

// replica is one process of the bot. All that it does to the outside goes through call, where it can be killed.
type replica struct {
	*scene
	*remedy.Desk
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
	o.Worlds, o.Policy = map[string]remedy.World{prod.Instance: world{r}}, remedy.NewPolicy(s.rules, s.members)
	o.Journal, o.Teller, o.Holder = records{r}, voice{r}, name
	if s.journalOf != nil {
		o.Journal = s.journalOf(o.Journal)
	}
	r.Desk = remedy.New(o)
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

// world, records and voice are what a replica sees of the cluster, the journal and the chat.
type world struct{ r *replica }

func (w world) Look(ctx context.Context, want remedy.Want) (*remedy.Situation, error) {
	if err := w.r.alive(); err != nil {
		return nil, err
	}
	return w.r.cluster.Look(ctx, want)
}

func (w world) Application(ctx context.Context, app remedy.App) (*evidence.Application, error) {
	if err := w.r.alive(); err != nil {
		return nil, err
	}
	return w.r.cluster.Application(ctx, app)
}

func (w world) HardRefresh(ctx context.Context, app remedy.App) error {
	return w.r.call("refresh", func() error { return w.r.cluster.HardRefresh(ctx, app) })
}

func (w world) Terminate(ctx context.Context, app remedy.App, at time.Time) error {
	return w.r.call("terminate", func() error { return w.r.cluster.Terminate(ctx, app, at) })
}

func (w world) Sync(ctx context.Context, app remedy.App, c remedy.SyncCall) (revision string, err error) {
	err = w.r.call("sync", func() error { revision, err = w.r.cluster.Sync(ctx, app, c); return err })
	return revision, err
}

func (w world) JobLog(ctx context.Context, app remedy.App, job remedy.Job) (string, error) {
	if err := w.r.alive(); err != nil {
		return "", err
	}
	return w.r.cluster.JobLog(ctx, app, job)
}

func (w world) DeleteJob(ctx context.Context, app remedy.App, job remedy.Job) (way string, err error) {
	err = w.r.call("delete", func() error { way, err = w.r.cluster.DeleteJob(ctx, app, job); return err })
	return way, err
}

func (w world) Job(ctx context.Context, app remedy.App, job remedy.Job) (*remedy.Job, error) {
	if err := w.r.alive(); err != nil {
		return nil, err
	}
	return w.r.cluster.Job(ctx, app, job)
}

func (w world) Announce(ctx context.Context, app remedy.App, e remedy.Event) error {
	return w.r.call("announce", func() error { return w.r.cluster.Announce(ctx, app, e) })
}

func (w world) Lacks(ctx context.Context, kind remedy.Kind, app remedy.App, project string) (string, error) {
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

func (j records) Get(ctx context.Context, app remedy.App) (*remedy.ActionLog, error) {
	if err := j.r.reaches(); err != nil {
		return nil, err
	}
	return j.r.journal.Get(ctx, app)
}

func (j records) Put(ctx context.Context, l *remedy.ActionLog) error {
	return j.r.call("write", func() error { return j.r.journal.Put(ctx, l) })
}

func (j records) List(ctx context.Context) ([]*remedy.ActionLog, error) {
	if err := j.r.reaches(); err != nil {
		return nil, err
	}
	return j.r.journal.List(ctx)
}

type voice struct{ r *replica }

func (v voice) Tell(ctx context.Context, r *remedy.Record, n remedy.Note) error {
	return v.r.call("tell", func() error { return v.r.thread.Tell(ctx, r, n) })
}

func (v voice) Show(r *remedy.Record) { v.r.thread.Show(r) }

func (v voice) Mute(app remedy.App, by remedy.Person, until time.Time) (ok bool) {
	_ = v.r.call("mute", func() error { ok = v.r.thread.Mute(app, by, until); return nil })
	return ok
}

func (v voice) Look(app remedy.App) { v.r.thread.Look(app) }

func (v voice) Redraw(string) { v.r.thread.Redraw() }

// wish is what somebody wants of that kind.
func wish(kind remedy.Kind) remedy.Want {
	w := remedy.Want{Kind: kind, App: prod}
	switch kind {
	case remedy.DeleteHookJob:
		w.Target = hookJob
	case remedy.Mute:
		w.MuteFor = time.Hour
	case remedy.HardRefresh, remedy.Terminate, remedy.Sync:
	}
	return w
}

// shown is the wish of somebody who was shown the plan. Nothing is said of the plan where there is none.
func (r *replica) shown(by remedy.Person, w remedy.Want) remedy.Ask {
	r.clicks++
	a := remedy.Ask{Want: w, By: by, Place: remedy.Place{Channel: "C1", Thread: "1.0"}, Click: fmt.Sprintf("click-%d", r.clicks)}
	if p, err := r.Plan(r.Context(), by, w); err == nil {
		a.Print = p.Print
	}
	return a
}

// press shows the plan and confirms it.
func (r *replica) press(by remedy.Person, w remedy.Want) (*remedy.Record, error) {
	return r.Ask(r.Context(), r.shown(by, w))
}

// pressed is press that must be taken.
func (r *replica) pressed(by remedy.Person, w remedy.Want) *remedy.Record {
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
func (s *scene) only() *remedy.Record {
	s.Helper()
	l, err := s.journal.Get(s.Context(), prod)
	if err != nil || len(l.Records) != 1 {
		s.Fatalf("%d records, %v", len(l.Records), err)
	}
	return l.Records[0]
}

// endsAs checks how the one record has ended, and that this was told once and as the last.
func (s *scene) endsAs(state remedy.State, result string) *remedy.Record {
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
func code(err error) remedy.Code {
	var refusal *remedy.Refusal
	if errors.As(err, &refusal) {
		return refusal.Code
	}
	return remedy.Code(fmt.Sprint(err))
}
