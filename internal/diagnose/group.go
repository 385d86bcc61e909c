package diagnose

import (
	"slices"
	"strings"
)

// RuleGroup is the part of a rule's id before the slash: where in the way from Git to a healthy application it looks.
type RuleGroup string

// The groups of the taxonomy.
const (
	GroupRender    RuleGroup = "render"
	GroupSpec      RuleGroup = "spec"
	GroupCompare   RuleGroup = "compare"
	GroupApply     RuleGroup = "apply"
	GroupOperation RuleGroup = "operation"
	GroupHook      RuleGroup = "hook"
	GroupWave      RuleGroup = "wave"
	GroupDrift     RuleGroup = "drift"
	GroupHealth    RuleGroup = "health"
)

// Phase is where a group stands to a sync.
type Phase int

// The phases. Whatever asks whether a failure comes before, in or after a sync asks here.
const (
	// BeforeSync: the desired state is not there or cannot be compared, so that nothing can be applied.
	BeforeSync Phase = iota
	// DuringSync: the sync failed, waits, or did not begin.
	DuringSync
	// AfterSync: it is about what is applied, and not about how it came there.
	AfterSync
)

// groups in the order of causes: when an earlier one explains the application, the later are effects. title says what the
// rules of the group have in common.
var groups = []struct {
	group RuleGroup
	phase Phase
	title string
}{
	{GroupRender, BeforeSync, "the desired state could not be produced, nothing was applied"},
	{GroupSpec, BeforeSync, "the application itself is not valid or not permitted"},
	{GroupCompare, BeforeSync, "desired and live state cannot be compared"},
	{GroupApply, DuringSync, "the API server refused something"},
	{GroupOperation, DuringSync, "the sync did not, or could not, run"},
	{GroupHook, DuringSync, "a resource hook failed or does not end"},
	{GroupWave, DuringSync, "a sync wave waits"},
	{GroupDrift, AfterSync, "desired and live state differ"},
	{GroupHealth, AfterSync, "applied, but not healthy"},
}

// Group is the part of a rule's id before the slash.
func Group(id string) string {
	group, _, _ := strings.Cut(id, "/")
	return group
}

// Has reports whether a rule of that id is one of the group.
func (g RuleGroup) Has(id string) bool { return Group(id) == string(g) }

// Title says what the rules of the group have in common; empty for a group that does not exist.
func (g RuleGroup) Title() string {
	if i := g.rank(); i < len(groups) {
		return groups[i].title
	}
	return ""
}

// groupRank is the place of a rule's group in the order of causes.
func groupRank(id string) int { return RuleGroup(Group(id)).rank() }

// rank is the place of the group in the order of causes; behind all others for one that does not exist.
func (g RuleGroup) rank() int {
	for i := range groups {
		if groups[i].group == g {
			return i
		}
	}
	return len(groups)
}

// phase is that of a rule's group; ok is false for a group that does not exist.
func phaseOf(id string) (phase Phase, ok bool) {
	if i := groupRank(id); i < len(groups) {
		return groups[i].phase, true
	}
	return 0, false
}

// Has reports whether a rule of that id belongs to the phase.
func (p Phase) Has(id string) bool {
	phase, ok := phaseOf(id)
	return ok && phase == p
}

// Cause is what a finding may be a symptom of: a rule, a group, or a phase.
type Cause interface{ patterns() []string }

// SymptomOf are the patterns of [Rule.ExplainedBy] for these causes.
func SymptomOf(causes ...Cause) []string {
	var out []string
	for _, c := range causes {
		out = append(out, c.patterns()...)
	}
	return out
}

func (r *Rule) patterns() []string { return []string{r.ID} }

func (g RuleGroup) patterns() []string { return []string{string(g) + "/*"} }

func (p Phase) patterns() []string {
	var out []string
	for _, g := range groups {
		if g.phase == p {
			out = append(out, g.group.patterns()...)
		}
	}
	return out
}

// explains reports whether id matches one of the patterns.
func explains(id string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		if group, ok := strings.CutSuffix(p, "/*"); ok && strings.HasPrefix(id, group+"/") {
			return true
		}
		return p == id || strings.HasPrefix(id, p+"/")
	})
}
