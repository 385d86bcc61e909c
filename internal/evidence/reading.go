package evidence

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/foreign"
)

// place is where a document is: "document 2, item 3".
type place struct {
	name  string
	kind  string // of the items of a list, which need not name it
	depth int    // lists and changes around it
	// deleted: it was the last state of an object.
	deleted bool
}

// reading is a text that is being read.
type reading struct {
	Contents

	// file is the newest date in the text.
	file newest
	// states has the newest state of each application, by its place in Cases: a stream of changes has several.
	states map[state]latest
	// alone: what was passed over is in no list.
	alone bool
	// doubtful are problems with what may be no document at all.
	doubtful []Problem
	// said counts the problems by what they say; more are those beyond the ones that are reported.
	said map[string]int
	more int
}

// state identifies an application that exists.
type state struct{ uid, namespace, name string }

type latest struct {
	index int
	at    time.Time
}

func newReading(now time.Time) *reading {
	return &reading{file: newest{now: now}, states: map[state]latest{}, said: map[string]int{}}
}

// problem adds a message for the user. After the third of the same wording, further ones are only counted.
func (r *reading) problem(at place, says string) {
	const often = 3
	if r.said[says]++; r.said[says] > often || len(r.Problems) >= mostDamaged {
		r.more++
		return
	}
	r.Problems = append(r.Problems, Problem{Where: at.name, Says: says})
}

// about names the object at a place.
func (s *shape) about(at place, kind string) place {
	if name := s.Metadata.value.Name; at.name != "" && name != "" {
		at.name += " (" + kind + " " + shortened(name) + ")"
	}
	return at
}

// maxDepth is how many lists and changes can be around an object: a list of changes of lists is read, and no other program writes more.
const maxDepth = 4

// document reads one document, or an item of one.
func (r *reading) document(doc json.RawMessage, at place) {
	if at.depth > maxDepth {
		r.problem(at, notOurs+"it is in too many lists")
		return
	}
	if bytes.HasPrefix(bytes.TrimLeft(doc, " \t\r\n"), []byte("[")) {
		r.array(doc, at)
		return
	}
	var s shape
	if err := foreign.File.JSON(doc, &s); err != nil {
		r.unrecognised(at, notOurs+jsonProblem(err))
		return
	}
	kind := s.kind(at.kind)
	switch {
	case s.Case.value != "":
		r.caseFile(doc, &s, at)
	case s.Kind.value == "" && bool(s.Result):
		r.inside(doc, "result", at)
	case s.Kind.value == "" && bool(s.Object || s.Application) && s.Type.value != "":
		r.change(doc, &s, at)
	case bool(s.Items) && (strings.HasSuffix(kind, "List") || kind == ""):
		r.list(doc, &s, at)
	case kind == "Status" || kind == "" && bool(s.Error) && s.Message.value != "":
		r.problem(at, "is a refusal, not an application: "+shortened(s.Message.value)+"; correct that, and save it again")
	case kind == "Application":
		r.application(doc, &s, at)
	case kind != "":
		r.pass(doc, &s, kind, at)
	default:
		r.unrecognised(at, notOurs+"it has neither \"case\" nor \"kind\"")
	}
}

// unrecognised notes a problem with what may be no document: an entry of a log, for example.
func (r *reading) unrecognised(at place, says string) {
	switch {
	case at.depth > 0:
		r.problem(at, says)
	case len(r.doubtful) == 0:
		r.doubtful = []Problem{{at.name, says}}
	}
}

// inside reads what a document has under a key.
func (r *reading) inside(doc json.RawMessage, key string, at place) {
	var parts map[string]json.RawMessage
	if err := foreign.File.JSON(doc, &parts); err != nil {
		r.problem(at, notOurs+jsonProblem(err))
		return
	}
	at.depth++
	r.document(parts[key], at)
}

// change reads what a watch sends.
func (r *reading) change(doc json.RawMessage, s *shape, at place) {
	key := "object"
	if s.Application {
		key, at.kind = "application", "Application"
	}
	switch s.Type.value {
	case "BOOKMARK": // only says how far the stream is
	case "DELETED":
		at.deleted = true
		fallthrough
	default:
		r.inside(doc, key, at)
	}
}

// list reads a list of Kubernetes or Argo CD.
func (r *reading) list(doc json.RawMessage, s *shape, at place) {
	var l struct {
		Items []json.RawMessage `json:"items"`
	}
	if err := foreign.File.JSON(doc, &l); err != nil {
		r.problem(at, notOurs+jsonProblem(err))
		return
	}
	at.kind = strings.TrimSuffix(s.Kind.value, "List") // "" of a List, whose items say what they are
	r.items(l.Items, at)
}

func (r *reading) array(doc json.RawMessage, at place) {
	var items []json.RawMessage
	if err := foreign.File.JSON(doc, &items); err != nil {
		r.problem(at, notOurs+jsonProblem(err))
		return
	}
	r.items(items, at)
}

func (r *reading) items(items []json.RawMessage, at place) {
	around := at.name
	if around != "" {
		around += ", "
	}
	at.depth++
	for i, item := range items {
		at.name = fmt.Sprintf("%sitem %d", around, i+1)
		r.document(item, at)
	}
}

func (r *reading) caseFile(doc json.RawMessage, s *shape, at place) {
	if s.Case.value != CaseVersion {
		r.problem(at, fmt.Sprintf("is a case file of format %q, and this version of the bot reads %q; save the case again, or use another version", shortened(s.Case.value), CaseVersion))
		return
	}
	c := &Case{Document: doc}
	if err := foreign.File.JSON(doc, c); err != nil {
		r.problem(at, "is a damaged case file: "+jsonProblem(err))
		return
	}
	if c.Application != nil && c.Application.Metadata.Name == "" && c.APIError == "" { // a refusal is about none
		r.problem(at, "contains an application without a name (metadata.name)")
		return
	}
	if c.Now.IsZero() {
		r.file.inCase(c)
	}
	r.Cases = append(r.Cases, c)
}

func (r *reading) application(doc json.RawMessage, s *shape, at place) {
	at = s.about(at, "Application")
	switch v := s.APIVersion.value; {
	case s.Kind.value == "Application" && v == "":
		r.problem(at, "is an Application without apiVersion, not a complete Argo CD Application (argoproj.io/v1alpha1)")
		return
	case v != "" && !strings.HasPrefix(v, "argoproj.io/"):
		r.problem(at, fmt.Sprintf("is an Application of apiVersion %q, not an Argo CD Application (argoproj.io/v1alpha1)", shortened(v)))
		return
	}
	app := &Application{}
	if err := foreign.File.JSON(doc, app); err != nil {
		r.problem(at, "is a damaged Application: "+jsonProblem(err))
		return
	}
	switch missing := s.missing(); {
	case missing == "status" && s.live(): // no controller has looked at it
	case missing == "status":
		r.problem(at, "is only part of an Application: no status, as in Git; give the one in the cluster: 'kubectl get application APP -o yaml'")
		return
	case missing != "":
		r.problem(at, "is only part of an Application: no "+missing)
		return
	case app.Metadata.Name == "":
		r.problem(at, "contains an application without a name (metadata.name)")
		return
	}
	seen := newest{now: r.file.now}
	if s.Status.is { // without one, whatever wrote it observed nothing, and it may have been saved long after
		seen.inApplication(app)
	}
	r.file.see(Time{seen.at})
	c := &Case{Version: CaseVersion, Application: app, Document: doc}
	r.add(c, seen.at, at)
}

// add adds an application, or the change of one: of several states only the newest is diagnosed, and none of one that was deleted.
func (r *reading) add(c *Case, at time.Time, where place) {
	m := &c.Application.Metadata
	id := state{m.UID, m.Namespace, m.Name}
	before, known := r.states[id]
	switch {
	case where.deleted:
		r.Passed = append(r.Passed, Passed{Name: "Application " + shortened(m.Name) + " (deleted)"})
		if known {
			r.Cases[before.index] = nil
			delete(r.states, id)
		}
	case known && at.Before(before.at):
	case known:
		r.Cases[before.index], r.states[id] = c, latest{before.index, at}
	default:
		if id.uid != "" {
			r.states[id] = latest{len(r.Cases), at}
		}
		r.Cases = append(r.Cases, c)
	}
}
