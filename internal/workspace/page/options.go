package page

import (
	"html/template"
	"time"

	"github.com/argo-why/argo-why/internal/workspace"
)

// Options of a page. Workspace is the only one that is needed.
type Options struct {
	Workspace *workspace.Workspace
	// People are those that a visitor can be; all people of the workspace if empty. The first is who one is at first.
	People []Person
	// Complete offers what can follow a command: Complete("alice", "/argo", "why sh"). nil offers nothing.
	Complete func(as, command, text string) []Completion
	// Sections are parts of the page that somebody else renders.
	Sections []Section
	// Style is a further style sheet, for the sections. It can use the custom properties of style.css.
	Style []byte
	// Clock is the time of day beside a message: 15:04, local.
	Clock func(time.Time) string
	// Now is the clock that ages are counted by; time.Now.
	Now func() time.Time
}

// Person is somebody that a visitor can be.
type Person struct {
	Name string // of a user of the workspace
	Role string // "developer"; may be empty
}

// Completion is an offer of what to write next.
type Completion struct {
	Insert string // what follows the command then, whole: "why shop"
	Label  string // what is offered: "shop"; Insert if empty
	Detail string // said of it: "Degraded"; may be empty
}

// Place of a section.
type Place int

const (
	// Beside is at the right; a drawer where there is no room.
	Beside Place = iota
	// Above is over the messages of the channel.
	Above
)

// Section is a part of the page that somebody else renders. Its forms are sent like the page's own: in the background,
// 204 is done, 303 leads on, and what any other answer says is shown to the person.
type Section struct {
	ID    string // of the element
	Label string // for screen readers
	Place Place
	// Render makes the section for somebody. It is called again after each change, from several goroutines. An element
	// with an id stays the same element, with its focus and what was typed, when the section changes around it.
	Render func(as string) (template.HTML, error)
	// Changed is closed at the next change. nil if the section never changes by itself; it is rendered at each change of
	// the workspace, too.
	Changed func() <-chan struct{}
}
