package drift

import (
	"reflect"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/foreign"
)

// The differences in notation that a rule treats specially.
const (
	QuantityUnits = "the unit of a quantity"
	LetterCase    = "upper and lower case"
	ListOrder     = "the order of a list"
)

// Same reports whether two different values mean the same, and what the notations differ in: a noun, to follow "they differ only in".
func Same(a, b any) (how string, same bool) {
	how, same = alikeness(a, b, mostLists)
	return how, same && how != ""
}

// alikeness is the same for values that may be equal: then it is empty. It looks at each value once, and at the order of lists only as long as not
// too many are in one another.
func alikeness(a, b any, lists int) (how string, same bool) {
	switch x := a.(type) {
	case []any:
		if y, ok := b.([]any); ok {
			return sameLists(x, y, lists)
		}
		return "", false
	case map[string]any:
		if y, ok := b.(map[string]any); ok {
			return sameMaps(x, y, lists)
		}
		return "", false
	}
	if reflect.DeepEqual(a, b) {
		return "", true
	}
	for _, n := range notations {
		if n.equal(a, b) {
			return n.name, true
		}
	}
	return "", false
}

// notations are the ways to write one value differently, the more exact first.
var notations = []struct {
	name  string
	equal func(a, b any) bool
}{
	{"the quoting of a number or boolean", sameText},
	{"octal and decimal notation", sameOctal},
	{QuantityUnits, sameQuantity},
	{"the unit of a duration", sameDuration},
	{"the notation of a time", sameTime},
	{"white space", sameSpaces},
	{"JSON formatting", sameJSON},
	{LetterCase, sameCase},
}

func sameText(a, b any) bool {
	_, aText := a.(string)
	_, bText := b.(string)
	return aText != bText && a != nil && b != nil && Show(a) == Show(b)
}

func sameOctal(a, b any) bool {
	octal := func(v any) (int64, bool) {
		s, ok := v.(string)
		if !ok || len(s) < 2 || s[0] != '0' {
			return 0, false
		}
		n, err := strconv.ParseInt(strings.TrimPrefix(s, "0o"), 8, 64)
		return n, err == nil
	}
	decimal := func(v any) (int64, bool) { n, ok := v.(float64); return int64(n), ok && n == float64(int64(n)) }
	if m, ok := octal(a); ok {
		n, ok := decimal(b)
		return ok && m == n
	}
	m, ok := octal(b)
	n, isNumber := decimal(a)
	return ok && isNumber && m == n
}

// sameQuantity wants a unit on one side at least: "1.10" and "1.1" may be versions.
func sameQuantity(a, b any) bool {
	x, okA := quantity(a)
	y, okB := quantity(b)
	unit := strings.ContainsAny(Show(a)+Show(b), "numkKMGTPEi")
	return okA && okB && unit && x.Cmp(y) == 0
}

func quantity(v any) (resource.Quantity, bool) {
	switch v.(type) {
	case string, float64:
	default:
		return resource.Quantity{}, false
	}
	q, err := resource.ParseQuantity(Show(v))
	return q, err == nil
}

// Quantity is a value as Kubernetes writes a quantity; ok is false where it is none.
func Quantity(v any) (canonical string, ok bool) {
	q, ok := quantity(v)
	return q.String(), ok
}

// Less reports whether a is the smaller of two quantities.
func Less(a, b any) bool {
	x, okA := quantity(a)
	y, okB := quantity(b)
	return okA && okB && x.Cmp(y) < 0
}

func sameDuration(a, b any) bool {
	x, errA := time.ParseDuration(Show(a))
	y, errB := time.ParseDuration(Show(b))
	return errA == nil && errB == nil && x == y
}

func sameTime(a, b any) bool {
	x, errA := time.Parse(time.RFC3339Nano, Show(a))
	y, errB := time.Parse(time.RFC3339Nano, Show(b))
	return errA == nil && errB == nil && x.Equal(y)
}

// sameSpaces: around a text, and anywhere in what is encoded in base64.
func sameSpaces(a, b any) bool {
	x, y, ok := texts(a, b)
	if !ok || x == "" {
		return false
	}
	p, q := strings.Join(strings.Fields(x), ""), strings.Join(strings.Fields(y), "")
	return strings.TrimSpace(x) == strings.TrimSpace(y) || p == q && len(p) > 40 && encoded.MatchString(p)
}

var encoded = pattern.MustCompile(`^[A-Za-z0-9+/=_-]+$`)

func sameJSON(a, b any) bool {
	x, y, ok := texts(a, b)
	if !ok || len(x) < 2 || x[0] != '{' && x[0] != '[' {
		return false
	}
	var v, w any
	return foreign.Field.JSON([]byte(x), &v) == nil && foreign.Field.JSON([]byte(y), &w) == nil && reflect.DeepEqual(v, w)
}

func sameCase(a, b any) bool {
	x, y, ok := texts(a, b)
	return ok && strings.EqualFold(x, y)
}

func texts(a, b any) (x, y string, ok bool) {
	x, okA := a.(string)
	y, okB := b.(string)
	return x, y, okA && okB
}

func sameLists(a, b []any, lists int) (string, bool) {
	if len(a) != len(b) {
		return "", false
	}
	how := ""
	for i := range a {
		h, ok := alikeness(a[i], b[i], lists-1)
		if !ok {
			return ListOrder, lists > 0 && permuted(a, b)
		}
		how = max(how, h) // one of them stands for all, the same one each time
	}
	return how, true
}

func sameMaps(a, b map[string]any, lists int) (string, bool) {
	const leftOut = "empty values that one side leaves out"
	how := ""
	for k, v := range a {
		w, ok := b[k]
		h, same := leftOut, Empty(v)
		if ok {
			h, same = alikeness(v, w, lists)
		}
		if !same {
			return "", false
		}
		how = max(how, h)
	}
	for k, w := range b {
		if _, ok := a[k]; ok {
			continue
		}
		if !Empty(w) {
			return "", false
		}
		how = max(how, leftOut)
	}
	return how, true
}

// Empty reports whether a value is one that APIs leave out when they write an object: null, "", 0, false, {} and [], or
// a map of such.
func Empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case bool:
		return !v
	case float64:
		return v == 0
	case []any:
		return len(v) == 0
	case map[string]any:
		for _, x := range v {
			if !Empty(x) {
				return false
			}
		}
		return true
	}
	return false
}
