//go:build soak

package soak_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/demo/demotest"
	"github.com/argo-why/argo-why/internal/demo/world"
)

var bot string

func TestMain(m *testing.M) {
	os.Exit(demotest.WithBot(func(built string) int {
		bot = built
		if err := os.Chdir("../.."); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return m.Run()
	}))
}

func TestSoak(t *testing.T) { soak(t, func(*testing.T, *scene) {}) }

// soak plays in a world that prepare has had a look at.
func soak(t *testing.T, prepare func(*testing.T, *scene)) {
	seed, steps, until := settings(t)
	t.Logf("SOAKSEED=%d repeats this", seed)
	log, h := &tail{}, &history{began: time.Now(), echo: func(line string) { fmt.Println(line) }}
	w, err := world.New(t.Context(), log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	s, err := newScene(w, func(ctx context.Context, args ...string) *exec.Cmd { return exec.CommandContext(ctx, bot, args...) }, h.add)
	if err != nil {
		t.Fatal(err)
	}
	prepare(t, s)
	o, err := newObserver(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = o.close() })
	s.begin(t.Context(), rand.New(rand.NewPCG(seed, 0)))
	settled := 0 // how far the history is explained by threads that were right
	known, findings := map[string]bool{}, number(os.Getenv("SOAKFINDINGS"))
	n := 0
	for ; (steps == 0 || n < steps) && time.Now().Before(until); n++ {
		h.add(fmt.Sprintf("# step %d", n+1))
		from := h.len()
		(&play{scene: s, ctx: t.Context(), r: rand.New(rand.NewPCG(seed, uint64(n+1))), n: n + 1}).all()
		picture, wrong := s.settle(t.Context(), o, known)
		if wrong != nil {
			t.Error(finding(seed, n+1, wrong, h, settled, picture, w, log))
			if findings--; findings == 0 {
				break
			}
		}
		for _, what := range wrong {
			known[what] = true
		}
		o.remember(picture)
		settled = from
	}
	t.Logf("%d steps, SOAKSEED=%d", n, seed)
}

// settings are those of the environment: what make soak passes on.
func settings(t *testing.T) (seed uint64, steps int, until time.Time) {
	t.Helper()
	seed = uint64(time.Now().UnixNano()) % 1_000_000
	if text := os.Getenv("SOAKSEED"); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatalf("SOAKSEED=%s: %v", text, err)
		}
		seed = n
	}
	lasts := time.Hour
	if text := os.Getenv("SOAKSTEPS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			t.Fatalf("SOAKSTEPS=%s: give a number of steps", text)
		}
		steps, lasts = n, 24*time.Hour
	}
	if text := os.Getenv("SOAKTIME"); text != "" {
		d, err := time.ParseDuration(text)
		if err != nil || d <= 0 {
			t.Fatalf("SOAKTIME=%s: give a duration such as 3m", text)
		}
		lasts = d
	}
	return seed, steps, time.Now().Add(lasts)
}
