package kube

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/sanitize"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/argo-why/argo-why/internal/action"
)

// actionLog is what the custom resource contains beside its metadata: the log, and what kubectl shows of it.
type actionLog struct {
	*action.Log
	Last *lastAction `json:"last,omitempty"`
}

// lastAction is what a column cannot pick out of the records.
type lastAction struct {
	Action action.Kind  `json:"action"`
	By     string       `json:"by"`
	State  action.State `json:"state"`
	At     time.Time    `json:"at"`
	Result string       `json:"result,omitempty"`
}

// maxColumn is how much of a text a table shows, in bytes. The record has the whole.
const maxColumn = 300

var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

// actionLogName is a DNS label: what an application is called, and a digest that distinguishes instances and namespaces.
func actionLogName(app action.App) string {
	const maxWord, digestSize = 40, 8 // characters for people, bytes
	digest := sha256.Sum256([]byte(app.Instance + "\x00" + app.Namespace + "\x00" + app.Name))
	word := strings.Trim(notInNames.ReplaceAllString(strings.ToLower(app.Name), "-"), "-")
	word = strings.Trim(word[:min(len(word), maxWord)], "-")
	return strings.TrimLeft(word+"-", "-") + hex.EncodeToString(digest[:digestSize])
}

// encodeActionLog is the object of a log, and its size.
func encodeActionLog(l *action.Log) (o *unstructured.Unstructured, size int, err error) {
	if l.App.Name == "" {
		return nil, 0, &Error{Problem: Failed, what: "the application has no name"}
	}
	raw, err := fitActionLog(l)
	if err != nil {
		return nil, 0, err
	}
	o = emptyObject(actionLogKind, actionLogName(l.App))
	o.SetLabels(labelsOf(l.App))
	o.SetResourceVersion(l.Version)
	return o, len(raw), utiljson.Unmarshal(raw, &o.Object) // whole numbers stay whole
}

// fitActionLog is the log as JSON, of maxStatus bytes at the most: without as many of the oldest records as it takes. What is
// still to be done or to be told stays.
func fitActionLog(l *action.Log) ([]byte, error) {
	a := &actionLog{Log: l}
	if len(l.Records) > 0 {
		r := l.Records[len(l.Records)-1]
		a.Last = &lastAction{Action: r.Kind, By: cmp.Or(r.By.Name, r.By.ID), State: r.State, At: r.At, Result: sanitize.Fit(r.Result, maxColumn)}
	}
	raw, err := json.Marshal(a)
	if err != nil || len(raw) <= maxStatus {
		return raw, err
	}
	excess, kept := len(raw)-maxStatus, []*action.Record{}
	for _, r := range l.Records {
		if excess > 0 && r.State.Over() && len(r.Notes) == 0 {
			record, err := json.Marshal(r)
			if err != nil {
				return nil, err
			}
			excess -= len(record) + len(",")
			continue
		}
		kept = append(kept, r)
	}
	if excess > 0 {
		return nil, &Error{
			Problem: Failed, what: sanitize.Sprintf("it has %d bytes, and the limit of a custom resource is %d", len(raw), maxStatus),
			todo: "keep the journal in a file (journal.kind: file)",
		}
	}
	a.Log = &action.Log{App: l.App, Records: kept}
	return json.Marshal(a)
}

// decodeActionLog is the way back.
func decodeActionLog(o *unstructured.Unstructured) (*action.Log, error) {
	l := &action.Log{}
	raw, err := json.Marshal(o.Object)
	if err == nil {
		err = json.Unmarshal(raw, l)
	}
	if err == nil && l.App.Name == "" {
		err = fmt.Errorf("it names no application")
	}
	if err != nil {
		return nil, &Error{
			Problem: Failed, what: sanitize.Sprintf("%s is damaged (%s)", o.GetName(), damage(err)), Err: err,
			todo: sanitize.Sprintf("delete it: kubectl -n %s delete actionlog %s", o.GetNamespace(), o.GetName()),
		}
	}
	l.Version, l.Size = o.GetResourceVersion(), len(raw)
	return l, nil
}

// damage says why an object of the journal cannot be read, without Go types.
func damage(err error) string {
	var field *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case err == nil:
		return "it has no content"
	case errors.As(err, &field), errors.As(err, &syntax):
		return "it cannot be decoded"
	}
	return err.Error()
}
