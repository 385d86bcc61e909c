package foreign

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// Check reports whether JSON text keeps within the limits. It counts brackets and commas outside of strings, and does not check the text
// otherwise.
func (l Limits) Check(text []byte) error {
	_, err := l.measureJSON(text, false)
	return err
}

// extent is how far a JSON text goes, and how much it is.
type extent struct{ end, nodes, members int }

// measureJSON is [Limits.Check]. It goes to the end of the text or, where only the first list or object is wanted, to the end of that; the
// end is 0 where there is none.
func (l Limits) measureJSON(text []byte, first bool) (extent, error) {
	if len(text) > l.Bytes && !first {
		return extent{}, l.errBytes()
	}
	x := extent{nodes: 1}
	open := make([]byte, 1, 32) // the lists and objects around a place
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = endOfString(text, i)
		case '{', '[':
			if len(open) > Levels {
				return x, errDepth
			}
			if open = append(open, text[i]); text[i] == '[' {
				x.members++
			}
			x.nodes++
		case '}', ']':
			if open = open[:max(len(open)-1, 1)]; first && len(open) == 1 {
				x.end = i + 1
				return x, nil
			}
		case ',':
			if open[len(open)-1] == '[' {
				x.members++
			}
			x.nodes++
		}
		switch {
		case x.nodes > l.Nodes:
			return x, l.errNodes()
		case x.members > l.Members:
			return x, l.errMembers()
		case i > l.Bytes:
			return x, l.errBytes()
		}
	}
	return x, nil
}

// Counted reports whether a message in another format keeps within the limits of bytes and members.
func (l Limits) Counted(size, members int) error {
	switch {
	case size > l.Bytes:
		return l.errBytes()
	case members > l.Members:
		return l.errMembers()
	}
	return nil
}

// endOfString is where the string that begins at start ends; the end of the text where it does not.
func endOfString(text []byte, start int) int {
	for i := start + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(text)
}

// JSON is json.Unmarshal of a text that keeps within the limits.
func (l Limits) JSON(text []byte, into any) error {
	if err := l.Check(text); err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// Skim is json.Unmarshal of a text of any size into a struct of a few plain fields: everything else is skipped, and takes no memory.
func Skim(text []byte, into any) error {
	if len(text) > Answer.Bytes {
		return Answer.errBytes()
	}
	return json.Unmarshal(text, into)
}

// Value is exactly one JSON document as maps, lists and texts. Its numbers stay as they are written.
func (l Limits) Value(text []byte) (any, error) {
	if err := l.Check(text); err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("text after the document")
	}
	return v, nil
}
