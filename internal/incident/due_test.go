package incident

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"
)

// several are incidents that people know of.
func (k *kept) several(apps ...string) {
	for _, app := range apps {
		k.see(0, fails(app, hookFailed, refused), Waiting)
		k.see(time.Minute, fails(app, hookFailed, refused), Opened)
	}
	k.reasons = nil
}

// attempt is another attempt that failed like the others.
func attempt(app string, n int64) Seen {
	seen := fails(app, hookFailed, refused)
	seen.Report.Context.Attempt = n
	return seen
}

// TestMostUrgentIsToldFirst: in whatever order it came up.
func TestMostUrgentIsToldFirst(t *testing.T) {
	keep(t, func(k *kept) {
		k.several("pay", "shop", "tax", "web")
		k.fills(time.Second, NewRoot, Response, History, Correction, Refresh)
		k.see(2*time.Minute, attempt("web", 2), Nothing)
		k.see(2*time.Minute, fails("tax", "health/crash-loop", "panic"), SeenMeanwhile)
		k.see(5*time.Hour, fails("shop", hookFailed, refused), Reminder)
		touched, _ := k.store.Note(k.asked("act-1"), note(1, "synced"), morning)
		k.syncer.Touch(touched...)
		k.several("new")
		k.fills(0)
		k.wait(time.Minute)
		if want := []string{"1 new", "2 pay", "3 shop", "4 tax", "5 web"}; !slices.Equal(k.reasons, want) {
			t.Errorf("told %v, want %v", k.reasons, want)
		}
		if !k.syncer.Idle() {
			t.Error("something is left")
		}
	})
}

// TestEditsWithoutRoomKeepNothingWaiting: Slack has taken its fill of edits for a while. That is no trouble of an incident either.
func TestEditsWithoutRoomKeepNothingWaiting(t *testing.T) {
	keep(t, func(k *kept) {
		k.several("pay", "web")
		k.fills(time.Hour, Correction, Refresh)
		k.see(2*time.Minute, attempt("web", 2), Nothing)
		k.see(3*time.Minute, attempt("web", 3), Nothing)
		k.several("new")
		k.wait(2 * time.Second)
		if !slices.Contains(k.names(), "new") || slices.Contains(k.names(), "web") && k.said[len(k.said)-1].Report.Context.Attempt > 1 {
			t.Errorf("told of %v", k.names())
		}
		times := k.times()
		k.fills(0)
		k.wait(2 * time.Hour)
		last := k.said[len(k.said)-1]
		if k.times() != times+1 || last.Report.Context.Attempt != 3 || last.Trouble != "" {
			t.Errorf("%d edits, the last of attempt %d: want one, of the newest state", k.times()-times, last.Report.Context.Attempt)
		}
	})
}

func (k *kept) names() (apps []string) {
	for _, i := range k.said {
		apps = append(apps, i.Members[0].App.Name)
	}
	return apps
}

// TestNewFailureIsWrittenBeforeWhatPeopleKnowOf: a failure is posted only once it is on record.
func TestNewFailureIsWrittenBeforeWhatPeopleKnowOf(t *testing.T) {
	keep(t, func(k *kept) {
		var known []string
		for n := range 40 {
			known = append(known, fmt.Sprint("app-", n))
		}
		k.several(known...)
		k.writing = time.Second
		for _, app := range known {
			k.syncer.Touch(k.story.see(2*time.Minute, attempt(app, 2), Nothing).Touched...)
		}
		k.several("new")
		k.wait(2500 * time.Millisecond) // those that are being written come first
		if !slices.Contains(k.reasons, "1 new") {
			t.Errorf("told %v", k.reasons)
		}
		k.wait(time.Minute)
	})
}

// TestWhoHasNotLookedYetDoesNotPost: what the former process has told is looked for until Slack has room for the search.
func TestWhoHasNotLookedYetDoesNotPost(t *testing.T) {
	keep(t, func(k *kept) {
		k.refuse = func() error { return errors.New("no answer") }
		k.open()
		k.refuse = func() error {
			return &NotifyError{Code: "ratelimited", After: 30 * time.Second, Certain: true, Err: errors.New("no room")}
		}
		k.wait(2 * time.Minute)
		k.refuse = nil
		k.wait(2 * time.Minute)
		if n := len(k.doubts); n < 4 || k.doubts[0] || slices.Contains(k.doubts[1:], false) {
			t.Errorf("looked first: %v, want each time but the first", k.doubts)
		}
		if i := k.store.Of(named("pay")); i.Trouble != "" || i.Thread.TS == "" {
			t.Errorf("thread %+v, trouble %q", i.Thread, i.Trouble)
		}
	})
}

// TestThreadThatIsDeletedEachTimeIsNotPostedWithoutEnd: Slack, or a person, may take away what we post.
func TestThreadThatIsDeletedEachTimeIsNotPostedWithoutEnd(t *testing.T) {
	keep(t, func(k *kept) {
		k.gone = true
		k.open()
		k.wait(10 * time.Minute)
		if n := k.times(); n < 10 || n > 40 {
			t.Errorf("posted %d times in ten minutes", n)
		}
	})
}

// TestWhatPeopleActOnIsCorrectedFirst names what makes an edit a correction.
func TestWhatPeopleActOnIsCorrectedFirst(t *testing.T) {
	s := opened(t)
	shown := s.store.Of(named("pay")).claim()
	for what, change := range map[string]func(*Incident){
		"recovered":   func(i *Incident) { i.Phase = Recovered },
		"cause":       func(i *Incident) { i.Cause.Key = "health/crash-loop" },
		"error":       func(i *Incident) { r := *i.Report; r.Headline = "pay: permission denied"; i.Report = &r },
		"sync advice": func(i *Incident) { r := *i.Report; r.Sync.Verdict = "safe"; i.Report = &r },
		"newer":       func(i *Incident) { r := *i.Report; r.Sync.Newer = "9c1e0d2"; i.Report = &r },
		"muted":       func(i *Incident) { i.Muted = &Mute{} },
		"approval":    func(i *Incident) { i.Actions = append(i.Actions, s.asked("act-1")) },
	} {
		i := s.store.Of(named("pay"))
		if change(i); i.claim() == shown {
			t.Errorf("%s: is an edit like any other", what)
		}
	}
	for what, change := range map[string]func(*Incident){
		"attempt":  func(i *Incident) { r := *i.Report; r.Context.Attempt = 5; i.Report = &r },
		"progress": func(i *Incident) { i.Progress = "2 of 3" },
	} {
		i := s.store.Of(named("pay"))
		if change(i); i.claim() != shown {
			t.Errorf("%s: is a correction", what)
		}
	}
}

// BenchmarkNextAmongMany is the choice of the next message while many incidents wait for an edit: it is made about once a second in
// each channel.
func BenchmarkNextAmongMany(b *testing.B) {
	now := time.Now()
	var held []*Incident
	for n := range 5000 {
		app := fmt.Sprint("app-", n)
		i := begin(fails(app, hookFailed, refused), Cause{Rule: hookFailed, Key: hookFailed}, policy(), now)
		i.Phase, i.Thread = Open, Thread{Channel: i.Channel, TS: app, DetailsTS: app}
		held = append(held, i)
	}
	s, l := NewStore(policy(), held), newLine()
	for _, i := range held {
		l.add(i.ID)
	}
	dues := func(id string) []Due { return s.dues(id, held[0].Channel) }
	b.ReportAllocs()
	for b.Loop() {
		if id, _, _, _ := l.next(dues, s.importance, func(Due) time.Duration { return 0 }); id == "" {
			b.Fatal("nobody is next")
		}
	}
}

// TestADigestIsPostedBeforeSingleFailures: it is of use for an hour, and thousands of failures take longer.
func TestADigestIsPostedBeforeSingleFailures(t *testing.T) {
	s := NewStore(policy(), []*Incident{sharing("pay", "team")})
	digest := s.AddDigest("team", Digest{Due: morning, At: morning}, morning)[0]
	if s.importance(digest).compare(s.importance("pay")) >= 0 {
		t.Errorf("the digest is %+v, the failure %+v", s.importance(digest), s.importance("pay"))
	}
}
