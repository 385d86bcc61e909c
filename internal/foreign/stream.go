package foreign

import (
	"encoding/json"
	"io"
)

// Items calls each with the members of the list "items" of a JSON object that is being received, one at a time: only one is in memory,
// and only its bytes are limited.
func (l Limits) Items(r io.Reader, each func(item []byte) error) error {
	s := &stream{Limits: l, from: &allowance{Reader: r, limits: l}}
	s.d = json.NewDecoder(s.from)
	if err := s.begin(); err != nil { // {
		return err
	}
	for s.d.More() {
		key, err := s.d.Token()
		if err != nil {
			return err
		}
		if key != "items" {
			_, err = s.next()
		} else {
			err = s.list(each)
		}
		if err != nil {
			return err
		}
	}
	_, err := s.d.Token() // }, without which the answer was cut off
	return err
}

type stream struct {
	Limits

	d    *json.Decoder
	from *allowance
}

func (s *stream) begin() error {
	s.from.left = s.Bytes
	_, err := s.d.Token()
	return err
}

func (s *stream) next() (json.RawMessage, error) {
	s.from.left = s.Bytes
	var raw json.RawMessage
	err := s.d.Decode(&raw)
	return raw, err
}

func (s *stream) list(each func([]byte) error) error {
	if begin, err := s.d.Token(); err != nil || begin == nil { // null: no items
		return err
	}
	for s.d.More() {
		item, err := s.next()
		if err != nil {
			return err
		}
		if err := each(item); err != nil {
			return err
		}
	}
	_, err := s.d.Token()
	return err
}

// allowance ends a stream whose item does not end.
type allowance struct {
	io.Reader

	left   int
	limits Limits
}

func (a *allowance) Read(p []byte) (int, error) {
	if a.left <= 0 {
		return 0, a.limits.errBytes()
	}
	n, err := a.Reader.Read(p)
	a.left -= n
	return n, err
}
