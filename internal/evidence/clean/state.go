package clean

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/redact"
)

// State is the object of one state without secrets; nil where there is none or it cannot be read.
func State(s evidence.State) evidence.Object {
	o, err := decode(s)
	if err != nil || o == nil || known.has(hash(string(s))) {
		return o
	}
	c, changed := Object(context.Background(), o)
	if !changed {
		known.add(hash(string(s)))
	}
	return c
}

// Target is what Git has of a resource; nil where that is not known, and for a nil difference.
func Target(d *evidence.ResourceDiff) evidence.Object {
	if d == nil {
		return nil
	}
	return State(d.TargetState)
}

// States are the states of a resource without secrets, to be compared: values that differed still do. The second value with the
// same name and the same looks gets one more replacement, "[redacted][redacted]".
type States struct {
	Target, Live, Normalized, Predicted evidence.Object
	// Original are the same as they were, in the same order; nil if none has a secret.
	Original []evidence.Object
}

// StatesOf reads the states of a resource.
func StatesOf(d evidence.ResourceDiff) (States, error) {
	texts := []evidence.State{d.TargetState, d.LiveState, d.NormalizedLiveState, d.PredictedLiveState}
	original, cleaned := make([]evidence.Object, len(texts)), make([]evidence.Object, len(texts))
	found := false
	for i, text := range texts {
		if same := slices.Index(texts[:i], text); same >= 0 { // often; nobody changes an object
			original[i], cleaned[i] = original[same], cleaned[same]
			continue
		}
		var err error
		if original[i], err = decode(text); err != nil {
			return States{}, err
		}
		var changed bool
		if cleaned[i] = original[i]; !known.has(hash(string(text))) {
			if cleaned[i], changed = Object(context.Background(), original[i]); !changed {
				known.add(hash(string(text)))
			}
		}
		found = found || changed
	}
	if found {
		m := marker{}
		for i := range cleaned {
			if slices.Index(texts, texts[i]) == i {
				m.mark("", map[string]any(original[i]), map[string]any(cleaned[i]))
			}
		}
	} else {
		original = nil
	}
	return States{cleaned[0], cleaned[1], cleaned[2], cleaned[3], original}, nil
}

func decode(s evidence.State) (evidence.Object, error) { return evidence.DecodeObject([]byte(s)) }

// marker tells values apart that were redacted to the same text: by what they were, for each name. It numbers them.
type marker map[[2]string]map[string]int

// mark goes through an object and its redacted copy side by side, in a fixed order, and marks the copy. What has a name, such as
// an environment variable, is the same one wherever it is in a list.
func (m marker) mark(name string, original, cleaned any) any {
	switch c := cleaned.(type) {
	case map[string]any:
		o, _ := original.(map[string]any)
		if own, ok := o["name"].(string); ok {
			name = own
		}
		name = name[max(0, len(name)-longestName):]
		for _, key := range slices.Sorted(maps.Keys(c)) {
			c[key] = m.mark(name+"/"+key, o[key], c[key])
		}
	case []any:
		o, _ := original.([]any)
		for i := range min(len(c), len(o)) {
			c[i] = m.mark(name, o[i], c[i])
		}
	case string:
		if o, ok := original.(string); !ok || o != c {
			return c + m.of(name, c, fmt.Sprint(original))
		}
	}
	return cleaned
}

const (
	// longestName is how much of the path to a value is its name. An object can be nested deeply, with many values at the end.
	longestName = 200
	// mostReplacements is how many of them stand in a row; of more values with one name, a number tells them apart.
	mostReplacements = 8
)

// of is what is appended to a redacted value: nothing to the first one, a replacement to the second, and so on.
func (m marker) of(name, cleaned, original string) string {
	key := [2]string{name, cleaned}
	at, ok := m[key][original]
	if !ok {
		if at = len(m[key]); at == 0 {
			m[key] = map[string]int{}
		}
		m[key][original] = at
	}
	if at > mostReplacements {
		return redact.Replacement + strconv.Itoa(at)
	}
	return strings.Repeat(redact.Replacement, at)
}
