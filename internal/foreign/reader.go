package foreign

import (
	"bytes"
	"encoding/json"
	"errors"
)

// Reader takes the documents of a text one after the other, all of them together within the limits.
type Reader struct{ left Limits }

// Reader begins with all of the limits.
func (l Limits) Reader() *Reader { return &Reader{left: l} }

// JSON is the value, as a rule a list or an object, that a text begins with, and where it ends. The error of one that is cut off is [io.ErrUnexpectedEOF], and
// then, as where it is not valid, the end is where that shows.
func (r *Reader) JSON(text []byte) (doc json.RawMessage, end int, err error) {
	x, err := r.left.measureJSON(text, true)
	if err != nil {
		return nil, 0, err
	}
	r.spend(x)
	if doc = text[:x.end]; x.end > 0 && json.Valid(doc) {
		return doc, x.end, nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if err = d.Decode(&doc); err == nil { // neither a list nor an object
		return doc, int(d.InputOffset()), nil
	}
	end = len(text)
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		end = min(int(syntax.Offset), end)
	}
	return nil, end, err
}

// YAML is a YAML document as JSON.
func (r *Reader) YAML(text []byte) (json.RawMessage, error) {
	raw, err := r.left.FromYAML(text)
	if err != nil {
		return nil, err
	}
	x, err := r.left.measureJSON(raw, false)
	x.end = len(raw)
	r.spend(x)
	return raw, err
}

func (r *Reader) spend(x extent) {
	r.left.Bytes -= x.end
	r.left.Nodes -= x.nodes
	r.left.Members -= x.members
}
