package evidence

import (
	"fmt"
	"regexp"
)

var (
	describedKind = regexp.MustCompile(`(?m)^Kind:[ \t]+(\S+)`)
	described     = regexp.MustCompile(`(?m)^API Version:[ \t]+\S`)
	shownName     = regexp.MustCompile(`(?m)^Name:[ \t]+([a-z0-9./-]+)[ \t\r]*$`)
	shownStatus   = regexp.MustCompile(`(?m)^(Sync|Health) Status:[ \t]`)
	// headings is a line of column headings in capital letters.
	headings = regexp.MustCompile(`(?m)^(NAME|GROUP|KIND|NAMESPACE|ID|PROJECT|KIND/NAME)( [A-Z]+)*([ \t]+[A-Z][A-Z/-]*)+[ \t\r]*$`)
)

// printed says what to give instead of output that is for people; empty for any other text.
func printed(text []byte) string {
	const most = 64 << 10 // such output begins with what shows it
	text = text[:min(len(text), most)]
	name := "APP"
	if m := shownName.FindSubmatch(text); m != nil {
		name = string(m[1])
	}
	switch kind := describedKind.FindSubmatch(text); {
	case kind != nil && described.Match(text) && string(kind[1]) == "Application":
		return fmt.Sprintf("is the output of 'kubectl describe', which cannot be read back; give that of 'kubectl get application %s -o yaml'", name)
	case kind != nil && described.Match(text):
		return "is the output of 'kubectl describe', which cannot be read back; give that of 'kubectl get application APP -o yaml'"
	case shownStatus.Match(text):
		return fmt.Sprintf("is the table of 'argocd app get', which leaves out most of what a diagnosis needs; give the output of 'argocd app get %s -o json'", name)
	case headings.Match(text):
		return "is a table, which leaves out most of what a diagnosis needs; give the output of 'argocd app get APP -o json' or 'kubectl get application APP -o yaml'"
	}
	return ""
}
