package foreign

import (
	"errors"
	"fmt"
	"strconv"
)

// Levels is how deep a document may be nested. The schema of a definition, the deepest Kubernetes object there is, has about 100; a text
// that is printed or saved grows with the square.
const Levels = 1000

// Limits are what one document may take.
type Limits struct {
	// Bytes counts each anchored part of YAML once for every alias of it, since that is what decoding makes of it.
	Bytes int
	// Nodes counts values: texts, numbers, lists, objects.
	Nodes int
	// Members counts those of all lists: two bytes of text become an entry of hundreds in memory.
	Members int
}

// FileBytes is the size of the largest [File].
const FileBytes = 128 << 20

var (
	// Field is for a document in a field of an object, such as values for Helm. An object in a cluster has 1.5 MB at the most, and eight
	// are read at once.
	Field = Limits{Bytes: 4 << 20, Nodes: 200_000, Members: 200_000}
	// Application is for an object of Argo CD's, which is in a cluster as well. The largest have some 10,000 resources, each twice; of 50,000 it is measured.
	Application = Limits{Bytes: 32 << 20, Nodes: 2_000_000, Members: 150_000}
	// Answer is for anything else that an API answers with: the tree of such an application, the two states of its resources.
	Answer = Limits{Bytes: 200 << 20, Nodes: 4_000_000, Members: 1_000_000}
	// File is for a file that a person gives: 2,000 resources with both states are far below.
	File = Limits{Bytes: FileBytes, Nodes: 8_000_000, Members: 1_000_000}
)

// TooLargeError is about a text that was not decoded because of what it would have become.
type TooLargeError struct {
	// What was exceeded, with the limit: "more than 200,000 entries in one list".
	What string
}

func (e *TooLargeError) Error() string { return "too large to read: " + e.What }

// IsTooLarge reports whether a text was not decoded because of its size.
func IsTooLarge(err error) bool {
	_, ok := errors.AsType[*TooLargeError](err)
	return ok
}

var errDepth = &TooLargeError{What: "nested more than " + thousands(Levels) + " levels deep"}

var errDirectives = &TooLargeError{What: "more than " + strconv.Itoa(directives) + " YAML directives"}

func (l Limits) errBytes() error {
	return &TooLargeError{What: fmt.Sprintf("more than %d MiB", l.Bytes>>20)}
}

func (l Limits) errExpanded() error {
	return &TooLargeError{What: fmt.Sprintf("more than %d MiB with its YAML aliases replaced", l.Bytes>>20)}
}

func (l Limits) errNodes() error {
	return &TooLargeError{What: fmt.Sprintf("more than %s values", thousands(l.Nodes))}
}

func (l Limits) errMembers() error {
	return &TooLargeError{What: fmt.Sprintf("more than %s entries in its lists", thousands(l.Members))}
}

// thousands writes a limit, whose last three digits are zero.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for at := len(s) - 3; at > 0; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}
