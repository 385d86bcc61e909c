package evidence

import (
	"fmt"
	"regexp"
)

// Private stands for the name of an application that the reader of a diagnosis may not see. No object can be named so.
const Private = "(private)"

// privateName finds what stands for such a name.
var privateName = regexp.MustCompile(`\(private(?:-\d+)?\)`)

// PrivateName stands for the n-th of several, so that they are told apart. It is one word, as a name is: rules read it out of texts.
func PrivateName(n int) string { return fmt.Sprintf("(private-%d)", n) }

// HasPrivate reports whether a text has what stands for such a name. A command or a manifest that does is of no use.
func HasPrivate(text string) bool { return privateName.MatchString(text) }

// IsApplication reports whether it is one of Argo CD's applications.
func (r Ref) IsApplication() bool {
	return r.Kind == "Application" && (r.Group == "argoproj.io" || r.Group == "")
}

// IsProject reports whether it is one of Argo CD's projects.
func (r Ref) IsProject() bool { return r.Kind == "AppProject" && r.Group == "argoproj.io" }
