package redact

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	toml "github.com/pelletier/go-toml/v2"
	"github.com/zricethezav/gitleaks/v8/config"
)

//go:embed rules.toml
var generalRules string

//go:embed services.toml
var serviceRules string

//go:embed places.toml
var placeRules string

//go:embed habits.toml
var habitRules string

// tokenRules are one file for each trade.
//
//go:embed tokens/*.toml
var tokenRules embed.FS

var ourRules = generalRules + serviceRules + placeRules + habitRules + allTokenRules()

func allTokenRules() string {
	files, err := tokenRules.ReadDir("tokens")
	if err != nil {
		panic(err) // they are part of the program
	}
	var all strings.Builder
	for _, f := range files {
		text, err := tokenRules.ReadFile("tokens/" + f.Name())
		if err != nil {
			panic(err)
		}
		all.Write(text)
	}
	return all.String()
}

// load reads gitleaks' rules as they are released, and ours, which extend them.
//
// gitleaks' own Translate is not used: it compiles every expression, which takes 50 ms, and counts its calls in a global
// variable. Its TOML is read into its own types, so a release with another format fails the tests.
func load(theirText, ourText string) (rules []rule, global []allow, err error) {
	ours, err := read(ourText)
	if err != nil {
		return nil, nil, fmt.Errorf("read rules.toml: %w", err)
	}
	theirs, err := read(theirText)
	if err != nil {
		return nil, nil, fmt.Errorf("read gitleaks' rules: %w", err)
	}
	rules, global = translate(ours)
	replaced := slices.Clone(ours.Extend.DisabledRules)
	for i := range rules {
		rules[i].ours = true
		replaced = append(replaced, rules[i].id)
	}
	more, moreGlobal := translate(theirs)
	onlyWhole(moreGlobal)
	for _, r := range more {
		onlyWhole(r.allow)
		if !slices.Contains(replaced, r.id) {
			rules = append(rules, r)
		}
	}
	slices.SortFunc(rules, func(a, b rule) int { return strings.Compare(a.id, b.id) })
	return rules, append(global, moreGlobal...), nil
}

// onlyWhole makes an exception of gitleaks hold only for a secret that it describes as a whole. Some of theirs look for a
// part (`^true|false|null$`), by which a token that contains "false" would be none.
func onlyWhole(list []allow) {
	for i := range list {
		list[i].whole = list[i].target == ""
	}
}

// translate returns the rules that say something about a text, and the list of what is no secret for any of them.
func translate(c *config.ViperConfig) (rules []rule, global []allow) {
	if old := c.AllowList; old != nil { //nolint:staticcheck // deprecated, but gitleaks' own rules are written like that
		c.Allowlists = append(c.Allowlists, old)
	}
	targeted := map[string][]allow{}
	for _, a := range c.Allowlists {
		list := newAllow(a.Condition, a.RegexTarget, a.Regexes, a.StopWords, a.Paths)
		if len(a.TargetRules) == 0 {
			global = append(global, list...)
		}
		for _, id := range a.TargetRules {
			targeted[id] = append(targeted[id], list...)
		}
	}
	for _, r := range c.Rules {
		// A rule for a certain kind of file says little about a message, and there is no file name to check.
		if r.Path != "" || r.Regex == "" {
			continue
		}
		if r.AllowList != nil {
			r.Allowlists = append(r.Allowlists, r.AllowList)
		}
		one := rule{
			id: r.ID, pattern: r.Regex, group: r.SecretGroup, entropy: r.Entropy, silent: r.SkipReport,
			// gitleaks' own expressions name a line end where they want to see several lines: curl and its options.
			lines: slices.Contains(r.Tags, "multiline") || strings.Contains(r.Regex, `\r\n`), anchored: slices.Contains(r.Tags, "anchored"), token: slices.Contains(r.Tags, "token"),
		}
		for _, k := range r.Keywords {
			one.keywords = append(one.keywords, strings.ToLower(k))
		}
		for _, a := range r.Allowlists {
			one.allow = append(one.allow, newAllow(a.Condition, a.RegexTarget, a.Regexes, a.StopWords, a.Paths)...)
		}
		one.allow = append(one.allow, targeted[r.ID]...)
		for _, need := range r.Required {
			one.needs = append(one.needs, need.ID)
		}
		rules = append(rules, one)
	}
	return rules, global
}

// read refuses what it does not know, because a condition of a rule that is not understood would be ignored.
func read(text string) (*config.ViperConfig, error) {
	c := &config.ViperConfig{}
	return c, toml.NewDecoder(strings.NewReader(text)).DisallowUnknownFields().Decode(c)
}

// newAllow leaves out a list that says nothing about a text, or only together with the name of a file.
func newAllow(condition, target string, patterns, words, paths []string) []allow {
	all := strings.EqualFold(condition, "and") || condition == "&&"
	if len(patterns) == 0 && len(words) == 0 || all && len(paths) > 0 {
		return nil
	}
	if target == "secret" {
		target = ""
	}
	lower := make([]string, 0, len(words))
	for _, w := range words {
		lower = append(lower, strings.ToLower(w))
	}
	return []allow{{all: all, target: target, patterns: patterns, words: lower}}
}
