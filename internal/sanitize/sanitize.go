package sanitize

import (
	"errors"
	"reflect"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/invisible"
	"github.com/argo-why/argo-why/internal/redact"
	"github.com/argo-why/argo-why/internal/text"
)

// sequence is a whole control sequence of a terminal: colours and cursor (CSI), titles, links and the clipboard (OSC),
// device strings, the short ones. Colours are common in logs; without them the line reads well.
var sequence = regexp.MustCompile(`(?:\x1b\[|\x{9b})[0-?]*[ -/]*[@-~]|` +
	`(?:\x1b[\]PX^_]|[\x{90}\x{98}\x{9d}-\x{9f}])[^\x07\x1b\x{9c}\n]*(?:\x07|\x1b\\|\x{9c})|` +
	`\x1b[ -/]*[0-~]`)

// Text makes a text from outside harmless to print: no control sequences, no control characters but line end and tab, no
// characters that nobody sees, no marks that change the direction of writing, valid UTF-8, no secrets. What is harmless already stays
// as it is.
//
// The order matters: a color in the middle of a password would hide it, and so would the sign that a control character leaves.
// The line ends that some of them become let others be found, so an odd text is searched once more.
func Text(s string) string { return harmless(s, leaveOut) }

// Name is a name from outside in one line. Characters that nobody sees leave a sign, so that two names that differ do not look the same.
func Name(s string) string { return text.OneLine(harmless(s, func(rune) string { return sign })) }

// sign is what stands for a character that is not shown.
const sign = string(utf8.RuneError)

// leaveOut keeps the marks of direction, which leave a sign: a text in which they mattered reads wrong without them.
func leaveOut(r rune) string {
	if unicode.Is(unicode.Bidi_Control, r) {
		return string(r)
	}
	return ""
}

func harmless(s string, unseen func(rune) string) string {
	s = strings.ToValidUTF8(s, sign)
	odd := strings.ContainsFunc(s, suspicious)
	if odd {
		s = sequence.ReplaceAllString(s, "")
		s = invisible.Map(strings.ReplaceAll(s, "\r\n", "\n"), unseen)
	}
	s = redact.String(s)
	if odd {
		if shown := strings.Map(printable, s); shown != s {
			s = redact.String(shown)
		}
	}
	for strings.Contains(s, twice) { // how two secrets of one field are told apart, see internal/evidence/clean
		s = strings.ReplaceAll(s, twice, redact.Replacement)
	}
	return s
}

const twice = redact.Replacement + redact.Replacement

func suspicious(r rune) bool {
	return (r < ' ' || r >= utf8.RuneSelf-1) && (printable(r) != r || invisible.Is(r))
}

func printable(r rune) rune {
	switch {
	case r == '\n', r == '\t':
		return r
	case r == '\r', r == '\u2028', r == '\u2029', r == '\u0085': // a progress bar writes its line again and again
		return '\n'
	case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
		return utf8.RuneError
	}
	return r
}

// Report is a copy of the report with every text in it made harmless. It uses reflection, so a field that is added to
// the report later cannot be forgotten here: that would print a secret.
func Report(r *diagnose.Report) *diagnose.Report {
	out, ok := sanitizeValue(reflect.ValueOf(r)).Interface().(*diagnose.Report)
	if !ok { // cannot be: the walk keeps types
		return &diagnose.Report{}
	}
	return out
}

// Any is a copy of a value of any type, made harmless in the same way.
func Any(v any) any {
	if v == nil {
		return nil
	}
	return sanitizeValue(reflect.ValueOf(v)).Interface()
}

func sanitizeValue(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.String:
		out := reflect.New(v.Type()).Elem()
		out.SetString(Text(v.String()))
		return out
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(sanitizeValue(v.Elem()))
		return out
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		out := reflect.New(v.Type()).Elem()
		if err, ok := reflect.TypeAssert[error](v.Elem()); ok { // its text may be in fields that are not exported
			out.Set(reflect.ValueOf(errors.New(Text(err.Error()))))
			return out
		}
		out.Set(sanitizeValue(v.Elem()))
		return out
	case reflect.Map:
		if v.IsNil() {
			return v
		}
		out := reflect.MakeMapWithSize(v.Type(), v.Len())
		for key, value := range v.Seq2() {
			out.SetMapIndex(sanitizeValue(key), sanitizeValue(value))
		}
		return out
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			out.Index(i).Set(sanitizeValue(v.Index(i)))
		}
		return out
	case reflect.Struct:
		if f, ok := reflect.TypeAssert[diagnose.Fix](v); ok {
			v = reflect.ValueOf(withoutSecretPatch(f))
		}
		out := reflect.New(v.Type()).Elem()
		out.Set(v)
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out.Field(i).Set(sanitizeValue(v.Field(i)))
			}
		}
		return out
	default:
		return v
	}
}
