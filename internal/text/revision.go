package text

import "strings"

// Revision is a revision as people write it: seven digits of a commit, anything else whole. Those of several sources are joined by ", ".
func Revision(revision string) string {
	if strings.Contains(revision, ", ") {
		return Revisions(revision)
	}
	if len(revision) != 40 || strings.Trim(revision, "0123456789abcdef") != "" {
		return revision
	}
	return revision[:7]
}

// Revisions are the revisions of an application with several sources, which are joined by ", ".
func Revisions(joined string) string {
	all := strings.Split(joined, ", ")
	for i := range all {
		all[i] = Revision(all[i])
	}
	return strings.Join(all, ", ")
}
