package story

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/argo-why/argo-why/internal/near"
)

// Story is a file: the steps, and what people should see after some of them.
type Story struct {
	Steps   []Step
	archive *txtar.Archive
}

// Step is one line.
type Step struct {
	Line int // in the file, from 1
	Verb string
	Args []string
	// Unheard: nobody reports the change to the bot.
	Unheard bool
}

// String is the step as it is written, without the spaces that do not matter.
func (s Step) String() string {
	words := append([]string{s.Verb}, s.Args...)
	if s.Unheard {
		words = append([]string{unheard}, words...)
	}
	return strings.Join(words, " ")
}

// Rest is the text that begins with the nth argument.
func (s Step) Rest(nth int) string { return strings.Join(s.Args[nth:], " ") }

// Fails is an error with the line that it is about.
func (s Step) Fails(err error) error { return fmt.Errorf("line %d: %s: %w", s.Line, s, err) }

const unheard = "unheard"

// Parse reads a story. The error names each line that is wrong.
func Parse(text []byte) (*Story, error) {
	s := &Story{archive: txtar.Parse(text)}
	var errs []error
	for n, line := range strings.Split(string(s.archive.Comment), "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		step, err := parse(words)
		if err != nil {
			errs = append(errs, fmt.Errorf("line %d: %w", n+1, err))
			continue
		}
		step.Line = n + 1
		s.Steps = append(s.Steps, step)
	}
	return s, errors.Join(errs...)
}

func parse(words []string) (Step, error) {
	step := Step{Verb: words[0], Args: words[1:]}
	forms := formsOf(step.Verb)
	if len(forms) == 0 {
		return step, unknown(step.Verb)
	}
	if !slices.ContainsFunc(forms, func(f Form) bool { return f.fits(step.Args) }) {
		return step, fmt.Errorf("%s: expected %s", step.Verb, expected(forms))
	}
	switch step.Verb {
	case "config":
		if _, err := Settings(step.Args); err != nil {
			return step, fmt.Errorf("%s: %w", step.Verb, err)
		}
	case "allow":
		if _, err := NewGrant(step.Args); err != nil {
			return step, fmt.Errorf("%s: %w", step.Verb, err)
		}
	case unheard:
		return parseUnheard(step)
	}
	return step, nil
}

func parseUnheard(step Step) (Step, error) {
	inner, err := parse(step.Args)
	if err != nil {
		return step, fmt.Errorf("%s: %w", unheard, err)
	}
	if !slices.Contains([]string{"fail", "well", "roll", "gone"}, inner.Verb) {
		return step, fmt.Errorf("%s: expected fail, well, roll or gone", unheard)
	}
	inner.Unheard = true
	return inner, nil
}

func expected(forms []Form) string {
	var all []string
	for _, f := range forms {
		all = append(all, cmp.Or(f.Args, "nothing after it"))
	}
	return strings.Join(all, ", or ")
}

func unknown(verb string) error {
	var all []string
	for _, f := range Forms() {
		all = append(all, f.Verb)
	}
	nearest := near.Rank(slices.Compact(all), near.Threshold, func(name string) float64 { return near.Application(verb, name) }, nil)
	if len(nearest) > 0 {
		return fmt.Errorf("%s: no such verb; did you mean %s?", verb, nearest[0])
	}
	return fmt.Errorf("%s: no such verb", verb)
}

// Has reports whether a verb is among the steps.
func (s *Story) Has(verb string) bool {
	return slices.ContainsFunc(s.Steps, func(step Step) bool { return step.Verb == verb })
}

// Section is what people should see, as the file has it under that name.
func (s *Story) Section(name string) (text string, found bool) {
	for _, f := range s.archive.Files {
		if f.Name == name {
			return string(f.Data), true
		}
	}
	return "", false
}

// SetSection changes what people should see.
func (s *Story) SetSection(name, text string) {
	for i, f := range s.archive.Files {
		if f.Name == name {
			s.archive.Files[i].Data = []byte(text)
			return
		}
	}
	s.archive.Files = append(s.archive.Files, txtar.File{Name: name, Data: []byte(text)})
}

// Format is the file.
func (s *Story) Format() []byte { return txtar.Format(s.archive) }
