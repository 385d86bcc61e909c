package sanitize

import (
	"errors"
	"reflect"
	"regexp"
	"strings"
	"unicode"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/redact"
)

// sequence is a whole control sequence of a terminal: colours and cursor (CSI), titles, links and the clipboard (OSC),
// device strings, the short ones. Colours are common in logs; without them the line reads well.
var sequence = regexp.MustCompile(`(?:\x1b\[|\x{9b})[0-?]*[ -/]*[@-~]|` +
	`(?:\x1b[\]PX^_]|[\x{90}\x{98}\x{9d}-\x{9f}])[^\x07\x1b\x{9c}\n]*(?:\x07|\x1b\\|\x{9c})|` +
	`\x1b[ -/]*[0-~]`)

// Text makes a text from outside harmless to print: no control sequences, no control characters but line end and tab, no
// marks that change the direction of writing, valid UTF-8, no secrets. The order matters: a colour in the middle of a
// password would hide it.
func Text(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if strings.ContainsFunc(s, suspicious) {
		s = sequence.ReplaceAllString(s, "")
		s = strings.Map(printable, strings.ReplaceAll(s, "\r\n", "\n"))
	}
	s = redact.String(s)
	for strings.Contains(s, twice) { // how two secrets of one field are told apart, see internal/evidence/clean
		s = strings.ReplaceAll(s, twice, redact.Replacement)
	}
	return s
}

const twice = redact.Replacement + redact.Replacement

func suspicious(r rune) bool { return printable(r) != r }

func printable(r rune) rune {
	switch {
	case r == '\n', r == '\t':
		return r
	case r == '\r', r == '\u2028', r == '\u2029', r == '\u0085': // a progress bar writes its line again and again
		return '\n'
	case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == '\ufeff':
		return '\uFFFD'
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
