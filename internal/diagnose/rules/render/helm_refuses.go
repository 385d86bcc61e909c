package render

import (
	"cmp"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
)

// What the author of a chart writes about values that the chart refuses.
var (
	// requiredValue is a value that a chart's own message names, requiredName one that it names without .Values in front.
	requiredValue = pattern.MustCompile(`\.Values\.[A-Za-z0-9_.\-]*[A-Za-z0-9_]`)
	requiredName  = pattern.MustCompile(`(?i:please|must|need to|have to) (?:set|specify|provide|define) (?:a |the )?(?:value for |value of )?['"` + "`" + `]?([a-zA-Z]\w*(?:\.\w[\w-]*)+)|['"` + "`" + `]?\b([a-zA-Z]\w*(?:\.[\w-]+)+)['"` + "`" + `]? (?:is required|is missing|is not set|must be set|must be specified|must be provided|must be defined|must not be (?:empty|blank|null)|cannot be (?:empty|blank|null))`)
	// demands are words that say that a value must be set, gone that it must not be set any longer; otherwise are those by which such a sentence may mean something else.
	demands   = pattern.MustCompile(`(?i)\brequired\b|\bmust be (?:set|specified|provided|defined|given)|\b(?:please|must|need to|have to) (?:set|specify|provide|define)|\bmust not be (?:empty|blank|null)|\bcannot be (?:empty|blank|null)|\bis (?:missing|not set|not defined|empty|unset)\b`)
	gone      = pattern.MustCompile(`(?i)has been removed|is removed|was removed|no longer (?:supported|used|valid|exists?)|(?:is|has been) deprecated|please remove`)
	otherwise = pattern.MustCompile(`(?i)\bremoved?\b|deprecat|no longer|renamed|moved|\bboth\b|mutual|exclusive|\beither\b|\bonly one\b|\bone of\b|conflict|instead|\bunset\b|not be set\b|\bwhen\b|\bif\b|\bor\b`)
)

// namedOnce is the value that a message names, if it names no other.
func namedOnce(said string) string {
	all := slices.Compact(requiredValue.FindAllString(said, -1))
	if len(all) != 1 {
		return ""
	}
	return all[0]
}

// demanded is the one value that a chart's message asks for; empty where it asks for something else, or for one of several.
func demanded(said string) string {
	value := namedOnce(said)
	switch {
	case value != "" && demands.MatchString(said) && !otherwise.MatchString(strings.ReplaceAll(said, value, "")):
		return value
	case requiredValue.MatchString(said) || otherwise.MatchString(said):
		return ""
	}
	if m := requiredName.FindStringSubmatch(said); m != nil {
		return cmp.Or(m[1], m[2])
	}
	return ""
}

// chartSays is the message of a chart: where it is long, its first sentence, which says what is wrong, and its end, which says what to do.
func chartSays(said string) string {
	end := message.LastClause(said)
	if first, _, ok := strings.Cut(said, ". "); ok && len(end) < len(said) && len(first) < message.MaxClause && !strings.HasPrefix(said, end) {
		if at := strings.Index(said, end); at > len(first) {
			return first + ". " + end
		}
	}
	return end
}

// refuses is about a chart whose own check of its values fails (required, fail).
func refuses(r rendered, m []string) diagnose.Finding {
	at, said := templatePlace(r.s.Failure.Text), cutAdvice(m[1])
	out := diagnose.Finding{
		Title: "The chart refuses to render, at " + base(at),
		Brief: "The chart refuses to render",
		Short: "The chart refuses to render",
		Why:   "The check is in " + at + "." + wherefrom(r.s.Failure.Text, at) + forDependency(r.s.Failure.Text),
		Says:  diagnose.Said{Who: "The chart says", Text: chartSays(said)},
		Fix:   advice.Steps("Do what the chart's message asks for; values are set in " + valuesOf(r) + orTemplate(r, at, "correct the check in the template")),
	}
	value := demanded(said)
	if value != "" && len(said) < len(value)+len(" must be specified") { // as the title
		out.Says = diagnose.Said{}
	}
	out.Whole = value != ""
	switch {
	case gone.MatchString(said) && namedOnce(said) != "":
		value = namedOnce(said)
		out.Title, out.Brief = "The chart no longer takes "+value, ""
		out.Fix[0].Text = "Remove " + valueKey(r.s.Failure.Text, value) + " from " + valuesOf(r) + "; if the message names what replaces it, set that instead"
	case strings.HasPrefix(value, ".Values."):
		out.Title, out.Brief = "The chart requires "+value, ""
		out.Fix = []diagnose.Fix{setValue(r, value)}
	case value != "":
		out.Title, out.Brief = "The chart requires "+value, ""
		out.Fix[0].Text = "Set " + value + " in " + valuesOf(r)
	case looksUp(r, at, said, &out):
		return out
	}
	if strings.Contains(strings.ToLower(said), "upgrad") || otherwise.MatchString(said) {
		return withOtherVersion(r, at, out)
	}
	return out
}
