// Package scenarios lists the ways in which applications fail in the lab, the right diagnosis for each, and what a person does
// with the fixes that it prints.
package scenarios

import (
	"embed"
	"fmt"
	"path"
	"slices"

	"sigs.k8s.io/yaml"
)

//go:embed */run */fix */expect.yaml not-run.yaml
var files embed.FS

// Scenario is a directory: its script `run` makes its applications fail.
type Scenario struct {
	Name string
	Apps []App
	// Cured: it has a script `fix`, which cures them all. The bot's threads about these are followed from red to green.
	Cured bool
}

// App is one application of a scenario, after `run`.
type App struct {
	// Name begins with that of the scenario.
	Name string `json:"app"`
	// Rule is the cause; empty where nothing is wrong. Also are other right answers.
	Rule string   `json:"rule"`
	Also []string `json:"also"`
	// Verdict lists the right ones where Rule is empty.
	Verdict []string `json:"verdict"`
	// Sync lists the right verdicts on pressing Sync.
	Sync []string `json:"sync"`
	// Why says it in a sentence, for whoever reads a failed test.
	Why string `json:"why"`
	// Ways are those in which a person can use the report, each on a fresh run of the scenario.
	Ways []Way `json:"ways"`
	// Fill has what a person knows and the report does not: a value for each placeholder.
	Fill map[string]string `json:"fill"`
	// Alone: it changes settings that all applications share.
	Alone bool `json:"alone"`
	// Early: it fails only after minutes, so it is made to fail while others run.
	Early bool `json:"early"`
}

// Way is one way to do what the report says. After it the application is Synced and Healthy, its last sync succeeded, and
// `bot why` finds nothing.
type Way struct {
	Name  string `json:"name"`
	Steps []Step `json:"steps"`
	// Gone: something is still wrong afterwards, but not this.
	Gone bool `json:"gone"`
}

// Step has one of its fields.
type Step struct {
	// Run is in the printed command that is run as it stands.
	Run string `json:"run"`
	// Paste is in the printed YAML that is merged to where the text says.
	Paste string `json:"paste"`
	// Hand is what a person does without a printed command, in the words of steps.sh: what a step only describes, or a press of
	// Sync. $APP is the application.
	Hand string `json:"hand"`
}

// NotRun is a printed step that the lab cannot run.
type NotRun struct {
	// Step is in its command, its YAML or its text.
	Step string `json:"step"`
	// Scenario is the only one it is about; empty for all.
	Scenario string `json:"scenario"`
	Reason   string `json:"reason"`
	// Sometimes: reports print it in some of the states that the scenario passes through, and a run may see none of those.
	Sometimes bool `json:"sometimes"`
}

// All are the scenarios, in the order of their names.
func All() ([]Scenario, error) {
	found, err := files.ReadDir(".")
	if err != nil {
		return nil, fmt.Errorf("list scenarios: %w", err)
	}
	all := make([]Scenario, 0, len(found))
	for _, dir := range found {
		if !dir.IsDir() {
			continue
		}
		s := Scenario{Name: dir.Name()}
		if err := read(path.Join(s.Name, "expect.yaml"), &s.Apps); err != nil {
			return nil, err
		}
		_, err := files.ReadFile(path.Join(s.Name, "fix"))
		s.Cured = err == nil
		all = append(all, s)
	}
	return all, nil
}

// Cured are those with a script `fix`: what `scenario run all` runs.
func Cured() ([]Scenario, error) {
	all, err := All()
	return slices.DeleteFunc(all, func(s Scenario) bool { return !s.Cured }), err
}

// StepsNotRun are the printed steps that the lab cannot run, each with its reason.
func StepsNotRun() ([]NotRun, error) {
	var all []NotRun
	err := read("not-run.yaml", &all)
	return all, err
}

func read(file string, into any) error {
	text, err := files.ReadFile(file)
	if err != nil {
		return fmt.Errorf("read scenario: %w", err)
	}
	if err := yaml.UnmarshalStrict(text, into); err != nil {
		return fmt.Errorf("read %s: %w", file, err)
	}
	return nil
}
