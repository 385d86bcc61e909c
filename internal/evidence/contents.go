package evidence

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/foreign"
)

// MaxCaseBytes is the largest input that is decoded; more is a mistake, and decoding it would take gigabytes.
const MaxCaseBytes = foreign.FileBytes

// Contents is what a text contains that somebody saved.
type Contents struct {
	Cases []*Case
	// Problems are what could not be read, each by itself: the rest is read nevertheless.
	Problems []Problem
	// Passed are the objects that are no applications.
	Passed []Passed
}

// Problem is about one item of a text, or all of it.
type Problem struct {
	// Where is "item 2 (Application shop)"; empty for the text as a whole.
	Where string
	// Says goes on after that: "is damaged: …".
	Says string
}

func (p Problem) Error() string { return strings.TrimSpace(p.Where + " " + p.Says) }

// Passed is an object that is no application, and is not diagnosed.
type Passed struct {
	// Name is "AppProject default", or "a Pod" where it has no name.
	Name string
	// Fails is what an ApplicationSet says about its own failure; empty where it says nothing.
	Fails string
}

// DecodeCases is [Read] of a text that must be good as a whole.
func DecodeCases(text []byte, now time.Time) ([]*Case, error) {
	c := Read(text, now)
	errs := make([]error, len(c.Problems))
	for i, p := range c.Problems {
		errs[i] = p
	}
	return c.Cases, errors.Join(errs...)
}

// Read reads the cases in a text: case files, and Applications as kubectl, the argocd command and the APIs of both show them (single, in a
// list, or as a stream of changes), with what a terminal shows around them. A case file has a clock of its own; that of the others is the
// newest date in the text, or now if there is none.
func Read(text []byte, now time.Time) Contents {
	if len(text) > MaxCaseBytes {
		return whole(fmt.Sprintf("is larger than %d MiB, the limit; give one application at a time", MaxCaseBytes>>20))
	}
	text = utf8(text)
	if len(bytes.TrimSpace(text)) == 0 {
		return whole("is empty: expected a case file or an Argo CD Application")
	}
	found := documents(text)
	r := newReading(now)
	for i, doc := range found.docs {
		at := place{}
		if len(found.docs) > 1 {
			at.name = fmt.Sprintf("document %d", i+1)
		}
		switch {
		case doc.err == nil:
			r.document(doc.raw, at)
		case doc.doubtful:
			r.doubtful = slices.Insert(r.doubtful, 0, Problem{at.name, doc.err.Error()})
		default:
			r.problem(at, doc.err.Error())
		}
	}
	if page := printed(text); page != "" && len(r.Cases) == 0 {
		return whole(page)
	}
	if len(r.Cases)+len(r.Problems)+len(r.Passed) == 0 {
		return whole(nothing(r.doubtful, found))
	}
	if found.full != "" && len(found.docs) > 1 {
		r.problem(place{name: "the rest"}, "was not read; "+found.full)
	}
	r.finish()
	if len(r.Cases)+len(r.Problems) == 0 {
		return whole(none(r.Passed, r.alone))
	}
	return r.Contents
}

func whole(says string) Contents { return Contents{Problems: []Problem{{Says: says}}} }

// nothing says why a text has nothing in it that could be a document.
func nothing(doubtful []Problem, found *scanner) string {
	switch {
	case len(doubtful) > 0:
		return doubtful[0].Says
	case found.prose:
		return notOurs + "it is text"
	}
	return "contains no application: expected a case file or an Argo CD Application"
}

// none says what there is in a text without an application. It is alone if nothing is around it.
func none(passed []Passed, alone bool) string {
	first := passed[0]
	switch {
	case len(passed) > 1 || !alone:
		return "contains no application to diagnose, but " + Names(passed)
	case first.Fails != "":
		return fmt.Sprintf("is %s, not an Argo CD Application or a case file; the set fails: %s; correct that, then give one of its applications", first.Name, first.Fails)
	}
	return fmt.Sprintf("is %s, not an Argo CD Application or a case file", first.Name)
}

// Names names what was passed over, and counts what is too much to name.
func Names(passed []Passed) string {
	const most = 3
	var names []string
	for _, p := range passed[:min(len(passed), most)] {
		names = append(names, p.Name)
	}
	if more := len(passed) - most; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// pass passes over an object that is no application. What it says of the time counts for the file.
func (r *reading) pass(doc json.RawMessage, s *shape, kind string, at place) {
	p := Passed{Name: withArticle(shortened(kind))}
	if name := s.Metadata.value.Name; name != "" {
		p.Name = shortened(kind) + " " + shortened(name)
	}
	if kind == "ApplicationSet" {
		for _, c := range s.Status.value.Conditions {
			if c.Type == "ErrorOccurred" && c.Status == "True" {
				p.Fails = shortened(c.Message)
			}
		}
	}
	r.alone = r.alone || at.depth == 0
	r.Passed = append(r.Passed, p)
	var o Object
	if foreign.Application.JSON(doc, &o) == nil { // one that is too large has no say
		r.file.inObject(o)
	}
}

// finish gives the cases without a clock that of the file.
func (r *reading) finish() {
	r.Cases = slices.DeleteFunc(r.Cases, func(c *Case) bool { return c == nil })
	for _, c := range r.Cases {
		switch {
		case !c.Now.IsZero():
		case r.file.at.IsZero():
			c.Now = Time{r.file.now}
		default:
			c.Now, c.AsOf = Time{r.file.at}, Time{r.file.at}
		}
	}
	if r.more > 0 {
		r.Problems = append(r.Problems, Problem{fmt.Sprintf("%d more", r.more), "cannot be read either; correct what is named first"})
	}
}

// shortened is a text of others in a sentence of ours.
func shortened(s string) string {
	const longest = 200
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > longest {
		return string(runes[:longest-1]) + "…"
	}
	return s
}
