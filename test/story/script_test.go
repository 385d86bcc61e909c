package story_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/incident"
)

var update = flag.Bool("update", false, "write what the stories show into their files")

func TestStories(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			archive := txtar.Parse(text)
			steps := play(t, archive, killing{})
			if *update {
				if err := os.WriteFile(file, txtar.Format(archive), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if strings.Contains(string(archive.Comment), "\nkilled anywhere\n") {
				killedAnywhere(t, archive, steps)
			}
		})
	}
}

// killedAnywhere plays the story again, once for each step: the bot is killed before it, or after it, and started again. What
// people see in the end is the same.
func killedAnywhere(t *testing.T, archive *txtar.Archive, steps int) {
	if steps == 0 {
		t.Fatal("the bot did nothing that it could be killed at")
	}
	for nth := 1; nth <= steps; nth++ {
		for _, after := range []bool{false, true} {
			name := fmt.Sprintf("before step %d", nth)
			if after {
				name = fmt.Sprintf("after step %d", nth)
			}
			t.Run("killed "+name, func(t *testing.T) { play(t, archive, killing{after: after, nth: nth}) })
		}
	}
	t.Logf("killed at %d moments", 2*steps)
}

// play tells a story in a bubble of time, and returns how many steps the bot took.
func play(t *testing.T, archive *txtar.Archive, kill killing) (steps int) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := newLab(t)
		l.kill = kill
		s := &script{lab: l, archive: archive, again: kill.nth > 0}
		for n, line := range strings.Split(string(archive.Comment), "\n") {
			words := strings.Fields(line)
			if len(words) == 0 || strings.HasPrefix(line, "#") || line == "killed anywhere" {
				continue
			}
			if err := s.run(words); err != nil {
				t.Fatalf("line %d: %s: %v", n+1, line, err)
			}
			settle()
			if s.again && l.killed() { // by the test, not by the story
				if err := l.start(); err != nil {
					t.Fatal(err)
				}
				settle()
			}
		}
		l.gone()
		l.slack.Close()
		steps = l.steps[""]
	})
	return steps
}

type script struct {
	*lab
	archive *txtar.Archive
	again   bool
	counted map[string]int
}

func (s *script) run(words []string) error {
	verb, args := words[0], words[1:]
	switch verb {
	case "config":
		return s.config(args)
	case "start":
		return s.start()
	case "stop":
		s.gone()
	case "fail", "well", "roll", "gone":
		return s.change(verb, args, true)
	case "unheard":
		return s.change(args[0], args[1:], false)
	case "hints":
		return s.hints(args[0], args[1])
	case "route":
		s.mu.Lock()
		s.routes[named(args[0])] = args[1]
		s.mu.Unlock()
	case "channel":
		s.slack.AddChannel(args[0], s.app.BotUserID)
	case "sweep":
		s.bot.syncer.Expire(time.Now())
		s.list(s.bot)
	case "wait":
		return s.wait(args)
	case "slack":
		return s.fault(args)
	case "argocd", "journal":
		return s.outage(verb, args[0])
	case "ask":
		return s.ask(args)
	case "socket":
		return s.socket(args[0])
	case "kill":
		return s.killWhen(args)
	case "show":
		return s.show(args[0], among(args, 1))
	case "calls":
		return s.calls(args)
	case "people":
		return s.join(args)
	case "allow":
		return s.allow(args)
	case "press":
		return s.press(args)
	case "mute":
		return s.mute(args)
	case "dialog":
		return s.dialog(args)
	case "submit":
		return s.submit(args)
	case "did":
		return s.did(args[0])
	case "reason":
		return s.reason(args)
	case "no-button":
		return s.noButton(args)
	case "details":
		return s.details(args)
	case "repaired", "refuses", "git", "job", "operation":
		return s.happens(verb, args)
	case "entries":
		return s.entries(args[0])
	default:
		return fmt.Errorf("no such verb: doc.go lists them")
	}
	return nil
}

func (s *script) config(args []string) error {
	for _, arg := range args {
		key, value, _ := strings.Cut(arg, "=")
		if key == "group" {
			n, err := strconv.Atoi(value)
			if err != nil {
				return err
			}
			s.policy.GroupFrom = n
			continue
		}
		d, err := time.ParseDuration(value)
		if err != nil {
			return err
		}
		switch key {
		case "openAfter":
			s.policy.OpenAfter = func(string) time.Duration { return d }
		case "hold":
			s.policy.HoldFor = d
		case "reopen":
			s.policy.ReopenWithin = d
		case "remind":
			s.policy.RemindAfter = d
		case "keep":
			s.policy.KeepFor = d
		default:
			return fmt.Errorf("no such key")
		}
	}
	return nil
}

func (s *script) change(how string, args []string, heard bool) error {
	var name string
	if how == "fail" {
		name, args = args[len(args)-1], args[:len(args)-1]
	}
	for _, arg := range args {
		app := named(arg)
		var r *diagnose.Report
		switch how {
		case "fail":
			c, err := recorded(name)
			if err != nil {
				return err
			}
			if r, err = diagnosed(c, app); err != nil {
				return err
			}
			r.Context.Since = time.Now() // Argo CD dates an operation
			s.simulate(app, c)
		case "well":
			r = healthy(app, diagnose.VerdictHealthy)
		case "roll":
			r = healthy(app, diagnose.VerdictProgressing)
		}
		s.set(app, r, heard)
	}
	return nil
}

// hints are many webhooks at the same time.
func (s *script) hints(app, times string) error {
	n, err := strconv.Atoi(times)
	if err != nil {
		return err
	}
	for range n {
		go s.bot.reconciler.Add(named(app))
	}
	return nil
}

func named(app string) incident.App {
	return incident.App{Instance: "prod", Namespace: "argocd", Name: app}
}

// among is the channel that a step names, or the usual one.
func among(args []string, at int) string {
	if len(args) > at {
		return args[at]
	}
	return "alerts"
}

// wait lets time pass. A bot that the test has killed is started again at once, as Kubernetes would.
func (s *script) wait(args []string) error {
	d, err := time.ParseDuration(args[0])
	if err != nil {
		return err
	}
	step := d
	if s.again {
		step = time.Second
	}
	for end := time.Now().Add(d); time.Now().Before(end); {
		time.Sleep(min(step, time.Until(end)))
		if s.again && s.killed() {
			if err := s.start(); err != nil {
				return err
			}
		}
	}
	return nil
}
