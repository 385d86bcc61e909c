package preflight

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/text"
)

// Finding is one thing that was looked at.
type Finding struct {
	// What was looked at: "slack scope".
	What string
	// Detail is what was found if nothing is wrong: "Acme (T0123), as @argo".
	Detail string
	// Problem is what is wrong, in one line; empty if nothing is.
	Problem string
	// Remedy is what to do about it. Empty if the problem says it.
	Remedy string
	// Optional: the bot works without it, and the problem says what is lost.
	Optional bool
}

// OK reports whether nothing is wrong.
func (f Finding) OK() bool { return f.Problem == "" }

// String is the line that a person reads.
func (f Finding) String() string {
	mark := "✓ "
	switch {
	case f.OK():
	case f.Optional:
		mark = "! "
	default:
		mark = "✗ "
	}
	parts := []string{f.What, f.Detail, f.Problem, f.Remedy}
	return mark + strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ": ")
}

// MarshalJSON is the finding for programs, with a plain ok.
func (f Finding) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		What     string `json:"what"`
		OK       bool   `json:"ok"`
		Detail   string `json:"detail,omitempty"`
		Problem  string `json:"problem,omitempty"`
		Remedy   string `json:"remedy,omitempty"`
		Optional bool   `json:"optional,omitempty"`
	}{f.What, f.OK(), f.Detail, f.Problem, f.Remedy, f.Optional})
}

// AllOK reports whether nothing is wrong.
func AllOK(findings []Finding) bool {
	return !slices.ContainsFunc(findings, func(f Finding) bool { return !f.OK() && !f.Optional })
}

// fromError is a finding for each of the errors that one may be made of. They say what to do themselves.
func fromError(what string, err error) []Finding {
	several, joined := err.(interface{ Unwrap() []error })
	if !joined {
		return []Finding{{What: what, Problem: text.OneLine(err.Error())}}
	}
	var all []Finding
	for _, one := range several.Unwrap() {
		all = append(all, fromError(what, one)...)
	}
	return all
}
