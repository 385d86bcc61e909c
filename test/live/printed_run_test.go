//go:build live

package live_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/test/lab/scenarios"
	"github.com/argo-why/argo-why/test/live/printed"
)

// patience is longer than anything takes on a slow machine; only what never comes about waits so long.
const patience = 8 * time.Minute

// run is one fresh run of a scenario, under a name of its own, and what a person does then.
type run struct {
	t        *testing.T
	scenario scenarios.Scenario
	// name is the scenario's in this run.
	name string
	// number is that of the way of each application.
	number int
	seen   *steps
	// home is where its commands keep what they remember.
	home string
}

func newRun(t *testing.T, s scenarios.Scenario, number int, seen *steps) *run {
	return &run{t: t, scenario: s, name: fmt.Sprintf("%s-%c", s.Name, 'a'+number), number: number, seen: seen, home: t.TempDir()}
}

// begin makes its applications fail.
func (r *run) begin() {
	if out, err := r.script(r.name, `. ./run`); err != nil {
		r.t.Fatalf("run: %v\n%s", err, out)
	}
}

func (r *run) start() {
	if !r.scenario.Apps[0].Early {
		r.begin()
	}
	reports := make([]*printed.Report, len(r.scenario.Apps))
	for i, x := range r.scenario.Apps {
		rep := r.steady(x)
		if wrong := right(x, rep); wrong != "" {
			r.t.Errorf("%s: %s", r.app(x), wrong)
		}
		reports[i] = rep
	}
	if r.t.Failed() {
		return
	}
	for i, x := range r.scenario.Apps {
		r.look(x, reports[i])
	}
	for i, x := range r.scenario.Apps {
		if r.number < len(x.Ways) {
			r.take(x, x.Ways[r.number], reports[i])
		}
	}
	if !r.t.Failed() {
		r.remove()
	}
}

// steady is the report once it is right, and says the same again: what Argo CD shows can be a moment behind what the script waited for.
func (r *run) steady(x scenarios.App) *printed.Report {
	r.t.Helper()
	rep := r.why(r.app(x))
	for end := time.Now().Add(patience); time.Now().Before(end); {
		time.Sleep(2 * time.Second)
		again := r.why(r.app(x))
		if right(x, again) == "" && slices.Equal(r.keys(rep), r.keys(again)) {
			return again
		}
		rep = again
	}
	return rep
}

// keys are those of all printed steps.
func (r *run) keys(rep *printed.Report) []string {
	var out []string
	for _, f := range rep.Printed() {
		for _, s := range f.Fix {
			out = append(out, r.key(s))
		}
	}
	return out
}

// app is the application's name in this run.
func (r *run) app(x scenarios.App) string {
	return r.name + strings.TrimPrefix(x.Name, r.scenario.Name)
}

// script runs lines in the words of steps.sh, in the scenario's directory.
func (r *run) script(app, lines string) (string, error) {
	ctx, cancel := context.WithTimeout(r.t.Context(), 2*patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-euo", "pipefail", "-c", ". ../steps.sh\n"+lines)
	cmd.WaitDelay = time.Second
	cmd.Dir = "../lab/scenarios/" + r.scenario.Name
	cmd.Env = append(os.Environ(), "NAME="+r.name, "APP="+app)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// command runs a line as a person does in a shell, in a clone of the repository.
func (r *run) command(line string) (string, error) {
	ctx, cancel := context.WithTimeout(r.t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-c", line)
	cmd.Dir = os.Getenv("GIT_WORK")
	cmd.Env = append(os.Environ(), "HELM_REPOSITORY_CONFIG="+filepath.Join(r.home, "helm.yaml"), "HELM_REPOSITORY_CACHE="+r.home)
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// why is what `bot why` says.
func (r *run) why(app string) *printed.Report {
	r.t.Helper()
	cmd := exec.CommandContext(r.t.Context(), "bot", "why", app, "--plaintext", "-o", "json")
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		r.t.Fatalf("bot why %s: %v: %s", app, err, exit.Stderr)
	}
	rep := &printed.Report{}
	if err := json.Unmarshal(out, rep); err != nil {
		r.t.Fatalf("bot why %s: %v\n%s", app, err, out)
	}
	return rep
}

// look runs what only looks. Each command must print something and succeed, unless it shows the failure itself.
func (r *run) look(x scenarios.App, rep *printed.Report) {
	for _, f := range rep.Printed() {
		for _, s := range f.Fix {
			key := r.key(s)
			if key != "" {
				r.seen.printed(key)
			}
			s = s.Fill(r.values(x))
			if !printed.Looks(s.Command) || r.seen.cannot(key) != "" {
				continue
			}
			out, err := r.command(s.Command)
			exit := (*exec.ExitError)(nil)
			switch {
			case err != nil && !(errors.As(err, &exit) && printed.Reproduces(s.Command)):
				r.t.Errorf("%s: to look: %s\n$ %s\n%s%v", f.Rule, s.Text, s.Command, out, err)
			case strings.TrimSpace(out) == "":
				r.t.Errorf("%s: prints nothing: %s\n$ %s", f.Rule, s.Text, s.Command)
			}
			r.seen.did(key)
		}
	}
}

// take does what a person does, and waits until the application is what the text says.
func (r *run) take(x scenarios.App, way scenarios.Way, rep *printed.Report) {
	app := r.app(x)
	for _, s := range way.Steps {
		var err error
		switch {
		case s.Run != "":
			err = r.execute(x, rep, s.Run)
		case s.Paste != "":
			err = r.paste(app, x, rep, s.Paste)
		default:
			var out string
			if out, err = r.script(app, s.Hand); err != nil {
				err = fmt.Errorf("%s: %w\n%s", s.Hand, err, out)
			}
		}
		if err != nil {
			r.t.Errorf("%s: %s: %v\n%s", app, way.Name, err, text(rep))
			return
		}
	}
	r.end(app, x, way, rep)
}

// end waits until the application is well, and `bot why` agrees.
func (r *run) end(app string, x scenarios.App, way scenarios.Way, before *printed.Report) {
	if !way.Gone {
		if out, err := r.script(app, "await_settled $APP"); err != nil {
			r.t.Errorf("%s: %s: it is not well afterwards: %v\n%s\n%s", app, way.Name, err, out, text(before))
			return
		}
	}
	rep := r.why(app)
	for until := time.Now().Add(patience); !cured(x, way, rep) && time.Now().Before(until); rep = r.why(app) {
		time.Sleep(time.Second)
	}
	if !cured(x, way, rep) {
		r.t.Errorf("%s: %s: afterwards `bot why` says %s (%s)\n%s", app, way.Name, rep.First(), rep.Headline, text(before))
	}
}

func cured(x scenarios.App, way scenarios.Way, rep *printed.Report) bool {
	return !rep.Blames(x.Rule) && (way.Gone || rep.Verdict == "healthy")
}

// remove takes the run away; what is left over does no harm.
func (r *run) remove() {
	for _, x := range r.scenario.Apps {
		_, _ = r.script(r.app(x), `remove_apps $APP; kubectl delete namespace s-$APP --ignore-not-found --wait=false`)
	}
	_, _ = r.script("", `kubectl -n argocd delete appproject/$NAME secret/cluster-$NAME --ignore-not-found`)
}

// text is the report as a failed test shows it.
func text(rep *printed.Report) string {
	var out strings.Builder
	fmt.Fprintf(&out, "the report was: %s\n", rep.Headline)
	for _, f := range rep.Findings {
		fmt.Fprintf(&out, "%s (%s)\n", f.Rule, f.Role)
		for _, s := range f.Fix {
			fmt.Fprintf(&out, "  %s\n", s.Text)
			for line := range strings.Lines(s.Command + s.Patch) {
				fmt.Fprintf(&out, "    %s\n", strings.TrimSuffix(line, "\n"))
			}
		}
	}
	return out.String()
}
