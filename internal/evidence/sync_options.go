package evidence

import (
	"slices"
	"strings"
)

// syncOptions are those that an Application takes, in the one spelling that Argo CD knows: it compares them letter by letter.
var syncOptions = []string{
	"ApplyOutOfSyncOnly=true", "ClientSideApplyMigration=false", "CreateNamespace=false", "CreateNamespace=true", "FailOnSharedResource=true", "Force=true",
	"PruneLast=true", "PrunePropagationPolicy=background", "PrunePropagationPolicy=foreground", "PrunePropagationPolicy=orphan", "Replace=true",
	"RespectIgnoreDifferences=true", "ServerSideApply=false", "ServerSideApply=true", "SkipDryRunOnMissingResource=true", "Validate=false",
}

// Misspelled is a sync option that Argo CD ignores, because it is not spelled as Argo CD knows it.
type Misspelled struct{ Written, Option string }

// MisspelledOptions are the sync options of the application that only a space, a quote, the case of a letter or another sign keeps from
// being ones that Argo CD knows. Several in one entry are none either.
func (a *Application) MisspelledOptions() []Misspelled {
	if a.Spec.SyncPolicy == nil {
		return nil
	}
	var out []Misspelled
	for _, written := range a.Spec.SyncPolicy.SyncOptions {
		if slices.Contains(syncOptions, written) {
			continue
		}
		for _, part := range strings.FieldsFunc(written, func(r rune) bool { return r == ',' || r == ';' || r == '\n' }) {
			for _, option := range syncOptions {
				if bare(part) == bare(option) && !a.HasSyncOption(option) {
					out = append(out, Misspelled{Written: written, Option: option})
				}
			}
		}
	}
	return out
}

// Misspells is the option as the application has it in a way that Argo CD ignores; ok is false where it does not.
func (a *Application) Misspells(option string) (m Misspelled, ok bool) {
	for _, m := range a.MisspelledOptions() {
		if m.Option == option {
			return m, true
		}
	}
	return Misspelled{}, false
}

// How says what is wrong with the spelling: "with a space in front".
func (m Misspelled) How() string {
	switch trimmed := strings.TrimSpace(m.Written); {
	case trimmed == m.Option && strings.HasSuffix(m.Written, m.Option):
		return "with a space in front"
	case trimmed == m.Option:
		return "with a space at the end"
	case strings.ContainsAny(trimmed, ",;\n"):
		return "in one entry with another"
	}
	return "written as " + strings.TrimSpace(m.Written)
}

// bare is an option without what people write differently.
func bare(option string) string { return strings.ToLower(signs.Replace(option)) }

var signs = strings.NewReplacer(" ", "", "\t", "", "\u00a0", "", `"`, "", "'", "", ":", "=", "-", "", "_", "")
