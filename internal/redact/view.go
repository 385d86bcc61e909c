package redact

import (
	"cmp"
	"slices"
	"strings"
)

// view is a text as somebody reads it who decodes escapes or joins lines, and where each part of it came from. A secret
// that is disguised in a text is found in a view of it.
type view struct {
	text   string
	pieces []piece // in order, without gaps in the view; what was left out of the text is between them
}

// piece is a part of a view: a copy of the text, or what one escape stands for.
type piece struct {
	at, size     int // in the view
	from, covers int // in the text
}

// source is the part of the text that a part of the view came from.
func (v *view) source(s span) span {
	first, last := v.pieceAt(s.start), v.pieceAt(s.end-1)
	start, end := first.from, last.from+last.covers
	if first.size == first.covers {
		start += s.start - first.at
	}
	if last.size == last.covers {
		end = last.from + s.end - last.at
	}
	return span{start, end}
}

func (v *view) pieceAt(i int) piece {
	n, found := slices.BinarySearchFunc(v.pieces, i, func(p piece, i int) int { return cmp.Compare(p.at, i) })
	if !found {
		n--
	}
	return v.pieces[n]
}

// crosses tells whether a span of the view has parts that are apart in the text.
func (v *view) crosses(s span) bool {
	from := v.source(s)
	return from.end-from.start != s.end-s.start
}

// viewer builds a view.
type viewer struct {
	text   string
	done   int // how much of the text is in the view, or left out of it
	out    strings.Builder
	pieces []piece
}

// replace puts by in the place of text[start:end] in the view. Empty, it leaves that part out.
func (w *viewer) replace(start, end int, by string) {
	w.copyTo(start)
	if by != "" {
		w.add(piece{w.out.Len(), len(by), start, end - start}, by)
	}
	w.done = end
}

func (w *viewer) copyTo(end int) {
	if end > w.done {
		w.add(piece{w.out.Len(), end - w.done, w.done, end - w.done}, w.text[w.done:end])
	}
	w.done = end
}

func (w *viewer) add(p piece, s string) {
	if w.pieces == nil {
		w.out.Grow(len(w.text)) // a view is hardly ever longer
	}
	w.pieces = append(w.pieces, p)
	w.out.WriteString(s)
}

// view is what was built, nil if it is the text itself.
func (w *viewer) view() *view {
	if w.done == 0 && len(w.pieces) == 0 {
		return nil
	}
	w.copyTo(len(w.text))
	return &view{w.out.String(), w.pieces}
}
