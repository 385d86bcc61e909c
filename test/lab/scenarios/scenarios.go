// Package scenarios lists the ways in which applications fail in the lab, and the right diagnosis for each.
package scenarios

import (
	"embed"
	"encoding/json"
	"fmt"
	"path"
)

//go:embed */expect.json
var files embed.FS

// Scenario is a directory: its script `run` makes its applications fail, its script `fix` cures them.
type Scenario struct {
	Name string
	Apps []App
}

// App is one application of a scenario, after `run`.
type App struct {
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
}

// All are the scenarios, in the order of their names.
func All() ([]Scenario, error) {
	found, err := files.ReadDir(".")
	if err != nil {
		return nil, fmt.Errorf("list scenarios: %w", err)
	}
	all := make([]Scenario, 0, len(found))
	for _, dir := range found {
		s := Scenario{Name: dir.Name()}
		file := path.Join(s.Name, "expect.json")
		text, err := files.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("read scenario: %w", err)
		}
		if err := json.Unmarshal(text, &s.Apps); err != nil {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
		all = append(all, s)
	}
	return all, nil
}
