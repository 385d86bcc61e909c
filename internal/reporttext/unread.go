package reporttext

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/text"
)

// Unread says what could not be read and why: a line for each reason, and what the evidence lacks last.
func Unread(examined []diagnose.Examined) []string {
	lacking := evidence.ErrAbsent.Error()
	var reasons []string
	what := map[string][]string{}
	for _, e := range examined {
		if e.Error == "" {
			continue
		}
		name, why := string(e.Fact), text.OneLine(e.Error)
		if said, ok := strings.CutPrefix(why, "read "); ok { // else the error does not say what was read
			name, why, _ = strings.Cut(said, ": ")
		}
		if more, ok := strings.CutSuffix(why, ": "+lacking); ok {
			name, why = name+": "+more, lacking
		}
		if what[why] == nil && why != lacking {
			reasons = append(reasons, why)
		}
		what[why] = append(what[why], name)
	}
	if what[lacking] != nil {
		reasons = append(reasons, lacking)
	}
	lines := make([]string, len(reasons))
	for i, why := range reasons {
		lines[i] = strings.TrimSuffix(strings.Join(what[why], ", ")+": "+why, ": ")
	}
	return lines
}

// Unchecked names the resources of a healthy application that nothing speaks for, "" where there are none.
func Unchecked(r *diagnose.Report) string {
	if len(r.Unchecked) == 0 {
		return ""
	}
	const few = 3
	var out []string
	for _, ref := range r.Unchecked {
		out = append(out, ref.String())
	}
	return text.List(out, few) + ": Argo CD's health does not show whether they work"
}

// Untold names the rules that could not tell, by group where they are many.
func Untold(rules []string) string {
	const few = 5
	if len(rules) <= few {
		return strings.Join(rules, ", ") + ": evidence is missing"
	}
	var groups []string
	n := map[string]int{}
	for _, id := range rules {
		group := diagnose.Group(id)
		if n[group]++; n[group] == 1 {
			groups = append(groups, group)
		}
	}
	for i, group := range groups {
		groups[i] = fmt.Sprintf("%d of %s", n[group], group)
	}
	return fmt.Sprintf("%d rules (%s): evidence is missing", len(rules), strings.Join(groups, ", "))
}
