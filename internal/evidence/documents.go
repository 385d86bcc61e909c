package evidence

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/argo-why/argo-why/internal/foreign"
)

// document is one of those that a text contains, as JSON, or the reason why it could not be read.
type document struct {
	raw json.RawMessage
	err error
	// doubtful: it may be no document at all, but a line of a log in front of one.
	doubtful bool
}

// scanner finds the documents in a text: JSON and YAML, one after the other or in the fences of Markdown, with prompts, warnings and
// whatever else a terminal shows between them.
type scanner struct {
	text   []byte
	at     int // where the scanner is in the text
	reader *foreign.Reader
	begun  int      // where the YAML begins that the scanner is in; -1 where it is in none
	keys   []string // of that
	docs   []document
	// damaged is how many of them could not be read.
	damaged int
	// full is why the rest is not read: the limits are used up, or so much is damaged that it is not worth the work. Empty where all is.
	full string
	// prose: there is text which is in no document.
	prose bool
}

const (
	// mostDamaged is how many documents that cannot be read are reported. Each costs a search for where the next one begins.
	mostDamaged = 20
	// mostDocuments is far beyond the applications of the largest Argo CDs.
	mostDocuments = 50_000

	damagedBefore = "correct or remove what is named first"
)

// documents finds the documents in a text. It keeps those in front of one that cannot be read, and those behind it.
func documents(text []byte) *scanner {
	s := &scanner{text: bytes.TrimRight(text, " \t\r\n"), reader: foreign.File.Reader(), begun: -1}
	for s.at < len(s.text) && s.full == "" {
		line := s.head()
		kind, key := lineKind(line, s.begun >= 0)
		switch kind {
		case lineJSON:
			s.endYAML()
			s.json(s.at + bytes.IndexAny(line, "{["))
			continue
		case lineBetween, lineProse:
			s.endYAML()
			s.prose = s.prose || kind == lineProse
		case lineKey:
			if s.beginsNext(key) {
				s.endYAML()
			}
			s.begin()
			s.keys = append(s.keys, key)
		case lineYAML:
			s.begin()
		}
		s.at += s.lineLength()
	}
	if s.full == "" {
		s.endYAML()
	}
	return s
}

// head is the beginning of the line at which the scanner is, enough to say what it is: a line can be as long as the text.
func (s *scanner) head() []byte {
	const enough = 200
	head := s.text[s.at:min(s.at+enough, len(s.text))]
	if i := bytes.IndexByte(head, '\n'); i >= 0 {
		return head[:i+1]
	}
	return head
}

// lineLength is how long that line is, with its end.
func (s *scanner) lineLength() int {
	if i := bytes.IndexByte(s.text[s.at:], '\n'); i >= 0 {
		return i + 1
	}
	return len(s.text) - s.at
}

// begin notes that YAML begins, unless it has.
func (s *scanner) begin() {
	if s.begun < 0 {
		s.begun = s.at
	}
}

// endYAML reads the YAML that has begun, which ends here.
func (s *scanner) endYAML() {
	if s.begun >= 0 {
		s.yaml(s.begun, s.at)
	}
	s.begun, s.keys = -1, nil
}

// beginsNext reports whether a key begins another document without a mark between the two: each key is in an object once, and what is in
// front of its first one is a warning, unless it is referred to.
func (s *scanner) beginsNext(key string) bool {
	if key == "apiVersion" || key == "case" {
		if slices.Contains(s.keys, key) {
			return true
		}
	}
	return s.begun >= 0 && slices.Contains(usual, key) && !slices.ContainsFunc(s.keys, func(k string) bool { return slices.Contains(usual, k) }) &&
		!bytes.Contains(s.text[s.begun:s.at], []byte("&"))
}

// The kinds of line, as far as they are known from their beginning.
const (
	lineYAML    = iota // goes on with what has begun
	lineKey            // begins with a key of an object
	lineJSON           // begins a list or an object
	lineBetween        // separates documents
	lineProse          // is in no document
)

var (
	topKey = regexp.MustCompile(`^["']?([A-Za-z_][\w./-]*)["']?[ \t]*:(\s|$)`)
	// beginsJSON: "[INFO] …" and "[1] 4711" of a shell do not.
	beginsJSON = regexp.MustCompile(`^[ \t]*(\{\s*("|\}|$)|\[\s*([\[{\]]|$))`)
	// streamed is a line of a stream of server-sent events.
	streamed  = regexp.MustCompile(`^data:[ \t]*\{"`)
	separator = regexp.MustCompile("^(---([ \\t].*)?|\\.\\.\\.[ \\t]*|(```|~~~).*)\r?\n?$")
	directive = regexp.MustCompile(`^%(YAML|TAG)[ \t]`)
)

// usual are the keys that an object of Kubernetes or a case file has.
var usual = []string{"apiVersion", "kind", "metadata", "spec", "status", "items", "case", "application"}

func lineKind(line []byte, begun bool) (kind int, key string) {
	text := bytes.TrimSpace(line)
	switch {
	case len(text) == 0 && begun, directive.Match(line):
		return lineYAML, ""
	case len(text) == 0, separator.Match(line), !begun && separator.Match(text):
		return lineBetween, ""
	case line[0] == '{', line[0] == '[' && beginsJSON.Match(line), !begun && (beginsJSON.Match(line) || streamed.Match(line)):
		return lineJSON, ""
	}
	if m := topKey.FindSubmatch(line); m != nil {
		return lineKey, string(m[1])
	}
	if bytes.IndexByte([]byte(" \t#-?:,}]&!\"'"), line[0]) >= 0 {
		return lineYAML, ""
	}
	return lineProse, ""
}

// json reads the JSON document that begins there.
func (s *scanner) json(start int) {
	doc, n, err := s.reader.JSON(s.text[start:])
	s.at = start + n
	if err == nil {
		s.found(document{raw: doc})
		return
	}
	d := document{doubtful: !beginsJSON.Match(s.text[start:min(start+100, len(s.text))])}
	switch {
	case foreign.IsTooLarge(err):
		d.err, s.full = tooLarge(err), damagedBefore
	case errors.Is(err, io.ErrUnexpectedEOF):
		d.err = errors.New("is cut off: the JSON ends in the middle; save it again")
	default:
		d.err = fmt.Errorf("is not valid JSON: line %d: %s", 1+bytes.Count(s.text[:min(s.at, len(s.text))], []byte("\n")), firstLine(err.Error()))
	}
	s.failed(d)
	s.resume()
}

// resume goes to where the next document can begin after one that is damaged: its own lines are indented, or close something.
func (s *scanner) resume() {
	for s.at += s.lineLength(); s.at < len(s.text); s.at += s.lineLength() {
		if bytes.IndexByte([]byte(" \t\r\n}]\","), s.text[s.at]) < 0 {
			return
		}
	}
}

func (s *scanner) yaml(start, end int) {
	text := s.text[start:end]
	raw, err := s.reader.YAML(text)
	switch {
	case err == nil && string(raw) == "null": // only comments
	case err == nil:
		s.found(document{raw: raw})
	default:
		if foreign.IsTooLarge(err) {
			s.full = damagedBefore
		}
		doubtful := !slices.ContainsFunc(usual, func(key string) bool { return bytes.Contains(text, []byte(key+":")) })
		s.failed(document{err: notYAML(err, bytes.Count(s.text[:start], []byte("\n"))), doubtful: doubtful})
	}
}

func (s *scanner) found(d document) {
	if s.docs = append(s.docs, d); len(s.docs) == mostDocuments {
		s.full = "these are 50,000 documents, the limit; give one application at a time"
	}
}

func (s *scanner) failed(d document) {
	s.found(d)
	if s.damaged++; s.damaged == mostDamaged {
		s.full = damagedBefore
	}
}

// utf8 is a text in UTF-8, without a byte order mark: editors and shells on Windows write one, or UTF-16.
func utf8(text []byte) []byte {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(text, []byte("\xff\xfe")), len(text) > 1 && text[0] != 0 && text[1] == 0:
		order = binary.LittleEndian
	case bytes.HasPrefix(text, []byte("\xfe\xff")), len(text) > 1 && text[0] == 0 && text[1] != 0:
		order = binary.BigEndian
	default:
		return bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	}
	units := make([]uint16, 0, len(text)/2)
	for ; len(text) > 1; text = text[2:] {
		units = append(units, order.Uint16(text))
	}
	return bytes.TrimPrefix([]byte(string(utf16.Decode(units))), []byte("\xef\xbb\xbf"))
}

// tooLarge says what to do about a text that is not decoded.
func tooLarge(err error) error {
	return fmt.Errorf("is %w; no application is: give one alone", err)
}

// yamlLine is where the library says that an error is, within its document.
var yamlLine = regexp.MustCompile(`line (\d+): `)

// notYAML says on which line YAML text is not valid; before are the lines in front of the document.
func notYAML(err error, before int) error {
	if foreign.IsTooLarge(err) {
		return tooLarge(err)
	}
	said := strings.TrimPrefix(firstLine(err.Error()), "yaml: ")
	line := 1 // the library leaves out the first
	if at := yamlLine.FindStringSubmatch(said); at != nil {
		line, _ = strconv.Atoi(at[1])
		said = yamlLine.ReplaceAllString(said, "")
	}
	if strings.Contains(said, "aliasing") { // of the document as a whole
		return fmt.Errorf("is not valid YAML: %s", said)
	}
	return fmt.Errorf("is not valid YAML: line %d: %s", line+before, said)
}
